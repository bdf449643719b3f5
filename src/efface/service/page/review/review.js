// The review: document in the middle, terms on one side, the attacker's view on the other.

import { Lost, call, isPassing, patientCall } from "../api.js";
import { fill, h, say, tell } from "../dom.js";
import { KEYS, keyList } from "../keys.js";
import { waitingForMe } from "../next_document.js";
import { go } from "../places.js";
import { DecisionLog, trouble } from "./decision_log.js";
import { Foresight } from "./foresight.js";
import { Marking } from "./marking.js";
import { PageSize } from "./page_size.js";
import { Paper } from "./paper.js";
import { Progress } from "./progress.js";
import { Released } from "./released.js";
import { follow, followPages } from "./same_place.js";
import { Search } from "./search.js";
import { Strength } from "./strength.js";
import { TermList } from "./term_list.js";
import { Menu, termActions } from "./term_menu.js";
import { Thumbnails } from "./thumbnails.js";
import { Verdict } from "./verdict.js";
import { BY_REVIEWER } from "./words.js";

const VIEW = "efface.view"; // whether office files are shown as pages or as text
const PATIENCE = 15000; // milliseconds that somebody waits for drawn pages
const POLL = 2500; // milliseconds between two looks at what others decided

export async function open(room, signal, id) {
  const { review: row, pages: sizes, drawable } = await call(`/v1/reviews/${id}/pages`);
  const reading = patientCall(`/v1/reviews/${id}`, () => signal.aborted, () => say("The document is still being read. A scan or a long file takes a while."));
  const progress = new Progress(id);
  room.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, h("bdi", {}, row.name)), h("p", {}, "The document is being read."), progress.element));
  progress.start();
  signal.addEventListener("abort", () => progress.stop());
  reading.catch(() => {}).finally(() => progress.stop());
  const key = `${VIEW}.${sizes ? "pdf" : /\.(xlsx|ods)$/i.test(row.name) ? "sheets" : "prose"}`; // a printed sheet cuts its cells off: text first
  const wanted = localStorage.getItem(key) || (key.endsWith("sheets") ? "text" : "pages");
  const drawn = drawable && wanted === "pages" ? await soon(call(`/v1/reviews/${id}/rendered`).catch(() => null), reading) : null;
  const pages = wanted === "pages" ? sizes : null;
  const data = pages ? { review: row, pages, text: "", parts: [] } : { ...await reading, pages: null, ...drawn }; // pictures do not wait for the text
  if (signal.aborted) return;
  const review = new Review(id, data, (events) => new Paper(id, data, events, reading));
  const canTurn = drawable || sizes;
  const turn = () => { localStorage.setItem(key, data.pages ? "text" : "pages"); go(`review/${id}`); };
  review.elsewhere = { q: () => go(""), "]": () => nextDocument(id), ...(canTurn ? { P: turn } : {}) };
  review.element.querySelector(".bar .tools").append(canTurn ? h("button", { onclick: turn, title: "P" }, data.pages ? "As text" : "As pages") : "", h("button", { onclick: () => nextDocument(id), title: "]" }, "Next"));
  signal.addEventListener("abort", () => review.close());
  room.replaceChildren(review.element);
  review.progress.start();
  if (pages) review.paper.read(await reading);
  await review.start();
  if (!signal.aborted) prepareNext(id).catch(() => {}); // it only saves time
}

// The pages of an office file, unless they take long or the file cannot be read: then its text is shown, or what is wrong.
async function soon(pages, reading) {
  let isRead = true;
  const late = new Promise((done) => { setTimeout(() => done(null), PATIENCE); });
  const found = await Promise.race([pages, late, reading.then(() => pages, () => { isRead = false; return null; })]);
  if (!found && isRead) say("LibreOffice has not drawn the pages. This is the text; P tries them again.");
  return found;
}

// The next one in the order of the queue: what needs somebody most stands first there.
async function following(id) {
  const { reviews } = await call("/v1/reviews?limit=500");
  const here = reviews.findIndex((row) => row.id === id);
  return waitingForMe([...reviews.slice(here + 1), ...reviews.slice(0, Math.max(here, 0))])[0];
}

async function nextDocument(id) {
  try {
    const next = await following(id);
    if (next) go(`review/${next.id}`); else say("No other document waits for you.");
  } catch (error) { say(error.message); }
}

// While somebody reads this document the service makes the next one ready, so that nobody waits for it.
async function prepareNext(id) {
  const next = await following(id);
  if (next) await call(`/v1/reviews/${next.id}/preparation`, { method: "POST" });
}

// One document under review. `paper` makes what shows the document: the page's own, or Word.
export class Review {
  constructor(id, data, paper) {
    this.id = id;
    this.data = data;
    this.view = null; // what the service said last
    this.term = -1; // the current term, and which of its places
    this.place = -1;
    this.elsewhere = {}; // keys that lead away from this document
    document.title = `${data.review.name} · efface`;
    this.hasAreas = Boolean(data.pages && !data.words); // a PDF's own pages; drawn ones are only looked at
    this.makeParts(paper);
    this.element = this.layout();
    this.marking = new Marking(this);
    this.listen();
  }

  makeParts(paper) {
    const { data, id } = this;
    this.paper = paper({ pick: (piece) => this.pick(piece), menu: (piece, x, y) => { this.pick(piece); this.menu(x, y); }, turned: () => this.marking?.showAreas(this.view?.areas || []) });
    this.log = new DecisionLog(this);
    this.foresight = new Foresight(this);
    this.strength = new Strength(this);
    this.list = new TermList(this);
    this.progress = new Progress(id);
    this.verdict = new Verdict(this);
    this.search = new Search(this);
    this.pageSize = new PageSize(this);
    this.released = new Released(id, Boolean(data.words));
    this.thumbnails = data.pages ? new Thumbnails(this) : null;
    this.legend = h("p", { class: "legend" });
    this.drawing = this.hasAreas ? h("button", { "aria-pressed": "false", title: "z", onclick: () => this.marking.toggleDrawing() }, "Draw area") : null;
    this.leaving = h("button", { "aria-pressed": "false", title: "l", onclick: () => this.toggle() }, "As it will leave");
  }

  listen() {
    this.onkey = (event) => this.keydown(event);
    this.onleave = (event) => { this.strength.settle(); if (this.log.waiting.length) event.preventDefault(); };
    document.addEventListener("keydown", this.onkey);
    window.addEventListener("beforeunload", this.onleave);
    this.paper.element.addEventListener("scroll", () => { if (this.released.isShown) this.align(); });
  }

  layout() {
    const { data, log, list } = this;
    const tools = h("div", { class: "tools" }, this.leaving, this.drawing || "", data.pages ? this.pageSize.element : "", h("button", { onclick: () => this.undo(), title: "u" }, "Undo"), h("button", { onclick: () => this.redo(), title: "y" }, "Redo"), h("button", { onclick: () => this.help(), "aria-label": "Keyboard shortcuts" }, "?"));
    const heading = h("div", { class: "row between heading" }, h("h2", {}, "Terms"), list.sorting, h("button", { class: "quiet", title: "h", onclick: () => list.decideByScore() }, "By score…"));
    this.papers = h("div", { class: "papers" }, this.thumbnails?.element || "", this.paper.element);
    return h("div", { class: "review" },
      h("div", { class: "bar" }, h("h1", { title: data.review.name }, h("bdi", {}, data.review.name)), this.verdict.chip, h("span", { class: "soft" }, data.review.policy || "default policy"), log.saved, tools),
      h("aside", { class: "left", "aria-label": "Terms" }, this.strength.element, this.search.element, heading, list.element),
      h("div", { class: "middle" }, this.legend, this.papers),
      h("aside", { class: "right", "aria-label": "The attacker's view" }, this.verdict.element, this.progress.element, this.verdict.exports, this.verdict.attacker, h("h2", {}, "Decisions"), log.history));
  }

  // The exact file that would leave, instead of the marked original; on a wide screen beside it.
  async toggle() {
    const open = this.leaving.getAttribute("aria-pressed") !== "true";
    this.leaving.setAttribute("aria-pressed", String(open));
    const share = scrolled(this.paper.element);
    this.element.classList.toggle("leaving", open);
    if (!open) { this.released.hide(); return; }
    this.papers.append(this.released.element);
    await this.released.show(this.view?.version ?? 0);
    this.align(share);
  }

  // What will leave stands at the same place as the original; beside an original out of sight, or drawn pages of another number, at the same share of the way.
  align(share = scrolled(this.paper.element)) {
    const { paper, released } = this, { copy } = released;
    const isBeside = paper.element.clientHeight > 0;
    if (isBeside && this.data.pages && followPages(paper.element, released.element, this.view?.areas || [])) return;
    const again = () => follow(paper, paper.element, copy, released.element, this.view?.edits || []);
    if (isBeside && copy && !this.data.pages && again()) requestAnimationFrame(again); // lines have their true heights once they are in sight
    else released.scrollTo(share);
  }

  async start() {
    this.sketch();
    fill(this.list.element, h("li", { class: "soft" }, "Being looked for…"));
    await this.log.read();
    if (this.isClosed) return;
    this.log.showSaved("");
    this.timer = setInterval(() => this.log.poll(), POLL);
    this.strength.load().then(() => this.sketch()).catch(() => {});
    await this.refresh();
    if (this.log.waiting.length) this.log.flush();
  }

  close() {
    this.strength.settle();
    this.isClosed = true;
    this.progress.stop();
    clearInterval(this.timer);
    document.removeEventListener("keydown", this.onkey);
    this.log.sendTheRest().then(() => window.removeEventListener("beforeunload", this.onleave));
    for (const part of [this.paper, this.marking, this.thumbnails, this.popup]) part?.close();
  }

  // --- decisions, and what they mean --------------------------------------------------------------------

  decide(...made) { return this.log.add(...made); }
  undo() { return this.log.undo(); }
  redo() { return this.log.redo(); }

  // What decisions change is painted at once. The verdict waits for the service, and so does whatever may leave.
  predict(...decisions) {
    const began = performance.now();
    this.verdict.check(true);
    if (!this.view) return;
    if (this.foresight.foresee(decisions)) this.sketch(); else this.paper.repaint();
    this.list.repaint();
    this.marking.showAreas(this.view.areas);
    this.element.dataset.ms = (performance.now() - began).toFixed(1);
  }

  async refresh() {
    if (this.isClosed) return;
    if (this.asking) { this.again = true; return; }
    this.asking = true;
    this.progress.start();
    this.verdict.check(true);
    try {
      let view;
      do { this.again = false; view = await patientCall(`/v1/reviews/${this.id}/view`, () => this.isClosed); } while (this.again);
      this.isStale = false;
      this.take(view);
    } catch (error) {
      this.isStale = this.again || isPassing(error); // then the next poll asks again
      if (error instanceof Lost || error.status === 401) this.log.showSaved(trouble(error));
      else this.verdict.fail(error.message);
    } finally { this.asking = false; this.progress.stop(); }
  }

  // What the service found: everything is drawn from it anew.
  take(view) {
    this.follow(view.terms);
    this.view = view;
    this.strength.release();
    this.foresight.clear();
    this.verdict.check(false);
    this.sketch();
    this.list.show();
    this.verdict.showWhy(view.terms[this.term]);
    this.verdict.show(view);
    this.marking.setCodes(view.codes);
    this.marking.showAreas(view.areas);
    this.thumbnails?.paint(view.edits, view.areas);
    this.thumbnails?.start();
    if (this.released.isShown) this.released.show(view.version);
    if (this.log.waiting.length) this.predict(...this.log.unsent); // decided since this was asked for: not in it yet
  }

  // What may leave, and in which form. Word's pane has its own.
  showExports() { this.verdict.showExports(); }

  // --- marks --------------------------------------------------------------------------------------------

  sketch() {
    const { terms = [], edits = [] } = this.view || {};
    const spans = [];
    for (const [at, term] of terms.entries()) for (const [start, end] of term.places) spans.push({ start, end, term: at, reason: term.guarantee });
    for (const [start, end, replacement, type, reason] of edits) spans.push({ start, end, gone: true, replacement, type, why: reason });
    for (const [start, end, mask] of this.strength.curve?.places || []) spans.push({ start, end, mask });
    this.paper.lay(spans, (piece) => this.look(piece));
    this.strength.weigh(terms, edits);
    this.showLegend();
  }

  // How a piece looks now: a class for its reason and one for whether it goes.
  look(piece) {
    let reason = "", gone = false, mask = 0, current = false, longest = null;
    for (const span of piece.spans) {
      if (span.term !== undefined && !(longest && longest.end - longest.start >= span.end - span.start)) longest = span;
      if (span.reason) reason = span.reason;
      if (span.gone) gone = true;
      if (span.mask) mask |= span.mask;
      if (span.term === this.term && this.term >= 0 && span.start === this.view.terms[this.term].places[this.place]?.[0]) current = true;
    }
    const isDecided = (longest && this.view.terms[longest.term].decision) || piece.spans.some((span) => span.gone && span.why === BY_REVIEWER);
    if ((this.strength.level !== null || !this.view) && !isDecided) gone = this.strength.isOn(mask);
    gone = this.foresight.isGone(piece) ?? gone;
    return `${gone ? "gone" : "kept"} r-${reason || this.strength.curve?.guarantee || "absence"}${current ? " current" : ""}`;
  }

  showLegend() {
    const seen = new Set((this.view?.terms || []).map((term) => term.guarantee));
    this.legend.replaceChildren(...[...seen].map((name) => h("span", {}, h("i", { class: `gone r-${name}` }, "ab"), ` ${this.view.legend?.[name] || name}`)), h("span", {}, h("i", { class: "kept" }, "ab"), " found, stays"), this.unplaced());
  }

  // What is marked and stands on no page: in the fields, notes, attachments and properties of a file.
  unplaced() {
    if (!this.data.pages) return "";
    const places = (this.view?.terms || []).flatMap((term) => term.places);
    const count = places.filter(([start, end]) => !this.paper.whereIs(start, end)).length;
    return count ? h("span", { class: "problem" }, `${count === 1 ? "1 marked place is" : `${count} marked places are`} on no page: look at the text (P)`) : "";
  }

  // --- the current term ---------------------------------------------------------------------------------

  // The current term and place stay the same words, wherever a check has moved them in the list.
  follow(terms) {
    const before = this.view?.terms[this.term];
    if (!before) return;
    const start = before.places[this.place]?.[0];
    this.term = terms.findIndex((term) => term.key === before.key);
    this.place = this.term < 0 ? -1 : Math.max(0, terms[this.term].places.findIndex(([from]) => from === start));
  }

  choose(at, place) {
    const terms = this.view?.terms || [];
    if (!terms.length) return;
    this.term = (at + terms.length) % terms.length;
    const { places } = terms[this.term];
    this.place = (place + places.length) % places.length;
    this.paper.repaint();
    this.paper.show(...places[this.place]);
    this.list.markCurrent();
    this.verdict.showWhy(terms[this.term]);
  }

  // No term is chosen: a group of them is.
  chooseNone() {
    this.term = this.place = -1;
    this.paper.repaint();
    this.verdict.showWhy(null);
  }

  // The next place of the current term, or the one before.
  chooseNear(by) { this.choose(Math.max(this.term, 0), this.place + by); }

  pick(piece) {
    const length = ({ start, end }) => end - start;
    const [span] = piece.spans.filter((each) => each.term !== undefined).sort((a, b) => length(b) - length(a)); // the whole of it
    if (!span) return;
    const { places } = this.view.terms[span.term];
    this.choose(span.term, places.findIndex(([start]) => start === span.start));
  }

  // The menu of the current term, or of other things to do: [key, name, act].
  menu(x, y, actions = termActions(this), title = this.view?.terms[this.term]?.text || "") {
    this.popup?.close();
    if (!actions.length) return;
    this.popup = new Menu(actions, title);
    this.popup.open(x, y);
  }

  menuAtTerm() {
    const mark = this.paper.element.querySelector(".current")?.getBoundingClientRect();
    if (mark?.width) this.menu(mark.left, mark.bottom); else this.menu(innerWidth / 3, innerHeight / 3);
  }

  // --- keys ---------------------------------------------------------------------------------------------

  selected() { return this.marking.mark("here"); }

  help() {
    const known = KEYS.filter(([key]) => !"q]P".includes(key) || this.elsewhere[key]);
    tell("Keyboard shortcuts", h("div", { class: "two-columns" }, keyList(known)), this.elsewhere.q ? h("p", {}, h("a", { href: "/app/keys", target: "_blank" }, "A sheet to print")) : "");
  }

  commands() {
    return {
      j: () => this.chooseNear(1), k: () => this.chooseNear(-1), n: () => this.list.step(1), p: () => this.list.step(-1),
      m: () => this.menuAtTerm(), M: () => this.marking.menuHere(), h: () => this.list.decideByScore(), u: () => this.undo(), y: () => this.redo(),
      x: () => this.selected(), X: () => this.marking.mark("everywhere"), z: () => this.marking.toggleDrawing(), Escape: () => this.marking.stopDrawing(),
      l: () => this.toggle(), f: () => this.pageSize.turn(), "+": () => this.pageSize.zoom(1), "-": () => this.pageSize.zoom(-1),
      "/": () => this.search.focus(), s: () => this.strength.slider.focus(), w: () => this.verdict.attacker.focus(), d: () => this.verdict.exports.querySelector("button:not(:disabled)")?.focus(),
      "?": () => this.help(), ...this.elsewhere,
    };
  }

  keydown(event) {
    if (event.target.closest?.("input, select, textarea, dialog, [role=menu]") || event.altKey) return;
    const isControl = event.ctrlKey || event.metaKey;
    let act = null;
    if (!isControl) act = this.commands()[event.key] || [...this.list.groupActions(), ...termActions(this)].find(([key]) => key === event.key)?.[2];
    else if (event.key.toLowerCase() === "z") act = () => (event.shiftKey ? this.redo() : this.undo());
    if (act) { event.preventDefault(); act(); }
  }
}

// How far down one has scrolled, from 0 to 1.
const scrolled = (element) => element.scrollTop / Math.max(1, element.scrollHeight - element.clientHeight);
