// Small pages beside the large ones, with a stripe for every mark. A click goes to the page.

import { h } from "../dom.js";

export class Thumbnails {
  constructor(review) {
    this.review = review;
    this.element = h("nav", { class: "thumbnails", "aria-label": "Small pages" });
    this.rows = (review.data.pages || []).map(([width, height], number) => {
      const marks = h("span", { class: "stripes", "aria-hidden": "true" });
      const count = h("span", { class: "soft" });
      const row = h("button", { onclick: () => this.go(number) },
        h("span", { class: "small-page" }, h("img", { alt: "", decoding: "async", "data-page": number }), marks),
        h("span", { class: "page-number" }, h("strong", {}, h("span", { class: "covered" }, "Page "), `${number + 1}`), count));
      row.querySelector(".small-page").style.aspectRatio = `${width} / ${height}`;
      this.element.append(row);
      return { row, marks, count };
    });
  }

  // Pictures of those that are seen, once the document itself is there.
  start() {
    if (this.observer) return;
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting && !target.src) this.draw(target);
    });
    for (const image of this.element.querySelectorAll("img")) this.observer.observe(image);
  }

  // The picture, and the stripes where the words really stand.
  draw(image) {
    const { paper, id } = this.review, sheet = paper.sheets[image.dataset.page];
    image.src = `/v1/reviews/${id}/pages/${sheet.number}/image?width=120`;
    if (!sheet.words) paper.readWords(sheet).then(() => this.paint(this.review.view.edits, this.review.view.areas)).catch(() => {});
  }

  close() { this.observer?.disconnect(); }

  go(number) { this.review.paper.sheets[number]?.element.scrollIntoView({ block: "start" }); }

  // Where the marks of each page stand: a stripe by how far down they are.
  paint(edits, areas) {
    const found = this.rows.map(() => []);
    for (const [start, end] of edits) {
      const where = this.review.paper.whereIs(start, end);
      if (where) found[where.page]?.push(where.down);
    }
    for (const [number, row] of this.rows.entries()) {
      const mine = found[number];
      row.marks.replaceChildren(...mine.slice(0, 60).map((down) => {
        const stripe = h("i");
        stripe.style.top = `${96 * down}%`;
        return stripe;
      }));
      const isOut = areas.some(([page, found]) => page === number && !found);
      row.row.classList.toggle("out", isOut);
      row.count.textContent = isOut ? "taken out" : mine.length ? `${mine.length} ${mine.length === 1 ? "goes" : "go"}` : "";
    }
  }
}
