// The slider: what goes at each strength, from a curve that the service computed once.

import { call } from "../api.js";
import { h } from "../dom.js";
import { merged, within } from "./spans.js";
import { BY_REVIEWER, change, counted, cutFrom, hideAmong } from "./words.js";

const STILL = 300; // milliseconds after the last key until a step is a decision: ten keys are one

export class Strength {
  constructor(review) {
    this.review = review;
    this.curve = null;
    this.open = []; // places that the slider moves, and what decisions took out at every step
    this.settled = [];
    this.timer = null; // runs until the slider has been still for a while
    this.level = null; // the step that the slider shows; null: what was decided
    this.slider = h("input", { type: "range", id: "strength", min: 0, max: 0, value: 0, step: 1, disabled: true, oninput: () => this.slide(), onchange: () => this.settleSoon(), onblur: () => this.settle() });
    this.words = h("output", { for: "strength" }, "Its steps are being computed…");
    this.element = h("label", { class: "slider", for: "strength" }, h("span", {}, "Strength"), this.slider, this.words);
  }

  async load() {
    try { this.curve = await call(`/v1/reviews/${this.review.id}/curve`); } catch { this.words.textContent = "Its steps could not be computed."; return; }
    if (!this.curve.levels.length) this.words.textContent = "Nothing was found that it could move.";
  }

  // What was decided, unless somebody is just moving the slider.
  show() {
    if (!this.curve?.levels.length) return;
    this.slider.disabled = false;
    this.slider.max = this.curve.levels.length - 1;
    if (this.level === null) this.slider.value = this.decidedStep;
    this.say();
  }

  get decidedStep() {
    const wanted = this.review.view?.strength ?? this.curve.policy;
    const at = this.curve.levels.findIndex((value) => value >= wanted);
    return at < 0 ? this.curve.levels.length - 1 : at;
  }

  // What the slider does, in words, and how many places the next step to each side changes that changes anything.
  say() {
    const at = Number(this.slider.value);
    const { kind, levels, policy } = this.curve;
    const says = kind === "k" ? hideAmong(levels[at], policy) : cutFrom(levels[at]);
    const goes = this.placesAt(at).length;
    const sides = [["left", -1], ["right", 1]].filter(([, by]) => levels[at + by] !== undefined);
    const near = sides.map(([side, by]) => `to the ${side}: ${this.nextChange(at, by)}`);
    this.words.textContent = [`${says} · ${counted(goes, "place")} ${goes === 1 ? "goes" : "go"}`, ...near].join("; ");
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
  }

  nextChange(at, by) {
    const { kind, levels } = this.curve;
    const here = this.placesAt(at);
    for (let next = at + by; levels[next] !== undefined; next += by) {
      if (!this.open.some(([, , mask]) => ((mask >> at) ^ (mask >> next)) & 1)) continue;
      const there = this.placesAt(next);
      if (String(there) === String(here)) continue; // only what stands inside others
      return `${change(there.length - here.length)} at ${kind === "k" ? levels[next] : `${Math.round(levels[next] * 100)} %`}`;
    }
    return "no change";
  }

  // What goes at a step of the slider, with what was decided by hand.
  placesAt(at) { return merged([...this.settled, ...this.open.filter(([, , mask]) => mask & (1 << at))]); }

  slide() {
    const began = performance.now();
    this.level = Number(this.slider.value);
    this.review.paper.repaint();
    this.review.list.repaint();
    this.say();
    this.slider.dataset.ms = (performance.now() - began).toFixed(1);
  }

  settleSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), STILL);
  }

  // The step where somebody left the slider is a decision.
  settle() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.review.decide({ kind: "strength", value: this.curve.levels[this.slider.value] });
  }

  // A check has ended: what it found is shown, unless the slider has moved on since.
  release() {
    const isMoving = this.timer || (document.activeElement === this.slider && Number(this.slider.value) !== this.decidedStep);
    if (!isMoving) this.level = null;
  }

  // For each term the levels at which each of its places goes.
  weigh(terms, edits) {
    for (const term of terms) term.masks = term.places.map(([start, end]) => this.maskOf(start, end));
    const isDecided = within(terms.filter((term) => term.decision).flatMap((term) => term.places));
    this.open = (this.curve?.places || []).filter(([start, end]) => !isDecided(start, end));
    this.settled = edits.filter(([start, end, , , why]) => why === BY_REVIEWER || isDecided(start, end));
    this.show();
  }

  maskOf(start, end) {
    const places = this.curve?.places || [];
    let low = 0, high = places.length, mask = 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle][1] <= start) low = middle + 1; else high = middle;
    }
    for (; low < places.length && places[low][0] < end; low += 1) mask |= places[low][2];
    return mask;
  }

  // How many places of a term go: as decided, or at the step that the slider shows.
  goes(term) {
    if (this.level === null || !term.masks || term.decision) return term.gone;
    return term.masks.filter((mask) => this.isOn(mask)).length;
  }

  isOn(mask) { return Boolean(mask & (1 << (this.level ?? Number(this.slider.value)))); }
}
