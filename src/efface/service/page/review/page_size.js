// How large the pages are shown, and which way up. The file is not changed.

import { h } from "../dom.js";

const LEAST = 0.4, MOST = 4;

export class PageSize {
  constructor(review) {
    this.review = review;
    this.scale = 1;
    this.quarters = 0; // turns to the right
    this.element = h("span", { class: "zoom", role: "group", "aria-label": "Size of the pages" },
      h("button", { onclick: () => this.zoom(-1), "aria-label": "Smaller", title: "-" }, "−"), h("button", { onclick: () => this.zoom(0) }, "Fit"), h("button", { onclick: () => this.zoom(1), "aria-label": "Larger", title: "+" }, "+"), h("button", { onclick: () => this.turn(), "aria-label": "Turn the pages", title: "f" }, "⟳"));
  }

  // One step larger or smaller; 0 fits the page to the window.
  zoom(step) {
    this.scale = step === 0 ? 1 : Math.min(MOST, Math.max(LEAST, this.scale * (step > 0 ? 1.25 : 0.8)));
    this.review.element.style.setProperty("--zoom", this.scale);
  }

  turn() {
    this.quarters = (this.quarters + 1) % 4;
    this.review.element.style.setProperty("--turn", `${90 * this.quarters}deg`);
    this.review.element.classList.toggle("sideways", this.quarters % 2 === 1);
  }
}
