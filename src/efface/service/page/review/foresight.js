// What decisions will change, painted before the service has checked them.

import { BY_REVIEWER } from "./words.js";

const ABOUT_WORDS = new Set(["keep", "redact", "replace"]);
const ABOUT_PAGES = new Set(["area", "page"]);

export class Foresight {
  constructor(review) {
    this.review = review;
    this.places = new Map(); // places that a decision changes, until the service has checked it
    this.turns = 0;
  }

  get view() { return this.review.view; }

  clear() { this.places.clear(); }

  // Whether the paper has no marks yet for what the decisions are about.
  foresee(decisions) {
    let hasNewMarks = false;
    for (const made of decisions) hasNewMarks = this.foreseeOne(made) || hasNewMarks;
    return hasNewMarks;
  }

  foreseeOne(made) {
    if (ABOUT_WORDS.has(made.kind)) return this.foreseeWords(made, made.kind !== "keep");
    if (ABOUT_PAGES.has(made.kind)) this.view.areas.push(areaOf(made));
    return ["undo", "redo"].includes(made.kind) && this.foreseeAgain(made);
  }

  // The places of a decision about words go, or stay.
  foreseeWords({ kind, term, type, start, end, places: many }, gone) {
    const chosen = many || (start === undefined ? null : [[start, end]]);
    const starts = new Set(chosen?.map(([from]) => from));
    let isMarked = false;
    for (const row of this.view.terms) {
      const places = chosen ? row.places.filter(([from]) => starts.has(from)) : row.text === term ? row.places : [];
      if (!places.length) continue;
      isMarked = true;
      for (const place of places) this.places.set(String(place), { gone, turn: (this.turns += 1) });
      if (!chosen) row.decision = kind;
      row.gone = gone ? Math.min(row.places.length, row.gone + places.length) : Math.max(0, row.gone - places.length);
    }
    if (isMarked || !gone) return false;
    for (const [from, to] of chosen || this.everywhere(term)) this.view.edits.push([from, to, "", type || "REDACTED", BY_REVIEWER]);
    return true;
  }

  // Where a word stands that no finder marked.
  everywhere(term) { return this.review.paper.search?.(term).map(({ start, end }) => [start, end]) ?? []; }

  // A decision that is taken back, or made again. What a finder marked goes unless somebody keeps it.
  foreseeAgain({ kind, of }) {
    const made = this.review.log.find(of);
    if (!made) return false;
    if (kind === "redo") return this.foreseeOne(made);
    if (ABOUT_PAGES.has(made.kind)) this.view.areas = this.view.areas.filter((area) => String(area) !== String(areaOf(made)));
    if (!ABOUT_WORDS.has(made.kind)) return false;
    const isMarked = this.view.terms.some((row) => row.text === made.term && row.guarantee !== "decisions");
    return this.foreseeWords({ ...made, kind: "" }, made.kind === "keep" || isMarked);
  }

  // Whether a piece goes once the last decisions are checked; null if they do not touch it.
  isGone(piece) {
    let last = null;
    for (const { start, end } of this.places.size ? piece.spans : []) {
      const will = this.places.get(`${start},${end}`);
      if (will && (!last || will.turn > last.turn)) last = will;
    }
    return last && last.gone;
  }
}

// An area of a page, or a whole page, as the view lists it.
const areaOf = ({ page, box, code }) => [page, box || null, code || ""];
