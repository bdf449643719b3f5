// The review: document in the middle, terms on one side, the attacker's view on the other.

import { Lost, call, download, may, person } from "./api.js";
import { attackerView, risk } from "./attacker.js";
import { ask, fill, h, say, tell } from "./dom.js";
import { go } from "./places.js";
import { Paper } from "./paper.js";

const REASONS = { absence: "looks like an identifier", "k-safety": "points to somebody protected", columns: "a protected value", "k-confusability": "tells the class", semantic: "tells a protected subject", identifiers: "a trained reader's find", decisions: "redacted by a reviewer" };
const ENDED = "Your session has ended";
const STANDS_IN_THE_WAY = new Set([404, 409, 413, 422]);
const KEYS = [
  ["j / k", "next and previous occurrence"], ["n / p", "next and previous term"], ["r", "redact it everywhere"], ["e", "keep it everywhere"],
  ["o", "redact this one only"], ["i", "keep this one only"], ["g", "generalise to…"], ["t", "replace by…"], ["a", "always (proposed to the policy)"],
  ["v", "never (proposed to the policy)"], ["m", "menu of the term"], ["x", "redact the selected text"], ["u", "undo"], ["y", "redo"],
  ["/", "search in the document"], ["s", "the slider"], ["w", "why: the attacker's view"], ["d", "download what may leave"], ["q", "the queue"], ["]", "the next document that needs somebody"], ["?", "this list"],
];

export async function open(main, id) {
  const { review: row, pages } = await call(`/v1/reviews/${id}/pages`);
  const reading = call(`/v1/reviews/${id}`);
  const data = pages ? { review: row, pages, text: "", parts: [] } : await reading; // pictures do not wait for the text
  const review = new Review(id, data, (events) => new Paper(id, data, events, reading));
  review.elsewhere = { q: () => go(""), "]": () => nextDocument(id) };
  review.element.querySelector(".bar").append(h("button", { onclick: () => nextDocument(id), title: "]" }, "Next"));
  main.replaceChildren(review.element);
  if (pages) review.paper.read(await reading);
  await review.start();
  return () => review.close();
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
    this.waiting = JSON.parse(sessionStorage.getItem(this.key) || "[]"); // decisions that have not reached the service
    document.title = `${data.review.name} · efface`;
    this.paper = paper({ pick: (piece) => this.pick(piece), menu: (piece, x, y) => { this.pick(piece); this.menu(x, y); } });
    this.verdict = h("section", { class: "verdict", role: "status", "aria-label": "Verdict" });
    this.chip = h("span", { class: "state", "aria-hidden": "true" });
    this.terms = h("ol", { class: "terms" });
    this.filter = h("input", { type: "search", "aria-label": "Search in the document", placeholder: "Search in the document  ( / )", oninput: () => { this.found = null; }, onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); this.find(event.shiftKey ? -1 : 1); } if (event.key === "Escape") this.paper.element.focus(); } });
    this.slider = h("input", { type: "range", id: "strength", min: 0, max: 0, value: 0, step: 1, disabled: true, oninput: () => this.slide(), onchange: () => this.settle() });
    this.strength = h("output", { for: "strength" });
    this.legend = h("p", { class: "legend" });
    this.attacker = h("div", { class: "attacker" });
    this.history = h("ol", { class: "history" });
    this.saved = h("span", { class: "soft", role: "status" });
    this.exports = h("div", { class: "row exports" });
    this.element = this.layout();
    this.elsewhere = {};
    this.onkey = (event) => this.keydown(event);
    this.onleave = (event) => { if (this.waiting.length) event.preventDefault(); };
    document.addEventListener("keydown", this.onkey);
    window.addEventListener("beforeunload", this.onleave);
  }

  layout() {
    return h("div", { class: "review" },
      h("div", { class: "bar" }, h("h1", {}, h("bdi", {}, this.data.review.name)), this.chip, h("span", { class: "soft" }, this.data.review.policy || "default policy"), this.saved,
        h("button", { onclick: () => this.undo(), title: "u" }, "Undo"), h("button", { onclick: () => this.redo(), title: "y" }, "Redo"), h("button", { onclick: () => this.help(), "aria-label": "Keyboard shortcuts" }, "?")),
      h("aside", { class: "left", "aria-label": "Terms" }, this.strengthBox(), this.filter, h("h2", {}, "Terms by risk"), this.terms),
      h("div", { class: "middle" }, this.legend, this.paper.element),
      h("aside", { class: "right", "aria-label": "The attacker's view" }, this.verdict, this.exports, this.attacker, h("h2", {}, "Decisions"), this.history));
  }

  strengthBox() { return h("label", { class: "slider", for: "strength" }, h("span", {}, "Strength"), this.slider, this.strength); }

  get key() { return `efface.waiting.${this.id}.${person.name}`; }

  async start() {
    this.sketch();
    await this.read();
    this.timer = setInterval(() => this.poll(), 2500);
    call(`/v1/reviews/${this.id}/curve`).then((curve) => { this.curve = curve; this.showSlider(); this.sketch(); }).catch(() => {});
    await this.refresh();
    if (this.waiting.length) this.flush();
  }

  close() { clearInterval(this.timer); document.removeEventListener("keydown", this.onkey); window.removeEventListener("beforeunload", this.onleave); this.paper.close(); this.popup?.remove(); }

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
    this.offline("");
    await this.flush();
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
          const found = await call(`/v1/reviews/${this.id}/decisions`, { json: { seen, decisions: sent.map((one) => one.made) } });
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

  undo() { const of = this.stacks().done.at(-1); if (of) this.decide({ kind: "undo", of }); else say("There is nothing of yours to undo."); }
  redo() { const of = this.stacks().undone.at(-1); if (of) this.decide({ kind: "redo", of }); else say("There is nothing to redo."); }

  // --- what it means ------------------------------------------------------------------------------------

  async refresh() {
    if (this.asking) { this.again = true; return; }
    this.asking = true;
    this.verdict.classList.add("checking");
    try {
      do { this.again = false; this.view = await call(`/v1/reviews/${this.id}/view`); } while (this.again);
      this.level = null;
      this.sketch();
      this.showTerms();
      this.showAttacker();
      this.showSlider();
    } catch (error) {
      if (error instanceof Lost || error.status === 401) this.offline(trouble(error));
      else this.verdict.replaceChildren(h("strong", {}, "failed"), h("p", {}, error.message));
    } finally { this.asking = false; this.verdict.classList.remove("checking"); }
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
    return `${gone ? "gone" : "kept"} r-${reason || this.curve?.guarantee || "absence"}${current ? " current" : ""}`;
  }

  showLegend() {
    const seen = new Set((this.view?.terms || []).map((term) => term.guarantee));
    this.legend.replaceChildren(...[...seen].map((name) => h("span", {}, h("i", { class: `gone r-${name}` }, "ab"), ` ${REASONS[name] || name}`)), h("span", {}, h("i", { class: "kept" }, "ab"), " found, stays"));
  }

  showTerms() {
    const terms = this.view.terms;
    if (this.term >= terms.length) { this.term = -1; this.place = -1; }
    this.rows = terms.slice(0, this.more ? terms.length : 400).map((term, at) => h("li", { class: this.row(term, at) },
      h("button", { class: "term", "aria-current": at === this.term ? "true" : null, onclick: () => this.choose(at, 0), oncontextmenu: (event) => { event.preventDefault(); this.choose(at, 0); this.menu(event.clientX, event.clientY); } },
        h("bdi", { class: "name" }, term.text), h("span", { class: "soft" }, this.about(term)), risk(term.risk)),
      h("button", { class: "quiet", "aria-label": `Menu of ${term.text}`, onclick: (event) => { this.choose(at, 0); const box = event.currentTarget.getBoundingClientRect(); this.menu(box.left, box.bottom); } }, "⋯")));
    this.terms.replaceChildren(...this.rows);
    if (terms.length > this.rows.length) this.terms.append(h("li", {}, h("button", { onclick: () => { this.more = true; this.showTerms(); } }, `Show all ${terms.length} terms`)));
    if (!terms.length) this.terms.append(h("li", { class: "soft" }, "Nothing was found that discloses anything."));
  }

  about(term) { return ` ${term.type.replaceAll("_", " ").toLowerCase()} · ${this.goes(term)} of ${term.places.length} go${term.decision ? ` · ${term.decision}` : ""}`; }

  row(term, at) { return `${this.goes(term) ? "goes" : "stays"}${at === this.term ? " current" : ""}`; }

  choose(at, place) {
    const terms = this.view?.terms || [];
    if (!terms.length) return;
    this.term = (at + terms.length) % terms.length;
    const places = terms[this.term].places;
    this.place = (place + places.length) % places.length;
    this.paper.repaint();
    this.paper.show(...places[this.place]);
    for (const [index, row] of (this.rows || []).entries()) {
      row.className = this.row(terms[index], index);
      if (index === this.term) row.firstChild.setAttribute("aria-current", "true"); else row.firstChild.removeAttribute("aria-current");
    }
    this.rows?.[this.term]?.scrollIntoView({ block: "nearest" });
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
    this.verdict.replaceChildren(h("strong", {}, view.verdict), h("p", {}, view.problem || view.words));
    this.why = h("section", { class: "why", "aria-label": "Why" });
    fill(this.attacker, this.why, attackerView(view));
    if (this.term >= 0) this.showWhy();
    this.showExports();
  }

  showExports() {
    const view = this.view;
    const held = view.verdict === "held";
    const needs = this.data.review.four_eyes && view.approved.length < 2;
    const button = (what, name, free) => h("button", { class: what === "file" ? "primary" : "", disabled: !free, title: free ? null : needs && held ? "two reviewers must approve" : "the verdict is not held", onclick: () => this.send(what) }, name);
    this.exports.replaceChildren(button("file", "Download file", held && !needs), button("report.html", "Report", view.guarantees.length > 0), button("certificate", "Certificate", held && !needs));
    if (this.data.review.four_eyes) this.exports.append(h("button", { onclick: () => this.decide({ kind: "approve" }) }, `Approve (${view.approved.length} of 2)`));
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

  sayStrength() {
    const value = this.curve.levels[this.slider.value];
    this.strength.textContent = this.curve.kind === "k" ? `k = ${value}${value < this.curve.policy ? ` (the policy asks for ${this.curve.policy})` : ""}` : `at least ${Math.round(value * 100)} % sure`;
  }

  slide() {
    const began = performance.now();
    this.level = Number(this.slider.value);
    this.paper.repaint();
    for (const [at, row] of (this.rows || []).entries()) {
      const term = this.view.terms[at];
      const name = this.row(term, at);
      if (row.className !== name) row.className = name;
      const about = row.querySelector(".soft"), words = this.about(term);
      if (about.textContent !== words) about.textContent = words;
    }
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
      ["v", "Never redact (propose)", () => this.decide({ kind: "keep", term: text, propose: true })],
    ];
  }

  async generalise(text) {
    const { words } = await call(`/v1/wider?term=${encodeURIComponent(text.slice(0, 200))}`).catch(() => ({ words: [] }));
    await this.substitute(text, words);
  }

  async substitute(text, chips) {
    const answer = await ask(chips.length ? "Generalise to" : "Replace by", [{ name: "text", label: "What stands in its place", required: true, value: chips[0], chips }], "Replace all");
    if (answer) await this.decide({ kind: "replace", term: text, text: answer.text });
  }

  selected() {
    const place = this.paper.selection();
    if (!place) { say("Select some text first."); return; }
    getSelection().removeAllRanges();
    this.decide({ kind: "redact", term: this.paper.text.slice(place.start, place.end).slice(0, 2000), ...place });
  }

  menu(x, y) {
    this.popup?.remove();
    const before = document.activeElement;
    const close = () => { this.popup?.remove(); this.popup = null; before?.focus?.(); };
    const items = this.actions().map(([key, name, act]) => h("button", { role: "menuitem", tabindex: "-1", onclick: () => { close(); act(); } }, name, h("kbd", {}, key)));
    if (!items.length) return;
    this.popup = h("div", { class: "menu", role: "menu", "aria-label": "What to do with the term", onkeydown: (event) => {
      const at = items.indexOf(document.activeElement);
      if (event.key === "ArrowDown") items[(at + 1) % items.length].focus();
      else if (event.key === "ArrowUp") items[(at + items.length - 1) % items.length].focus();
      else if (event.key === "Escape" || event.key === "Tab") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }, onfocusout: (event) => { if (this.popup && !this.popup.contains(event.relatedTarget)) setTimeout(() => this.popup && !this.popup.contains(document.activeElement) && close(), 0); } }, items);
    document.body.append(this.popup);
    const box = this.popup.getBoundingClientRect();
    this.popup.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 8))}px`;
    this.popup.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 8))}px`;
    items[0].focus();
  }

  find(step) {
    this.found ??= { places: this.paper.search(this.filter.value), at: step > 0 ? -1 : 0 };
    const { places } = this.found;
    if (!places.length) { say("Not found."); return; }
    this.found.at = (this.found.at + step + places.length) % places.length;
    const { start, end } = places[this.found.at];
    say(`${this.found.at + 1} of ${places.length}`);
    this.paper.show(start, end);
    this.paper.select(start, end)?.parentElement.scrollIntoView({ block: "center" });
  }

  help() { tell("Keyboard shortcuts", h("dl", { class: "keys" }, KEYS.filter(([key]) => !"q]".includes(key) || this.elsewhere[key]).map(([key, name]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, name)]))); }

  keydown(event) {
    if (event.target.closest?.("input, select, textarea, dialog, [role=menu]") || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); return event.shiftKey ? this.redo() : this.undo(); }
    if (event.ctrlKey || event.metaKey) return;
    const box = () => { const mark = this.paper.element.querySelector(".current")?.getBoundingClientRect(); return mark ? [mark.left, mark.bottom] : [innerWidth / 3, innerHeight / 3]; };
    const moves = {
      j: () => this.choose(Math.max(this.term, 0), this.place + 1), k: () => this.choose(Math.max(this.term, 0), this.place - 1),
      n: () => this.choose(this.term + 1, 0), p: () => this.choose(this.term - 1, 0), m: () => this.menu(...box()), x: () => this.selected(), u: () => this.undo(), y: () => this.redo(),
      "/": () => this.filter.focus(), s: () => this.slider.focus(), w: () => { this.attacker.scrollIntoView(); }, d: () => this.exports.querySelector("button:not(:disabled)")?.focus(), "?": () => this.help(), ...this.elsewhere,
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

function describe(entry) {
  const where = entry.start === undefined ? "" : " in one place";
  const words = { redact: "redacts", keep: "keeps", replace: "replaces", strength: `sets the strength to ${entry.value}`, approve: "approves", undo: "undoes a decision", redo: "redoes a decision" };
  return `${words[entry.kind]}${entry.term ? ` “${entry.term.slice(0, 60)}”` : ""}${entry.text ? ` by “${entry.text.slice(0, 60)}”` : ""}${where}${entry.propose ? " (proposed to the policy)" : ""}`;
}
