// The review: document in the middle, terms on one side, the attacker's view on the other.

import { Lost, call, download, may, person } from "./api.js";
import { attackerView, risk } from "./attacker.js";
import { ask, fill, h, say, tell } from "./dom.js";
import { Marking } from "./marking.js";
import { KEYS, keyList } from "./keys.js";
import { inWords } from "./kinds.js";
import { go } from "./places.js";
import { Paper } from "./paper.js";
import { Released } from "./released.js";
import { ORDERS, grouped } from "./terms.js";
import { Thumbnails } from "./thumbnails.js";
import { approvals, change, counted, cutFrom, describe, hideAmong, share } from "./words.js";

const REASONS = { absence: "looks like an identifier", "k-safety": "points to somebody protected", columns: "a protected value", "k-confusability": "tells the class", semantic: "tells a protected subject", identifiers: "a trained reader's find", decisions: "redacted by a reviewer" };
const ENDED = "Your session has ended";
const VIEW = "efface.view"; // whether office files are shown as pages or as text
const MANY = 12; // terms of a group that is closed at first
const ABOUT_WORDS = new Set(["keep", "redact", "replace"]);
const ABOUT_PAGES = new Set(["area", "page"]);
const STANDS_IN_THE_WAY = new Set([404, 409, 413, 422]);

export async function open(room, signal, id) {
  const { review: row, pages, drawable } = await call(`/v1/reviews/${id}/pages`);
  const reading = call(`/v1/reviews/${id}`);
  const key = `${VIEW}.${/\.(xlsx|ods)$/i.test(row.name) ? "sheets" : "prose"}`; // a printed sheet cuts its cells off: text first
  const wanted = localStorage.getItem(key) || (key.endsWith("sheets") ? "text" : "pages");
  const drawn = drawable && wanted === "pages" ? await call(`/v1/reviews/${id}/rendered`).catch(() => null) : null;
  const data = pages ? { review: row, pages, text: "", parts: [] } : { ...await reading, ...drawn }; // pictures do not wait for the text
  if (signal.aborted) return;
  const review = new Review(id, data, (events) => new Paper(id, data, events, reading));
  const turn = () => { localStorage.setItem(key, drawn ? "text" : "pages"); go(`review/${id}`); };
  review.elsewhere = { q: () => go(""), "]": () => nextDocument(id), ...(drawable ? { P: turn } : {}) };
  review.element.querySelector(".bar").append(drawable ? h("button", { onclick: turn, title: "P" }, drawn ? "As text" : "As pages") : "", h("button", { onclick: () => nextDocument(id), title: "]" }, "Next"));
  signal.addEventListener("abort", () => review.close());
  room.replaceChildren(review.element);
  if (pages) review.paper.read(await reading);
  await review.start();
}

// The next one in the order of the queue: what needs somebody most stands first there.
async function nextDocument(id) {
  try {
    const { reviews } = await call("/v1/reviews?limit=500");
    const open = reviews.filter((row) => row.state !== "exported");
    const next = open[open.findIndex((row) => row.id === id) + 1] || open.find((row) => row.id !== id);
    if (next) go(`review/${next.id}`); else say("There is no other document in the queue.");
  } catch (error) { say(error.message); }
}

// One document under review. `paper` makes what shows the document: the page's own, or Word.
export class Review {
  constructor(id, data, paper) {
    this.id = id;
    this.data = data;
    this.log = [];
    this.version = 0;
    this.view = null;
    this.curve = null;
    this.level = null;
    this.term = -1;
    this.place = -1;
    this.predictions = 0;
    this.predicted = new Map(); // places that a decision changes, until the service has checked it
    this.order = "risk";
    this.opened = new Set(); // groups of terms that somebody opened
    this.waiting = JSON.parse(sessionStorage.getItem(this.key) || "[]"); // decisions that have not reached the service
    document.title = `${data.review.name} · efface`;
    this.paper = paper({ pick: (piece) => this.pick(piece), menu: (piece, x, y) => { this.pick(piece); this.menu(x, y); }, turned: () => this.marking?.showAreas(this.view?.areas || []) });
    this.verdict = h("section", { class: "verdict checking", role: "status", "aria-label": "Verdict" }, h("p", {}, "The document is being read. A scan or a long file takes a while."));
    this.chip = h("span", { class: "state checking", "aria-hidden": "true" }, "reading");
    this.terms = h("ol", { class: "terms" });
    this.sorting = h("select", { "aria-label": "Sort the terms", onchange: () => { this.order = this.sorting.value; this.showTerms(); } }, Object.entries(ORDERS).map(([value, { name }]) => h("option", { value }, name)));
    this.hasAreas = Boolean(data.pages && !data.words); // a PDF's own pages; drawn ones are only looked at
    this.released = new Released(id, Boolean(data.words));
    this.drawing = this.hasAreas ? h("button", { "aria-pressed": "false", title: "z", onclick: () => this.marking.toggleDrawing() }, "Draw area") : null;
    this.leaving = h("button", { "aria-pressed": "false", title: "l", onclick: () => this.toggle() }, "As it will leave");
    this.filter = h("input", { type: "search", "aria-label": "Search in the document", placeholder: "Search in the document  ( / )", oninput: () => { this.found = null; }, onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); this.find(event.shiftKey ? -1 : 1); } if (event.key === "Escape") this.paper.element.focus(); } });
    this.slider = h("input", { type: "range", id: "strength", min: 0, max: 0, value: 0, step: 1, disabled: true, oninput: () => this.slide(), onchange: () => this.settle() });
    this.strength = h("output", { for: "strength" });
    this.legend = h("p", { class: "legend" });
    this.attacker = h("div", { class: "attacker" });
    this.history = h("ol", { class: "history" });
    this.saved = h("span", { class: "soft", role: "status" });
    this.exports = h("div", { class: "row exports" });
    this.thumbnails = data.pages ? new Thumbnails(this) : null;
    this.element = this.layout();
    this.paper.element.addEventListener("scroll", () => { if (this.released.isShown) this.released.scrollTo(scrolled(this.paper.element)); });
    this.marking = new Marking(this);
    this.elsewhere = {};
    this.onkey = (event) => this.keydown(event);
    this.onleave = (event) => { if (this.waiting.length) event.preventDefault(); };
    document.addEventListener("keydown", this.onkey);
    window.addEventListener("beforeunload", this.onleave);
  }

  layout() {
    return h("div", { class: "review" },
      h("div", { class: "bar" }, h("h1", {}, h("bdi", {}, this.data.review.name)), this.chip, h("span", { class: "soft" }, this.data.review.policy || "default policy"), this.saved, h("span", { class: "spacer" }),
        this.leaving, this.drawing || "", this.zoomBox() || "", h("button", { onclick: () => this.undo(), title: "u" }, "Undo"), h("button", { onclick: () => this.redo(), title: "y" }, "Redo"), h("button", { onclick: () => this.help(), "aria-label": "Keyboard shortcuts" }, "?")),
      h("aside", { class: "left", "aria-label": "Terms" }, this.strengthBox(), this.filter, h("div", { class: "row between heading" }, h("h2", {}, "Terms"), this.sorting, h("button", { class: "quiet", title: "h", onclick: () => this.decideByScore() }, "By score…")), this.terms),
      h("div", { class: "middle" }, this.legend, this.papers = h("div", { class: "papers" }, this.thumbnails?.element || "", this.paper.element)),
      h("aside", { class: "right", "aria-label": "The attacker's view" }, this.verdict, this.exports, this.attacker, h("h2", {}, "Decisions"), this.history));
  }

  strengthBox() { return h("label", { class: "slider", for: "strength" }, h("span", {}, "Strength"), this.slider, this.strength); }

  zoomBox() {
    if (!this.data.pages) return null;
    return h("span", { class: "zoom", role: "group", "aria-label": "Size of the pages" },
      h("button", { onclick: () => this.zoom(-1), "aria-label": "Smaller", title: "-" }, "−"), h("button", { onclick: () => this.zoom(0) }, "Fit"), h("button", { onclick: () => this.zoom(1), "aria-label": "Larger", title: "+" }, "+"), h("button", { onclick: () => this.turn(), "aria-label": "Turn the pages", title: "f" }, "⟳"));
  }

  zoom(step) {
    this.scale = step === 0 ? 1 : Math.min(4, Math.max(0.4, (this.scale || 1) * (step > 0 ? 1.25 : 0.8)));
    this.element.style.setProperty("--zoom", this.scale);
  }

  // A quarter turn of what is shown; the file is not changed.
  turn() {
    this.turned = ((this.turned || 0) + 1) % 4;
    this.element.style.setProperty("--turn", `${90 * this.turned}deg`);
    this.element.classList.toggle("sideways", this.turned % 2 === 1);
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
    this.released.scrollTo(share);
  }

  get key() { return `efface.waiting.${this.id}.${person.name}`; }

  async start() {
    this.sketch();
    await this.read();
    if (this.isClosed) return;
    this.timer = setInterval(() => this.poll(), 2500);
    call(`/v1/reviews/${this.id}/curve`).then((curve) => { this.curve = curve; this.showSlider(); this.sketch(); }).catch(() => {});
    await this.refresh();
    if (this.waiting.length) this.flush();
  }

  close() { this.isClosed = true; clearInterval(this.timer); document.removeEventListener("keydown", this.onkey); window.removeEventListener("beforeunload", this.onleave); this.paper.close(); this.marking.close(); this.thumbnails?.close(); this.popup?.remove(); }

  // --- what was decided ---------------------------------------------------------------------------------

  async read() {
    const found = await call(`/v1/reviews/${this.id}/decisions?after=${this.version}`);
    this.take(found);
    return found.entries;
  }

  take(found) {
    for (const entry of found.entries) if (!this.log.some((known) => known.seq === entry.seq)) this.log.push(entry);
    this.log.sort((a, b) => a.seq - b.seq);
    this.version = Math.max(this.version, found.version);
    this.showHistory();
  }

  async poll() {
    try {
      if (this.waiting.length) await this.flush();
      const others = (await this.read()).filter((entry) => entry.actor !== person.name);
      if (others.length) { say(`${others[0].actor} decided: ${describe(others[0])}`); await this.refresh(); }
      if (!this.waiting.length) this.offline("");
    } catch (error) { this.offline(trouble(error)); }
  }

  // What keeps decisions from being saved, and how many wait for it to end.
  offline(why) {
    const count = this.waiting.length;
    this.saved.textContent = [why, count ? `${count} not saved yet` : why ? "" : "All saved"].filter(Boolean).join(": ");
    if (why === ENDED && this.elsewhere.q) this.saved.append(" ", h("button", { onclick: () => go(`review/${this.id}`) }, "Sign in"));
    this.saved.classList.toggle("problem", Boolean(why) || count > 0);
  }

  async decide(...made) {
    this.waiting.push(...made.map((one) => ({ seen: this.version, made: one }))); // what its author had seen goes with it
    this.keep();
    this.predict(...made);
    this.offline("");
    await this.flush();
  }

  // What decisions change is painted at once. The verdict waits for the service, and so does whatever may leave.
  predict(...all) {
    const began = performance.now();
    this.check(true);
    if (!this.view) return;
    let hasNewMarks = false;
    for (const made of all) hasNewMarks = this.predictOne(made) || hasNewMarks;
    if (hasNewMarks) this.sketch(); else this.paper.repaint();
    this.repaintTerms();
    this.marking.showAreas(this.view.areas);
    this.element.dataset.ms = (performance.now() - began).toFixed(1);
  }

  // Whether the paper has no marks yet for what the decision is about.
  predictOne(made) {
    if (ABOUT_WORDS.has(made.kind)) return this.foresee(made, made.kind !== "keep");
    if (ABOUT_PAGES.has(made.kind)) this.view.areas.push(areaOf(made));
    return ["undo", "redo"].includes(made.kind) && this.predictAgain(made);
  }

  // The places of a decision about words go, or stay.
  foresee({ kind, term, start, end, places: many }, gone) {
    const chosen = many || (start === undefined ? null : [[start, end]]);
    const starts = new Set(chosen?.map(([from]) => from));
    let isMarked = false;
    for (const row of this.view.terms) {
      const places = chosen ? row.places.filter(([from]) => starts.has(from)) : row.text === term ? row.places : [];
      if (!places.length) continue;
      isMarked = true;
      for (const place of places) this.predicted.set(String(place), { gone, turn: (this.predictions += 1) });
      if (!chosen) row.decision = kind;
      row.gone = gone ? Math.min(row.places.length, row.gone + places.length) : Math.max(0, row.gone - places.length);
    }
    if (isMarked || !gone) return false;
    for (const [from, to] of chosen || this.everywhere(term)) this.view.edits.push([from, to, "", "REDACTED", "the reviewer redacted it"]);
    return true;
  }

  // Where a word stands that no finder marked.
  everywhere(term) { return this.paper.search?.(term).map(({ start, end }) => [start, end]) ?? []; }

  // A decision that is taken back, or made again. What a finder marked goes unless somebody keeps it.
  predictAgain({ kind, of }) {
    const made = this.log.find((entry) => entry.seq === of);
    if (!made) return false;
    if (kind === "redo") return this.predictOne(made);
    if (ABOUT_PAGES.has(made.kind)) this.view.areas = this.view.areas.filter((area) => String(area) !== String(areaOf(made)));
    if (!ABOUT_WORDS.has(made.kind)) return false;
    const isMarked = this.view.terms.some((row) => row.text === made.term && row.guarantee !== "decisions");
    return this.foresee({ ...made, kind: "" }, made.kind === "keep" || isMarked);
  }

  // While something is being checked nothing may be approved or downloaded.
  check(isChecking) {
    this.isChecking = isChecking;
    this.verdict.classList.toggle("checking", isChecking);
    if (isChecking) {
      this.chip.className = "state checking";
      this.chip.textContent = "checking";
      if (this.view) { this.verdict.className = "verdict checking"; fill(this.verdict, h("strong", {}, "checking"), h("p", {}, "What changed is being checked. Until then nothing leaves.")); }
    }
    for (const button of this.exports.querySelectorAll("button")) if (isChecking) { button.disabled = true; button.title = "being checked"; }
  }

  keep() { sessionStorage.setItem(this.key, JSON.stringify(this.waiting)); }

  // Send what waits. Only the service's own answer that a decision cannot stand takes it off the list: a session that
  // has ended, a busy service or a broken line does not. After one of those nobody knows whether the last attempt
  // arrived, so the log is read first, and what is there already is not sent again.
  async flush() {
    if (this.flushing || !this.waiting.length) return;
    this.flushing = true;
    let refused = "";
    try {
      if (this.unsure) { this.forget(await this.read()); this.unsure = false; }
      for (let most = 1000; this.waiting.length;) {
        const { seen } = this.waiting[0];
        const other = this.waiting.findIndex((one) => one.seen !== seen);
        const sent = this.waiting.slice(0, Math.min(most, other < 0 ? most : other));
        try {
          const found = await call(`/v1/reviews/${this.id}/decisions`, { json: { seen, decisions: sent.map((one) => one.made), text_digest: this.paper.data?.text_digest || "" } });
          this.take(found);
          if (found.entries[0].seq === seen + 1) for (const one of this.waiting) if (one.seen === seen) one.seen = found.version; // nobody else's came in between
        } catch (error) {
          if (!STANDS_IN_THE_WAY.has(error.status)) throw error;
          if (sent.length > 1) { most = 1; continue; } // one of them: the others are not its business
          refused = error.message;
          await this.read(); // what others decided is looked at first
        }
        this.waiting.splice(0, sent.length);
        this.keep();
      }
      this.offline("");
    } catch (error) {
      this.unsure = true;
      this.offline(trouble(error));
      return;
    } finally { this.flushing = false; }
    await this.refresh();
    if (refused) say(refused);
  }

  // Take off the list what the log has already: the answer to it was lost, not the decision.
  forget(entries) {
    for (const { seq, actor, at, ...made } of entries) if (actor === person.name && this.waiting.length && same(made, this.waiting[0].made)) this.waiting.shift();
    this.keep();
  }

  stacks() {
    const done = [], undone = [];
    for (const entry of this.log.filter((each) => each.actor === person.name && each.kind !== "approve")) {
      if (entry.kind === "undo") { const at = done.indexOf(entry.of); if (at >= 0) { done.splice(at, 1); undone.push(entry.of); } }
      else if (entry.kind === "redo") { const at = undone.indexOf(entry.of); if (at >= 0) { undone.splice(at, 1); done.push(entry.of); } }
      else { done.push(entry.seq); undone.length = 0; }
    }
    return { done, undone };
  }

  // Decisions on their way to the service are undone once they are there.
  async sent() { while (this.flushing && this.waiting.length) await new Promise((resolve) => { setTimeout(resolve, 30); }); }

  async undo() { await this.sent(); const of = this.stacks().done.at(-1); if (of) this.decide({ kind: "undo", of }); else say("There is nothing of yours to undo."); }
  async redo() { await this.sent(); const of = this.stacks().undone.at(-1); if (of) this.decide({ kind: "redo", of }); else say("There is nothing to redo."); }

  // --- what it means ------------------------------------------------------------------------------------

  async refresh() {
    if (this.asking) { this.again = true; return; }
    this.asking = true;
    this.check(true);
    try {
      let view;
      do { this.again = false; view = await call(`/v1/reviews/${this.id}/view`); } while (this.again);
      this.follow(view.terms);
      this.view = view;
      this.level = null;
      this.predicted.clear();
      this.check(false);
      this.sketch();
      this.showTerms();
      this.showAttacker();
      this.showSlider();
      this.marking.setCodes(this.view.codes);
      this.marking.showAreas(this.view.areas);
      this.thumbnails?.paint(this.view.edits, this.view.areas);
      this.thumbnails?.start();
      if (this.released.isShown) this.released.show(this.view.version);
      if (this.waiting.length) this.predict(...this.waiting.map(({ made }) => made)); // decided since this was asked for: not in it yet
    } catch (error) {
      if (error instanceof Lost || error.status === 401) this.offline(trouble(error));
      else this.verdict.replaceChildren(h("strong", {}, "failed"), h("p", {}, error.message));
    } finally { this.asking = false; }
  }

  // The current term and place stay the same words, wherever a check has moved them in the list.
  follow(terms) {
    const before = this.view?.terms[this.term];
    if (!before) return;
    const start = before.places[this.place]?.[0];
    this.term = terms.findIndex((term) => term.key === before.key);
    this.place = this.term < 0 ? -1 : Math.max(0, terms[this.term].places.findIndex(([from]) => from === start));
  }

  sketch() {
    const spans = [];
    for (const [at, term] of (this.view?.terms || []).entries()) for (const [start, end] of term.places) spans.push({ start, end, term: at, reason: term.guarantee });
    for (const [start, end, replacement, type, reason] of this.view?.edits || []) spans.push({ start, end, gone: true, replacement, type, why: reason });
    for (const [start, end, mask] of this.curve?.places || []) spans.push({ start, end, mask });
    this.paper.lay(spans, (piece) => this.look(piece));
    this.weigh();
    this.showLegend();
  }

  // For each term the levels at which each of its places goes.
  weigh() {
    const places = this.curve?.places || [];
    for (const term of this.view?.terms || []) {
      term.masks = term.places.map(([start, end]) => {
        let low = 0, high = places.length, mask = 0;
        while (low < high) { const middle = (low + high) >> 1; if (places[middle][1] <= start) low = middle + 1; else high = middle; }
        for (; low < places.length && places[low][0] < end; low += 1) mask |= places[low][2];
        return mask;
      });
    }
  }

  // How many places of a term go: as decided, or at the strength that the slider shows.
  goes(term) { return this.level === null || !term.masks || term.decision ? term.gone : term.masks.filter((mask) => mask & (1 << this.level)).length; }

  // How a piece looks now: a class for its reason and one for whether it goes.
  look(piece) {
    let reason = "", gone = false, mask = 0, current = false;
    for (const span of piece.spans) {
      if (span.reason) reason = span.reason;
      if (span.gone) gone = true;
      if (span.mask) mask |= span.mask;
      if (span.term === this.term && this.term >= 0 && span.start === this.view.terms[this.term].places[this.place]?.[0]) current = true;
    }
    if (this.level !== null && !piece.spans.some((span) => span.gone && span.type === "REDACTED")) gone = Boolean(mask & (1 << this.level));
    gone = this.foreseen(piece) ?? gone;
    return `${gone ? "gone" : "kept"} r-${reason || this.curve?.guarantee || "absence"}${current ? " current" : ""}`;
  }

  // Whether a piece goes once the last decisions are checked; null if they do not touch it.
  foreseen(piece) {
    let last = null;
    for (const { start, end } of this.predicted.size ? piece.spans : []) {
      const will = this.predicted.get(`${start},${end}`);
      if (will && (!last || will.turn > last.turn)) last = will;
    }
    return last && last.gone;
  }

  showLegend() {
    const seen = new Set((this.view?.terms || []).map((term) => term.guarantee));
    this.legend.replaceChildren(...[...seen].map((name) => h("span", {}, h("i", { class: `gone r-${name}` }, "ab"), ` ${REASONS[name] || name}`)), h("span", {}, h("i", { class: "kept" }, "ab"), " found, stays"), this.unplaced());
  }

  // What is marked and stands on no drawn page.
  unplaced() {
    const count = this.data.words ? (this.view?.terms || []).reduce((sum, term) => sum + term.places.filter(([start, end]) => !this.paper.whereIs(start, end)).length, 0) : 0;
    return count ? h("span", { class: "problem" }, `${count === 1 ? "1 marked place is" : `${count} marked places are`} on no page: look at the text (P)`) : "";
  }

  showTerms() {
    const terms = this.view.terms;
    this.closed ??= new Set(); // groups of many are closed until somebody opens them
    for (const { title, members } of grouped(terms, this.order)) if (title && members.length > MANY && !this.opened.has(title)) this.closed.add(title);
    this.rows = new Map();
    this.sequence = [];
    const shown = [];
    let room = this.more ? Infinity : 400;
    for (const { title, members } of grouped(terms, this.order)) {
      if (title) shown.push(this.group(title, members));
      const isClosed = title && this.closed?.has(title);
      for (const at of members) {
        this.sequence.push(at);
        if (isClosed || room <= 0) continue;
        room -= 1;
        const row = this.termRow(terms[at], at);
        this.rows.set(at, row);
        shown.push(row);
      }
    }
    this.terms.replaceChildren(...shown);
    if (room <= 0 && terms.length > this.rows.size) this.terms.append(h("li", {}, h("button", { onclick: () => { this.more = true; this.showTerms(); } }, `Show all ${terms.length} terms`)));
    if (!terms.length) this.terms.append(h("li", { class: "soft" }, "The finders marked nothing. Read the text: select what should go."));
  }

  termRow(term, at) {
    return h("li", { class: this.row(term, at) },
      h("button", { class: "term", "aria-current": at === this.term ? "true" : null, onclick: () => this.choose(at, 0), oncontextmenu: (event) => { event.preventDefault(); this.choose(at, 0); this.menu(event.clientX, event.clientY); } },
        h("bdi", { class: "name" }, term.text), h("span", { class: "soft" }, this.about(term)), risk(term.risk)),
      h("button", { class: "quiet", "aria-label": `Menu of ${term.text}`, onclick: (event) => { this.choose(at, 0); const box = event.currentTarget.getBoundingClientRect(); this.menu(box.left, box.bottom); } }, "⋯"));
  }

  // All terms of a type as one row that opens: 120 telephone numbers are one thing to decide.
  group(title, members) {
    const words = members.map((at) => this.view.terms[at]);
    const places = words.reduce((sum, term) => sum + term.places.length, 0);
    const all = (kind) => this.decide(...words.map((term) => ({ kind, term: term.text })));
    return h("li", { class: "group" },
      h("button", { class: "term", "aria-expanded": String(!this.closed.has(title)), onclick: () => { if (this.closed.delete(title)) this.opened.add(title); else { this.closed.add(title); this.opened.delete(title); } this.showTerms(); } }, h("span", { class: "name" }, title), h("span", { class: "soft" }, ` ${counted(members.length, "term")}, ${counted(places, "place")}`)),
      h("button", { class: "quiet", "aria-label": `Redact all: ${title}`, onclick: () => all("redact") }, "Redact"), h("button", { class: "quiet", "aria-label": `Keep all: ${title}`, onclick: () => all("keep") }, "Keep"));
  }

  // One decision for every term that is at least so sure, or that is less sure. What was decided stays.
  async decideByScore() {
    const open = (this.view?.terms || []).filter((term) => !term.decision);
    const ways = ["redact what is at least so sure", "keep what is less sure"];
    const answer = await ask("Decide by score", [{ name: "score", label: `How sure, in % (${counted(open.length, "term")} nobody decided about)`, required: true, value: "80" }, { name: "way", label: "What to do", options: ways }], "Decide");
    if (!answer) return;
    const least = Number(answer.score) / 100;
    if (!(least >= 0 && least <= 1)) { say("The score is a number from 0 to 100."); return; }
    const isKept = answer.way === ways[1];
    const chosen = open.filter((term) => (isKept ? term.risk < least : term.risk >= least));
    if (chosen.length) await this.decide(...chosen.map((term) => ({ kind: isKept ? "keep" : "redact", term: term.text })));
    say(`${counted(chosen.length, "term")} ${isKept ? "kept" : "redacted"}.`);
  }

  // The rows as they are, with new words and classes.
  repaintTerms() {
    for (const [at, row] of this.rows || []) {
      const term = this.view.terms[at];
      const name = this.row(term, at);
      if (row.className !== name) row.className = name;
      const about = row.querySelector(".soft"), words = this.about(term);
      if (about.textContent !== words) about.textContent = words;
    }
  }

  // The term that comes so many steps after the current one in the list.
  step(by) {
    const order = this.sequence || [];
    if (!order.length) return;
    const at = order.indexOf(this.term);
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length;
    this.choose(order[next], 0);
  }

  about(term) { return ` ${inWords(term.type)} · ${share(this.goes(term), term.places.length)}${term.decision ? ` · ${term.decision}` : ""}${term.code ? ` · ${term.code}` : ""}`; }

  row(term, at) { return `${this.goes(term) ? "goes" : "stays"}${at === this.term ? " current" : ""}`; }

  choose(at, place) {
    const terms = this.view?.terms || [];
    if (!terms.length) return;
    this.term = (at + terms.length) % terms.length;
    const places = terms[this.term].places;
    this.place = (place + places.length) % places.length;
    this.paper.repaint();
    this.paper.show(...places[this.place]);
    for (const [index, row] of this.rows || []) {
      row.className = this.row(terms[index], index);
      if (index === this.term) row.firstChild.setAttribute("aria-current", "true"); else row.firstChild.removeAttribute("aria-current");
    }
    this.rows?.get(this.term)?.scrollIntoView({ block: "nearest" });
    this.showWhy();
  }

  pick(piece) {
    const span = piece.spans.find((each) => each.term !== undefined);
    if (!span) return;
    const places = this.view.terms[span.term].places;
    this.choose(span.term, places.findIndex(([start]) => start === span.start));
  }

  showWhy() {
    const term = this.view.terms[this.term];
    if (!term || !this.why) return;
    fill(this.why, h("h2", {}, "Why ", h("bdi", {}, term.text)), h("ul", {}, term.why.map((sentence) => h("li", {}, sentence))),
      term.hard ? h("p", { class: "soft" }, "The policy needs it gone: keeping it breaks the guarantee.") : null);
  }

  showAttacker() {
    const view = this.view;
    this.verdict.className = `verdict ${view.verdict}`;
    this.chip.className = `state ${view.verdict}`;
    this.chip.textContent = view.verdict;
    this.verdict.replaceChildren(h("strong", {}, view.verdict), h("p", {}, view.problem || view.words), ...view.coverage.map((line) => h("p", { class: "soft" }, line)));
    this.why = h("section", { class: "why", "aria-label": "Why" });
    fill(this.attacker, this.why, attackerView(view));
    if (this.term >= 0) this.showWhy();
    this.showExports();
  }

  showExports() {
    const view = this.view;
    const held = view.verdict === "held" && !this.isChecking;
    const needs = this.data.review.four_eyes && view.approved.length < 2;
    const button = (what, name, free) => h("button", { class: what === "file" ? "primary" : "", disabled: !free, title: free ? null : needs && held ? "two reviewers must approve" : "the verdict is not held", onclick: () => this.send(what) }, name);
    this.exports.replaceChildren(button("file", "Download file", held && !needs), button("report.html", "Report", view.guarantees.length > 0), button("certificate", "Certificate", held && !needs), button("index.csv", "Index (CSV)", view.guarantees.length > 0), button("index.docx", "Index (Word)", view.guarantees.length > 0));
    if (this.data.review.four_eyes) this.exports.append(h("button", { onclick: () => this.decide({ kind: "approve" }) }, `Approve (${view.approved.length} of 2)`), h("p", { class: "soft" }, approvals(view)));
    if (may("admin") && view.guarantees.length && !(held && !needs)) this.exports.append(h("button", { onclick: () => this.override() }, "Override…"));
  }

  async send(what, override = "") {
    try { await download(`/v1/reviews/${this.id}/export`, { json: { what, override } }, what); } catch (error) { say(error.message); }
  }

  async override() {
    const answer = await ask("Release although the guarantee does not hold", [{ name: "reason", label: "Reason, for the audit trail (do not quote the document)", required: true, long: true }], "Release");
    if (answer?.reason.trim()) await this.send("file", answer.reason.trim());
  }

  showHistory() {
    const gone = new Set();
    for (const entry of this.log) { if (entry.kind === "undo") gone.add(entry.of); if (entry.kind === "redo") gone.delete(entry.of); }
    const rows = this.log.filter((entry) => !["undo", "redo"].includes(entry.kind)).slice(-100).reverse();
    this.history.replaceChildren(...rows.map((entry) => h("li", { class: gone.has(entry.seq) ? "undone" : "" }, h("strong", {}, h("bdi", {}, entry.actor)), ` ${describe(entry)}`)));
  }

  // --- the slider ---------------------------------------------------------------------------------------

  showSlider() {
    if (!this.curve?.levels.length) return;
    const wanted = this.view?.strength ?? this.curve.policy;
    const at = this.curve.levels.findIndex((value) => value >= wanted);
    this.slider.disabled = false;
    this.slider.max = this.curve.levels.length - 1;
    this.slider.value = at < 0 ? this.curve.levels.length - 1 : at;
    this.sayStrength();
  }

  // What the slider does, in words, and how many places change from what the policy asks for.
  sayStrength() {
    const at = Number(this.slider.value);
    const value = this.curve.levels[at];
    const says = this.curve.kind === "k" ? hideAmong(value, this.curve.policy) : cutFrom(value);
    const goes = this.goesAt(at);
    const steps = [["left", at - 1], ["right", at + 1]].filter(([, next]) => next >= 0 && next < this.curve.levels.length);
    const near = steps.map(([side, next]) => `a step ${side}: ${change(this.goesAt(next) - goes)}`);
    this.strength.textContent = [`${says} · ${goes === 1 ? "1 place goes" : `${goes} places go`}`, ...near].join("; ");
  }

  // How many places go at a step of the slider.
  goesAt(at) { return this.curve.places.filter(([, , mask]) => mask & (1 << at)).length; }

  slide() {
    const began = performance.now();
    this.level = Number(this.slider.value);
    this.paper.repaint();
    this.repaintTerms();
    this.sayStrength();
    this.slider.dataset.ms = (performance.now() - began).toFixed(1);
  }

  settle() { this.decide({ kind: "strength", value: this.curve.levels[this.slider.value] }); }

  // --- what one can do ----------------------------------------------------------------------------------

  actions() {
    const term = this.view?.terms[this.term];
    if (!term) return [];
    const [start, end] = term.places[this.place] || [];
    const text = term.text;
    return [
      ["r", "Redact all", () => this.decide({ kind: "redact", term: text })],
      ["e", "Keep all", () => this.decide({ kind: "keep", term: text })],
      ["o", "Redact this one only", () => this.decide({ kind: "redact", term: text, start, end })],
      ["i", "Keep this one only", () => term.hard ? say("The guarantee is about all of them or none: this one cannot be kept alone.") : this.decide({ kind: "keep", term: text, start, end })],
      ["g", "Generalise to…", () => this.generalise(text)],
      ["t", "Replace by…", () => this.substitute(text, [])],
      ["a", "Always redact (propose)", () => this.decide({ kind: "redact", term: text, propose: true })],
      ...(Object.keys(this.view.codes || {}).length ? [["c", "Exemption code…", () => this.giveCode(text)]] : []),
      ...(this.data.review.matter ? [["b", "The same in the other documents of the matter", () => this.inOtherDocuments(term)]] : []),
      ["v", "Never redact (propose)", () => this.decide({ kind: "keep", term: text, propose: true })],
    ];
  }

  async giveCode(text) {
    const options = Object.entries(this.view.codes).map(([code, meaning]) => [code, `${code}: ${meaning}`]);
    const answer = await ask(`Exemption code for ${text.slice(0, 60)}`, [{ name: "code", label: "Why it goes", options }], "Redact");
    if (answer) await this.decide({ kind: "redact", term: text, code: answer.code });
  }

  // What was decided about a term, or that it goes, for every other document of the matter.
  inOtherDocuments(term) {
    const made = { kind: term.decision === "keep" ? "keep" : "redact", term: term.text };
    if (term.code) made.code = term.code;
    return this.marking.inMatter(made);
  }

  async generalise(text) {
    const { words } = await call(`/v1/wider?term=${encodeURIComponent(text.slice(0, 200))}`).catch(() => ({ words: [] }));
    await this.substitute(text, words);
  }

  async substitute(text, chips) {
    const answer = await ask(chips.length ? "Generalise to" : "Replace by", [{ name: "text", label: "What stands in its place", required: true, value: chips[0], chips }], "Replace all");
    if (answer) await this.decide({ kind: "replace", term: text, text: answer.text });
  }

  selected() { return this.marking.mark("here"); }

  // The menu of the current term, or of other things to do: [key, name, act].
  menu(x, y, chosen = this.actions(), title = this.view?.terms[this.term]?.text || "") {
    this.popup?.remove();
    const before = document.activeElement;
    const close = () => { this.popup?.remove(); this.popup = null; before?.focus?.(); };
    const items = chosen.map(([key, name, act]) => h("button", { role: "menuitem", tabindex: "-1", onclick: () => { close(); act(); } }, name, key ? h("kbd", {}, key) : ""));
    if (!items.length) return;
    this.popup = h("div", { class: "menu", role: "menu", "aria-label": title ? `What to do with ${title}` : "What to do here", onkeydown: (event) => {
      const at = items.indexOf(document.activeElement);
      if (event.key === "ArrowDown") items[(at + 1) % items.length].focus();
      else if (event.key === "ArrowUp") items[(at + items.length - 1) % items.length].focus();
      else if (event.key === "Escape" || event.key === "Tab") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }, onfocusout: (event) => { if (this.popup && !this.popup.contains(event.relatedTarget)) setTimeout(() => this.popup && !this.popup.contains(document.activeElement) && close(), 0); } },
    title ? h("p", { class: "menu-title", "aria-hidden": "true" }, h("bdi", {}, title)) : "", items);
    document.body.append(this.popup);
    const box = this.popup.getBoundingClientRect();
    this.popup.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 8))}px`;
    this.popup.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 8))}px`;
    items[0].focus();
  }

  find(step) {
    this.found ??= { places: this.paper.search(this.filter.value), at: step > 0 ? -1 : 0 };
    const { places } = this.found;
    const left = this.released.isShown ? this.released.find(this.filter.value) : null;
    const also = left === null ? "" : ` · ${left} in what will leave`;
    if (!places.length) { say(`Not found.${also}`); return; }
    this.found.at = (this.found.at + step + places.length) % places.length;
    const { start, end } = places[this.found.at];
    say(`${this.found.at + 1} of ${places.length}${also}`);
    this.paper.show(start, end);
    this.paper.select(start, end)?.parentElement.scrollIntoView({ block: "center" });
  }

  help() {
    const known = KEYS.filter(([key]) => !"q]P".includes(key) || this.elsewhere[key]);
    tell("Keyboard shortcuts", h("div", { class: "two-columns" }, keyList(known)), this.elsewhere.q ? h("p", {}, h("a", { href: "/app/keys", target: "_blank" }, "A sheet to print")) : "");
  }

  keydown(event) {
    if (event.target.closest?.("input, select, textarea, dialog, [role=menu]") || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); return event.shiftKey ? this.redo() : this.undo(); }
    if (event.ctrlKey || event.metaKey) return;
    const box = () => { const mark = this.paper.element.querySelector(".current")?.getBoundingClientRect(); return mark ? [mark.left, mark.bottom] : [innerWidth / 3, innerHeight / 3]; };
    const moves = {
      j: () => this.choose(Math.max(this.term, 0), this.place + 1), k: () => this.choose(Math.max(this.term, 0), this.place - 1),
      n: () => this.step(1), p: () => this.step(-1), l: () => this.toggle(), "+": () => this.zoom(1), "-": () => this.zoom(-1), m: () => this.menu(...box()), x: () => this.selected(), X: () => this.marking.mark("everywhere"), z: () => this.marking.toggleDrawing(), f: () => this.turn(), Escape: () => { if (this.marking.isDrawing) this.marking.toggleDrawing(); }, u: () => this.undo(), y: () => this.redo(),
      h: () => this.decideByScore(), "/": () => this.filter.focus(), s: () => this.slider.focus(), w: () => { this.attacker.scrollIntoView(); }, d: () => this.exports.querySelector("button:not(:disabled)")?.focus(), "?": () => this.help(), ...this.elsewhere,
    };
    const act = moves[event.key] || this.actions().find(([key]) => key === event.key)?.[2];
    if (act) { event.preventDefault(); act(); }
  }
}

function trouble(error) {
  if (error instanceof Lost) return "No connection";
  return error.status === 401 ? ENDED : error.message;
}

const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).filter(([, value]) => value !== false).sort());

// How far down one has scrolled, from 0 to 1.
const scrolled = (element) => element.scrollTop / Math.max(1, element.scrollHeight - element.clientHeight);

// An area of a page, or a whole page, as the view lists it.
const areaOf = ({ page, box, code }) => [page, box || null, code || ""];
