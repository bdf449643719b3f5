// The slider: what goes at each strength, from a curve that the service computed once.

import { call } from "../api.js";
import { h } from "../dom.js";
import { change, counted, cutFrom, hideAmong } from "./words.js";

export class Strength {
  constructor(review) {
    this.review = review;
    this.curve = null;
    this.level = null; // the step that the slider shows; null: what was decided
    this.slider = h("input", { type: "range", id: "strength", min: 0, max: 0, value: 0, step: 1, disabled: true, oninput: () => this.slide(), onchange: () => this.settle() });
    this.words = h("output", { for: "strength" });
    this.element = h("label", { class: "slider", for: "strength" }, h("span", {}, "Strength"), this.slider, this.words);
  }

  async load() {
    this.curve = await call(`/v1/reviews/${this.review.id}/curve`);
    this.show();
  }

  show() {
    if (!this.curve?.levels.length) return;
    const wanted = this.review.view?.strength ?? this.curve.policy;
    const last = this.curve.levels.length - 1;
    const at = this.curve.levels.findIndex((value) => value >= wanted);
    this.slider.disabled = false;
    this.slider.max = last;
    this.slider.value = at < 0 ? last : at;
    this.say();
  }

  // What the slider does, in words, and how many places each next step changes.
  say() {
    const at = Number(this.slider.value);
    const value = this.curve.levels[at];
    const says = this.curve.kind === "k" ? hideAmong(value, this.curve.policy) : cutFrom(value);
    const goes = this.placesAt(at);
    const steps = [["left", at - 1], ["right", at + 1]].filter(([, next]) => next >= 0 && next < this.curve.levels.length);
    const near = steps.map(([side, next]) => `a step ${side}: ${change(this.placesAt(next) - goes)}`);
    this.words.textContent = [`${says} · ${counted(goes, "place")} ${goes === 1 ? "goes" : "go"}`, ...near].join("; ");
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
  }

  // How many places go at a step of the slider.
  placesAt(at) { return this.curve.places.filter(([, , mask]) => mask & (1 << at)).length; }

  slide() {
    const began = performance.now();
    this.level = Number(this.slider.value);
    this.review.paper.repaint();
    this.review.list.repaint();
    this.say();
    this.slider.dataset.ms = (performance.now() - began).toFixed(1);
  }

  settle() { this.review.decide({ kind: "strength", value: this.curve.levels[this.slider.value] }); }

  // For each term the levels at which each of its places goes.
  weigh(terms) {
    for (const term of terms) term.masks = term.places.map(([start, end]) => this.maskOf(start, end));
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
