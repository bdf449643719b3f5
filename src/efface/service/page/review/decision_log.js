// What was decided: the log as the service has it, decisions that have not reached it yet, undo and redo.

import { Lost, call, person } from "../api.js";
import { h, say } from "../dom.js";
import { go } from "../places.js";
import { counted, describe } from "./words.js";

const ENDED = "Your session has ended";
const STANDS_IN_THE_WAY = new Set([404, 409, 413, 422]);
const MOST_AT_A_TIME = 1000;
const SHOWN = 100; // entries of the history
const AGAIN = 2500; // milliseconds until decisions of a document that was left are sent again
let made_here = 0; // decisions of this tab, for their names
const newName = () => `w${Date.now()}-${(made_here += 1)}`;

export class DecisionLog {
  constructor(review) {
    this.review = review;
    this.author = person.name;
    this.entries = [];
    this.version = 0;
    this.waiting = JSON.parse(sessionStorage.getItem(this.key) || "[]"); // decisions that have not reached the service
    this.saved = h("span", { class: "soft", role: "status" });
    this.history = h("ol", { class: "history" });
  }

  get key() { return `efface.waiting.${this.review.id}.${person.name}`; }

  // What the slider is about: certainty, or a crowd.
  get kind() { return this.review.strength.curve?.kind; }

  // The decisions that wait, without what their authors had seen.
  get unsent() { return this.waiting.map(({ made }) => made); }

  find(seq) { return this.all.find((entry) => entry.seq === seq); }

  // The log, and behind it what waits: a name stands for the number that the service will give.
  get all() { return [...this.entries, ...this.waiting.map(({ name, made }) => ({ ...made, seq: name, actor: this.author }))]; }

  // Everything since one last looked. Answers what this tab did not know.
  async read() {
    const found = await call(`/v1/reviews/${this.review.id}/decisions?after=${this.version}`);
    const news = this.take(found.entries);
    this.version = Math.max(this.version, found.version);
    return news;
  }

  take(entries) {
    const news = entries.filter((entry) => !this.find(entry.seq));
    this.entries = [...this.entries, ...news].sort((a, b) => a.seq - b.seq);
    this.showHistory();
    return news;
  }

  // What others decided, or oneself in another tab: the verdict here is of the same decisions as what would leave.
  async poll() {
    try {
      if (this.waiting.length) await this.flush();
      const news = await this.read();
      const others = news.find((entry) => entry.actor !== person.name);
      if (others) say(`${others.actor} decided: ${describe(others, this.kind)}`);
      else if (news.length && !this.waiting.length) say(`You decided elsewhere: ${describe(news[0], this.kind)}`);
      if (news.length || this.review.isStale) await this.review.refresh();
      if (!this.waiting.length) this.showSaved("");
    } catch (error) { this.showSaved(trouble(error)); }
  }

  // What keeps decisions from being saved, and how many wait for it to end.
  showSaved(why) {
    const count = this.waiting.length;
    const state = count ? `${count} not saved yet` : why ? "" : "All saved";
    this.saved.textContent = [why, state].filter(Boolean).join(": ");
    if (why === ENDED && this.review.elsewhere.q) this.saved.append(" ", h("button", { onclick: () => go(`review/${this.review.id}`) }, "Sign in"));
    this.saved.classList.toggle("problem", Boolean(why) || count > 0);
  }

  // Decisions that are made at once are one step: one undo takes all of them back.
  async add(...made) {
    const step = made.length > 1 && !made[0].of ? { step: newName() } : {};
    made = made.map((one) => ({ ...one, ...step }));
    for (const one of made) this.waiting.push({ seen: this.version, made: one, name: newName() }); // what its author had seen goes with it
    this.keep();
    this.review.predict(...made);
    this.showSaved("");
    await this.flush();
  }

  keep() { sessionStorage.setItem(this.key, JSON.stringify(this.waiting)); }

  // Send what waits. After a broken line nobody knows whether the last attempt arrived, so the log is read first, and
  // what is there already is not sent again.
  async flush() {
    if (this.flushing || !this.waiting.length || this.author !== person.name) return; // nobody sends another's decisions
    this.flushing = true;
    let refused = "";
    try {
      if (this.unsure) {
        this.forget(await this.read());
        this.unsure = false;
      }
      refused = await this.sendAll();
      this.showSaved("");
    } catch (error) {
      this.unsure = true;
      this.showSaved(trouble(error));
      return;
    } finally { this.flushing = false; }
    await this.review.refresh();
    if (refused) say(refused);
  }

  // Only the service's own answer that a decision cannot stand takes it off the list: a session that has ended, a busy
  // service or a broken line does not. Answers why the last one of these was refused.
  async sendAll() {
    let refused = "";
    for (let most = MOST_AT_A_TIME; this.waiting.length;) {
      const sent = this.sameView(most);
      try { await this.send(sent); } catch (error) {
        if (!STANDS_IN_THE_WAY.has(error.status)) throw error;
        if (sent.length > 1) { most = 1; continue; } // one of them: the others are not its business
        refused = error.message;
        await this.read(); // what others decided is looked at first
      }
      this.waiting.splice(0, sent.length);
      const isUseless = ({ made }) => sent.some(({ name }) => name === made.of); // it takes back what was refused
      this.waiting = this.waiting.filter((one) => !isUseless(one));
      this.keep();
    }
    return refused;
  }

  // A decision has its number now: what waits and is about it says so.
  number(name, seq) { if (name) for (const { made } of this.waiting) if (made.of === name) made.of = seq; }

  // A document that was left with decisions that are not saved: they are sent from wherever one is.
  async sendTheRest() {
    while (this.waiting.length && this.author === person.name) {
      await this.flush();
      if (this.waiting.length) await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
    }
  }

  // The first decisions that wait, as far as their author had seen the same.
  sameView(most) {
    const { seen } = this.waiting[0];
    const other = this.waiting.findIndex((one, at) => one.seen !== seen || (at > 0 && typeof one.made.of === "string"));
    return this.waiting.slice(0, other < 0 ? most : Math.min(most, other));
  }

  async send(sent) {
    const { seen } = sent[0];
    const json = { seen, decisions: sent.map((one) => one.made), text_digest: this.review.paper.data?.text_digest || "" };
    const found = await call(`/v1/reviews/${this.review.id}/decisions`, { json });
    for (const [at, { name }] of sent.entries()) this.number(name, found.entries[at].seq);
    this.take(found.entries);
    if (found.entries[0].seq === this.version + 1) this.version = found.version; // otherwise the next look brings what came in between
    if (found.entries[0].seq !== seen + 1) return;
    for (const one of this.waiting) if (one.seen === seen) one.seen = found.version;
  }

  // Take off the list what the log has already: the answer to it was lost, not the decision.
  forget(entries) {
    for (const { seq, actor, at, ...made } of entries) {
      if (actor === person.name && this.waiting.length && same(made, this.waiting[0].made)) this.number(this.waiting.shift().name, seq);
    }
    this.keep();
  }

  // One's own decisions that stand, and those that were taken back, each in order.
  stacks() {
    const done = [], undone = [];
    const move = (of, from, to) => {
      const at = from.indexOf(of);
      if (at >= 0) { from.splice(at, 1); to.push(of); }
    };
    for (const entry of this.all.filter((each) => each.actor === this.author && each.kind !== "approve")) {
      if (entry.kind === "undo") move(entry.of, done, undone);
      else if (entry.kind === "redo") move(entry.of, undone, done);
      else { done.push(entry.seq); undone.length = 0; }
    }
    return { done, undone };
  }

  // What has not reached the service yet is taken back first: it is the last that was done.
  async undo() {
    const last = this.lastStep(this.stacks().done);
    if (last.length) await this.takeBack("undo", last); else say("There is nothing of yours to undo.");
  }

  async redo() {
    const last = this.lastStep(this.stacks().undone);
    if (last.length) await this.takeBack("redo", last); else say("There is nothing to redo.");
  }

  // The last decision of a stack, with those that were made at once with it.
  lastStep(stack) {
    const last = stack.at(-1);
    const step = last && this.find(last)?.step;
    if (!step) return last ? [last] : [];
    const mates = new Set(this.all.filter((entry) => entry.step === step).map((entry) => entry.seq));
    return stack.filter((seq) => mates.has(seq)).reverse();
  }

  // Undo or redo decisions. One for the matter is undone in its other documents too.
  async takeBack(kind, chosen) {
    const made = chosen.map((of) => this.find(of));
    await this.add(...chosen.map((of) => ({ kind, of })));
    for (const one of made) if (one?.in_matter) await this.review.marking.inOthers({ kind, term: one.term });
  }

  showHistory() {
    const gone = new Set();
    for (const entry of this.entries) {
      if (entry.kind === "undo") gone.add(entry.of);
      if (entry.kind === "redo") gone.delete(entry.of);
    }
    const steps = [];
    for (const entry of this.entries.filter(({ kind }) => !["undo", "redo"].includes(kind))) {
      if (entry.step && steps.at(-1)?.[0].step === entry.step) steps.at(-1).push(entry); else steps.push([entry]);
    }
    const others = ({ length }) => (length > 1 ? ` and ${counted(length - 1, "other")}` : "");
    const line = (step) => h("li", { class: gone.has(step[0].seq) ? "undone" : "" }, h("strong", {}, h("bdi", {}, step[0].actor)), ` ${describe(step[0], this.kind)}${others(step)}`);
    this.history.replaceChildren(...steps.slice(-SHOWN).reverse().map(line));
  }
}

export function trouble(error) {
  if (error instanceof Lost) return "No connection";
  return error.status === 401 ? ENDED : error.message;
}

function same(one, other) {
  const entries = (made) => JSON.stringify(Object.entries(made).filter(([, value]) => value !== false).sort());
  return entries(one) === entries(other);
}
