// The list of terms: sorted, or in groups that open and are decided about as one.

import { ask, h, say } from "../dom.js";
import { inWords } from "../kinds.js";
import { risk } from "./attacker.js";
import { ORDERS, grouped, innerTerms } from "./terms.js";
import { counted, decided, share } from "./words.js";

const MANY = 12; // terms of a group that is closed at first
const LONG = 60; // terms from which a list is in groups, unless somebody chose another order
const CHOSEN = "efface.order";
const AT_FIRST = 400; // rows before "Show all"
const WAYS = ["redact what is at least so sure", "keep what is less sure"];

export class TermList {
  constructor(review) {
    this.review = review;
    this.order = localStorage.getItem(CHOSEN) || "";
    this.opened = new Set(); // groups that somebody opened
    this.closed = new Set(); // groups of many are closed until then
    this.rows = new Map(); // the index of a term to its row
    this.groups = []; // those that are closed, with their rows
    this.sequence = []; // indexes of the terms as they are listed
    this.stops = []; // where n and p stop: terms, and groups that are closed
    this.group = null; // the closed group that is chosen: it is decided about as one
    this.element = h("ol", { class: "terms" });
    this.sorting = h("select", { "aria-label": "Sort the terms", onchange: () => this.sort(this.sorting.value) }, Object.entries(ORDERS).map(([value, { name }]) => h("option", { value }, name)));
  }

  // The order that somebody chose is theirs in every document.
  sort(order) {
    this.order = order;
    localStorage.setItem(CHOSEN, order);
    this.show();
  }

  get terms() { return this.review.view?.terms || []; }

  show() {
    const inner = this.showsInner ? new Set() : innerTerms(this.terms);
    if (this.terms.length && !ORDERS[this.order]) this.order = this.terms.length - inner.size > LONG ? "type" : "risk"; // a decision does not turn the list over
    const order = ORDERS[this.order] ? this.order : "risk";
    this.sorting.value = order;
    const groups = grouped(this.terms, order, inner);
    for (const { title, members } of groups) if (title && members.length > MANY && !this.opened.has(title)) this.closed.add(title);
    this.rows.clear();
    this.groups = [];
    this.sequence = groups.flatMap(({ members }) => members);
    this.stops = [];
    const shown = [];
    let room = this.showsAll ? Infinity : AT_FIRST;
    for (const { title, members } of groups) {
      if (title) shown.push(this.groupRow(title, members));
      if (title && this.closed.has(title)) {
        this.groups.push({ title, members: new Set(members), row: shown.at(-1) });
        this.stops.push(this.groups.at(-1));
        continue;
      }
      this.stops.push(...members);
      for (const at of members.slice(0, room)) {
        this.rows.set(at, this.row(at));
        shown.push(this.rows.get(at));
      }
      room = Math.max(0, room - members.length);
    }
    this.element.replaceChildren(...shown);
    this.group = this.groups.find(({ title }) => title === this.group?.title) || null;
    this.group?.row.classList.add("current");
    const more = (flag, name) => this.element.append(h("li", {}, h("button", { class: "quiet", onclick: () => { this[flag] = true; this.show(); } }, name)));
    if (room === 0 && this.sequence.length > this.rows.size) more("showsAll", `Show all ${this.sequence.length} terms`);
    if (inner.size) more("showsInner", `Show ${counted(inner.size, "term")} inside others`);
    if (!this.terms.length && this.review.view) this.element.append(h("li", { class: "soft" }, "The finders marked nothing. Read the text: select what should go."));
  }

  row(at) {
    const term = this.terms[at];
    const menuAt = (x, y) => { this.review.choose(at, 0); this.review.menu(x, y); };
    const name = h("button", { class: "term", "aria-current": at === this.review.term ? "true" : null, onclick: () => this.review.choose(at, 0), oncontextmenu: (event) => { event.preventDefault(); menuAt(event.clientX, event.clientY); } },
      h("bdi", { class: "name" }, term.text), h("span", { class: "soft" }, this.about(term)), risk(term.risk));
    const more = h("button", { class: "quiet", "aria-label": `Menu of ${term.text}`, onclick: () => { const box = more.getBoundingClientRect(); menuAt(box.left, box.bottom); } }, "⋯");
    return h("li", { class: this.look(at) }, name, more);
  }

  // All terms of a type as one row that opens: 120 telephone numbers are one thing to decide.
  groupRow(title, members) {
    const words = members.map((at) => this.terms[at]);
    const places = words.reduce((sum, term) => sum + term.places.length, 0);
    const all = (kind) => this.decideAll(kind, members);
    const isOpen = !this.closed.has(title);
    return h("li", { class: "group" },
      h("button", { class: "term", "aria-expanded": String(isOpen), onclick: () => this.fold(title, isOpen) }, h("span", { class: "name" }, title), h("span", { class: "soft" }, ` ${counted(members.length, "term")}, ${counted(places, "place")}`)),
      h("button", { class: "quiet", "aria-label": `Redact all: ${title}`, onclick: () => all("redact") }, "Redact"), h("button", { class: "quiet", "aria-label": `Keep all: ${title}`, onclick: () => all("keep") }, "Keep"));
  }

  decideAll(kind, members) { return this.review.decide(...[...members].map((at) => ({ kind, term: this.terms[at].text }))); }

  // What the keys of decisions do while a closed group is chosen: [key, name, act].
  groupActions() {
    if (!this.group) return [];
    const { title, members } = this.group;
    return [["r", `Redact all: ${title}`, () => this.decideAll("redact", members)], ["e", `Keep all: ${title}`, () => this.decideAll("keep", members)], ["Enter", `Open: ${title}`, () => this.enter()]];
  }

  // Open the chosen group, at its first term.
  enter() {
    const [first] = this.group.members, { title } = this.group;
    this.group = null;
    this.fold(title, false);
    this.review.choose(first, 0);
  }

  fold(title, isOpen) {
    const [from, to] = isOpen ? [this.opened, this.closed] : [this.closed, this.opened];
    from.delete(title);
    to.add(title);
    this.show();
  }

  about(term) {
    const parts = [inWords(term.type), share(this.review.strength.goes(term), term.places.length), term.decision && decided(term.decision), term.code];
    return ` ${parts.filter(Boolean).join(" · ")}`;
  }

  look(at) { return `${this.review.strength.goes(this.terms[at]) ? "goes" : "stays"}${at === this.review.term ? " current" : ""}`; }

  // The rows as they are, with new words and classes.
  repaint() {
    for (const [at, row] of this.rows) {
      const name = this.look(at);
      if (row.className !== name) row.className = name;
      const about = row.querySelector(".soft"), words = this.about(this.terms[at]);
      if (about.textContent !== words) about.textContent = words;
    }
  }

  // The row of the current term, in sight.
  markCurrent() {
    this.group = null;
    for (const [at, row] of this.rows) {
      row.className = this.look(at);
      if (at === this.review.term) row.firstChild.setAttribute("aria-current", "true"); else row.firstChild.removeAttribute("aria-current");
    }
    const closed = this.groups.find(({ members }) => members.has(this.review.term))?.row;
    for (const { row } of this.groups) row.classList.toggle("current", row === closed);
    (this.rows.get(this.review.term) || closed)?.scrollIntoView({ block: "nearest" });
  }

  // The term, or the closed group, that comes so many steps after the current one in the list.
  step(by) {
    const count = this.stops.length;
    if (!count) return;
    const isHere = (stop) => (stop.members ? stop === this.group || (!this.group && stop.members.has(this.review.term)) : !this.group && stop === this.review.term);
    const at = this.stops.findIndex(isHere);
    const next = this.stops[at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count];
    if (!next.members) { this.review.choose(next, 0); return; }
    this.review.chooseNone();
    this.markCurrent();
    this.group = next;
    next.row.classList.add("current");
    next.row.scrollIntoView({ block: "nearest" });
    say(`${next.title}: ${counted(next.members.size, "term")}. Enter opens them, r and e decide about all of them.`);
  }

  // One decision for every term that is at least so sure, or that is less sure. What was decided stays.
  async decideByScore() {
    const open = this.sequence.map((at) => this.terms[at]).filter((term) => !term.decision);
    const answer = await ask("Decide by score", [{ name: "score", label: `How sure, in % (${counted(open.length, "term")} nobody decided about)`, required: true, value: "80" }, { name: "way", label: "What to do", options: WAYS }], "Decide");
    if (!answer) return;
    const least = Number(answer.score) / 100;
    if (!(least >= 0 && least <= 1)) { say("The score is a number from 0 to 100."); return; }
    const isKept = answer.way === WAYS[1];
    const chosen = open.filter((term) => (isKept ? term.risk < least : term.risk >= least));
    if (chosen.length) await this.review.decide(...chosen.map((term) => ({ kind: isKept ? "keep" : "redact", term: term.text })));
    say(`${counted(chosen.length, "term")} ${isKept ? "kept" : "redacted"}.`);
  }
}
