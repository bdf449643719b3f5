// Find in the document: in the marked original and in what will leave, whichever is in sight.

import { h, say } from "../dom.js";

export class Search {
  constructor(review) {
    this.review = review;
    this.element = h("input", { type: "search", "aria-label": "Search in the document", placeholder: "Search in the document  ( / )", oninput: () => this.count(), onkeydown: (event) => this.keydown(event) });
  }

  focus() { this.element.focus(); }

  // Look for these words at once, as if they had been typed.
  find(words) {
    this.element.value = words;
    this.found = null;
    this.step(1);
  }

  keydown(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    }
    if (event.key === "Escape") {
      event.preventDefault();
      this.element.blur(); // the next key is a command again, also where the original is out of sight
      (this.isOriginalSeen ? this.review.paper : this.review.released).element.focus();
    }
  }

  // On a narrow screen what will leave stands in the place of the original.
  get isOriginalSeen() { return this.review.paper.element.getClientRects().length > 0; }

  // Where the words stand in what is in sight, and in words how often they stand in the other.
  look() {
    const words = this.element.value;
    const left = this.review.released.isShown ? this.review.released.search(words) : null;
    const isReleased = left !== null && !this.isOriginalSeen;
    const original = this.review.paper.search(words);
    const also = left === null ? "" : isReleased ? ` · ${original.length} in the original` : ` · ${left.length} in what will leave`;
    return { places: isReleased ? left : original, left, isReleased, also };
  }

  // While one types: how often, and nothing is selected.
  count() {
    this.found = null;
    if (!this.element.value.trim()) { say(""); return; }
    const { places, isReleased, also } = this.look();
    say(places.length || also ? `${places.length} found${isReleased ? " in what will leave" : ""}${also}` : "Not found.");
  }

  step(by) {
    const { places, left, isReleased, also } = this.look();
    if (this.found?.isReleased !== isReleased) this.found = null;
    if (!places.length) { say(`Not found.${also}`); return; }
    const before = this.found?.at ?? (by > 0 ? -1 : 0);
    this.found = { isReleased, at: (before + by + places.length) % places.length };
    say(`${this.found.at + 1} of ${places.length}${isReleased ? " in what will leave" : ""}${also}`);
    const place = places[this.found.at];
    if (isReleased) { this.review.released.showPlace(place); return; }
    this.review.paper.showAndSelect(place);
    if (left?.length) this.review.released.showPlace(left[Math.min(this.found.at, left.length - 1)]);
  }
}
