// How far the service is with a document, in words and a number, while somebody waits for it.

import { call } from "../api.js";
import { h } from "../dom.js";

const EVERY = 1000; // milliseconds between two questions; what is ready sooner asks none
const STEPS = { reading: "reading the document", finding: "looking for what the policy names", checking: "checking what would be left", writing: "writing the file", "reading again": "reading the file that would leave", attacking: "searching it for what was taken out" };
const IN_PAGES = new Set(["reading", "reading again"]);

// A step, its number among all, and how much of it is done. A page that is being read is the one behind those that are done.
export function inWords({ stage, step, steps, done, of }) {
  const share = !of ? "" : IN_PAGES.has(stage) ? `, page ${Math.min(done + 1, of)} of ${of}` : `, ${Math.floor((100 * done) / of)} %`;
  return `Step ${step} of ${steps}: ${STEPS[stage] || stage}${share}`;
}

export class Progress {
  constructor(id) {
    this.id = id;
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "How far the check is" });
    this.words = h("span", { class: "soft" });
    this.element = h("div", { class: "progress", hidden: true }, this.bar, this.words);
  }

  start() {
    if (this.timer) return;
    this.began = performance.now();
    this.timer = setInterval(() => this.ask(), EVERY);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.element.hidden = true;
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    try {
      const { progress } = await call(`/v1/reviews/${this.id}/progress`);
      if (this.timer) this.show(progress);
    } catch { /* whoever waits for the document hears of it */ } finally { this.asking = false; }
  }

  // Work that has no step yet waits for its turn behind other documents.
  show(progress) {
    const seconds = Math.round((performance.now() - this.began) / 1000);
    this.words.textContent = `${progress ? inWords(progress) : "Waiting for its turn"} · ${seconds} s`;
    if (progress) this.bar.value = (progress.step - 1 + (progress.of ? progress.done / progress.of : 0)) / progress.steps;
    else this.bar.removeAttribute("value");
    this.element.hidden = false;
  }
}
