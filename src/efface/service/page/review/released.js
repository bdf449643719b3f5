// The file as it would leave: its pages, or its text, read again from the released bytes.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { Paper, Text } from "./paper.js";

const UNTOUCHED = { pick: () => {}, menu: () => {} }; // nothing is decided here

export class Released {
  constructor(id, isDrawn) {
    this.id = id;
    this.isDrawn = isDrawn; // an office file whose pages are drawn
    this.isShown = false;
    this.version = null;
    this.element = h("div", { class: "paper released", tabindex: "0", role: "document", "aria-label": "The file as it will leave" });
  }

  // Stand as far down as the original does: a share of the way, from 0 to 1.
  scrollTo(share) { this.element.scrollTop = share * (this.element.scrollHeight - this.element.clientHeight); }

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
      this.draw(found);
    } catch (error) {
      this.version = null;
      fill(this.element, h("p", { class: "problem" }, error.message));
    } finally { this.element.removeAttribute("aria-busy"); }
  }

  hide() {
    this.isShown = false;
    this.element.remove();
  }

  draw(found) {
    const top = this.element.scrollTop;
    this.element.classList.toggle("pages", Boolean(found.pages));
    this.pages = found.pages ? found.page_texts.map((text) => new Text(text)) : null;
    this.copy = found.pages ? null : this.textCopy(found.document);
    fill(this.element, found.pages ? this.sheets(found.pages, found.release) : this.copy.element);
    this.element.scrollTop = top;
  }

  // Text with its headings and tables, and what is no prose folded away, as the original is shown.
  textCopy(shown) {
    const copy = new Paper(this.id, shown, UNTOUCHED, null);
    copy.element.className = "copy";
    for (const name of ["tabindex", "role", "aria-label"]) copy.element.removeAttribute(name); // the whole is one document
    copy.lay([], () => "");
    return copy;
  }

  sheets(pages, release) {
    return pages.map(([width, height], number) => {
      const sheet = h("div", { class: "sheet", role: "group", "aria-label": `Page ${number + 1} as it will leave` },
        h("img", { src: `/v1/reviews/${this.id}/released/${number}/image?release=${release}`, alt: "", loading: "lazy", decoding: "async" }));
      sheet.style.aspectRatio = `${width} / ${height}`;
      sheet.style.setProperty("--aspect", width / height);
      return sheet;
    });
  }

  // Where the words stand in what will leave; null if it is not there yet.
  search(words) {
    if (this.copy) return this.copy.search(words);
    return this.pages?.flatMap((text, page) => text.search(words).map((place) => ({ ...place, page }))) ?? null;
  }

  // Bring one of these places into sight; of a page only the page is known.
  showPlace(place) {
    if (this.copy) this.copy.showAndSelect(place);
    else this.element.querySelectorAll(".sheet")[place.page]?.scrollIntoView({ block: "start" });
  }
}
