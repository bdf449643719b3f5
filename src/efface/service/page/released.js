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
      this.texts = found.pages ? found.page_texts : [found.text];
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
      sheet.style.setProperty("--aspect", width / height);
      return sheet;
    });
  }

  // How often the words stand in what will leave, if its text is known; the first page or line with them comes into sight.
  find(words) {
    const wanted = words.trim().toLowerCase();
    if (!wanted || !this.texts) return null;
    const counts = this.texts.map((text) => text.toLowerCase().split(wanted).length - 1);
    const page = this.element.querySelectorAll(".sheet")[counts.findIndex((count) => count > 0)];
    const line = [...this.element.querySelectorAll("p.line")].find((each) => each.textContent.toLowerCase().includes(wanted));
    (page || line)?.scrollIntoView({ block: "center" });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  lines(text) { return text.split("\n").map((line) => h("p", { class: "line", dir: "auto" }, line)); }
}
