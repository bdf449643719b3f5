// The file as it would leave: its pages, or its text, read again from the released bytes.

import { call } from "./api.js";
import { fill, h } from "./dom.js";

export class Released {
  constructor(id, isDrawn) {
    this.id = id;
    this.isDrawn = isDrawn; // an office file whose pages are drawn
    this.isShown = false;
    this.version = null;
    this.element = h("div", { class: "paper released", tabindex: "0", role: "document", "aria-label": "The file as it will leave" });
  }

  // Show what would leave at this version of the decisions. Nothing is fetched when it is shown already.
  async show(version) {
    this.isShown = true;
    if (this.version === version) return;
    this.version = version;
    this.element.setAttribute("aria-busy", "true");
    if (!this.element.childElementCount) fill(this.element, h("p", { class: "soft" }, "Making the file as it will leave…"));
    try {
      const found = await call(`/v1/reviews/${this.id}/released${this.isDrawn ? "?pages=true" : ""}`);
      if (this.version !== version) return; // a later decision overtook this one
      this.text = found.text;
      this.element.classList.toggle("pages", Boolean(found.pages));
      fill(this.element, found.pages ? this.sheets(found.pages, found.release) : this.lines(found.text));
    } catch (error) {
      this.version = null;
      fill(this.element, h("p", { class: "problem" }, error.message));
    } finally { this.element.removeAttribute("aria-busy"); }
  }

  hide() {
    this.isShown = false;
    this.element.remove();
  }

  sheets(pages, release) {
    return pages.map(([width, height], number) => {
      const sheet = h("div", { class: "sheet", role: "group", "aria-label": `Page ${number + 1} as it will leave` },
        h("img", { src: `/v1/reviews/${this.id}/released/${number}/image?release=${release}`, alt: "", loading: "lazy", decoding: "async" }));
      sheet.style.aspectRatio = `${width} / ${height}`;
      return sheet;
    });
  }

  // How often the words stand in what will leave, if its text is known; the first of them comes into sight.
  find(words) {
    const wanted = words.trim().toLowerCase();
    if (!wanted || !this.text) return null;
    const lines = [...this.element.querySelectorAll("p.line")].filter((line) => line.textContent.toLowerCase().includes(wanted));
    lines[0]?.scrollIntoView({ block: "center" });
    return this.text.toLowerCase().split(wanted).length - 1;
  }

  lines(text) { return text.split("\n").map((line) => h("p", { class: "line", dir: "auto" }, line)); }
}
