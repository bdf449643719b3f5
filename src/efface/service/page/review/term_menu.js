// What one can do with the current term, and the menu that offers it.

import { call } from "../api.js";
import { ask, h, say } from "../dom.js";
import { isKnown } from "../kinds.js";

// The actions for the current term: [key, name, act].
export function termActions(review) {
  const term = review.view?.terms[review.term];
  if (!term) return [];
  const [start, end] = term.places[review.place] || [];
  const { text } = term;
  const decide = (made) => review.decide({ term: text, ...made });
  const keepOne = () => (term.hard ? say("The guarantee is about all of them or none: this one cannot be kept alone.") : decide({ kind: "keep", start, end }));
  const actions = [
    ["r", "Redact all", () => decide({ kind: "redact" })],
    ["e", "Keep all", () => decide({ kind: "keep" })],
    ["o", "Redact this one only", () => decide({ kind: "redact", start, end })],
    ["i", "Keep this one only", keepOne],
    ["g", "Generalise to…", () => generalise(review, text)],
    ["t", "Replace by…", () => substitute(review, text, [])],
    ["a", "Always redact (propose)", () => decide({ kind: "redact", propose: true })],
    ["v", "Never redact (propose)", () => decide({ kind: "keep", propose: true })],
  ];
  const mark = review.paper.element?.querySelector(".current");
  if (mark) actions.push(...review.marking.roomActions(mark));
  if (Object.keys(review.view.codes || {}).length) actions.push(["c", "Exemption code…", () => giveCode(review, term)]);
  if (review.data.review.matter) actions.push(["b", "The same in the other documents of the matter", () => inOtherDocuments(review, term)]);
  return actions;
}

// The mark stays what it is: the index of redactions tells its kind beside the code.
async function giveCode(review, { text, type }) {
  const options = Object.entries(review.view.codes).map(([code, meaning]) => [code, `${code}: ${meaning}`]);
  const answer = await ask(`Exemption code for ${text.slice(0, 60)}`, [{ name: "code", label: "Why it goes", options }], "Redact");
  if (answer) await review.decide({ kind: "redact", term: text, type: isKnown(type) ? type : "", code: answer.code });
}

// What was decided about a term, or that it goes, for every other document of the matter.
function inOtherDocuments(review, term) {
  const made = { kind: term.decision === "keep" ? "keep" : "redact", term: term.text };
  if (term.code) made.code = term.code;
  return review.marking.inMatter(made);
}

async function generalise(review, text) {
  const { words } = await call(`/v1/wider?term=${encodeURIComponent(text.slice(0, 200))}`).catch(() => ({ words: [] }));
  await substitute(review, text, words);
}

async function substitute(review, text, chips) {
  const answer = await ask(chips.length ? "Generalise to" : "Replace by", [{ name: "text", label: "What stands in its place", required: true, value: chips[0], chips }], "Replace all");
  if (answer) await review.decide({ kind: "replace", term: text, text: answer.text });
}

// A menu at a place of the window. It ends with a choice, with Escape, or when the focus leaves it.
export class Menu {
  constructor(actions, title) {
    this.before = document.activeElement;
    this.items = actions.map(([key, name, act]) => h("button", { role: "menuitem", tabindex: "-1", onclick: () => { this.close(); act(); } }, name, key ? h("kbd", {}, key) : ""));
    this.element = h("div", { class: "menu", role: "menu", "aria-label": title ? `What to do with ${title}` : "What to do here", onkeydown: (event) => this.keydown(event), onfocusout: (event) => this.left(event) },
      title ? h("p", { class: "menu-title", "aria-hidden": "true" }, h("bdi", {}, title)) : "", this.items);
  }

  open(x, y) {
    document.body.append(this.element);
    const box = this.element.getBoundingClientRect();
    this.element.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 8))}px`;
    this.element.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 8))}px`;
    this.items[0].focus();
  }

  close() {
    if (!this.element.isConnected) return;
    this.element.remove();
    this.before?.focus?.();
  }

  keydown(event) {
    const at = this.items.indexOf(document.activeElement), count = this.items.length;
    if (event.key === "ArrowDown") this.items[(at + 1) % count].focus();
    else if (event.key === "ArrowUp") this.items[(at + count - 1) % count].focus();
    else if (event.key === "Escape" || event.key === "Tab") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  left(event) {
    if (this.element.contains(event.relatedTarget)) return;
    setTimeout(() => { if (!this.element.contains(document.activeElement)) this.close(); }, 0);
  }
}
