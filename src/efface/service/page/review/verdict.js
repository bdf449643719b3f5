// The verdict and what may leave; below it the attacker's view and why a term is marked.

import { download, may, person } from "../api.js";
import { ask, fill, h, say } from "../dom.js";
import { attackerView } from "./attacker.js";
import { approvals } from "./words.js";

function setState(chip, state) {
  chip.className = `state ${state}`;
  chip.textContent = state;
}

// A sentence with what is written in a policy set as code, instead of between backticks.
const withCode = (line) => line.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

export class Verdict {
  constructor(review) {
    this.review = review;
    this.element = h("section", { class: "verdict checking", role: "status", "aria-label": "Verdict" }, h("p", {}, "The document is being read and checked. A scan or a long file takes a while."));
    this.chip = h("span", { class: "state checking", "aria-hidden": "true" }, "reading");
    this.exports = h("div", { class: "row exports" });
    this.attacker = h("div", { class: "attacker", tabindex: "-1" });
    this.why = h("section", { class: "why", "aria-label": "Why" });
  }

  // While something is being checked nothing may be approved or downloaded.
  check(isChecking) {
    this.isChecking = isChecking;
    this.element.classList.toggle("checking", isChecking);
    if (!isChecking) return;
    this.setChip("checking");
    if (this.review.view) {
      this.element.className = "verdict checking";
      fill(this.element, h("strong", {}, "checking"), h("p", {}, "What changed is being checked. Until then nothing leaves."));
    }
    for (const chip of this.attacker.querySelectorAll(".promise .state")) setState(chip, "checking"); // what it says is of before
    for (const button of this.exports.querySelectorAll("button")) {
      button.disabled = true;
      button.title = "being checked";
    }
  }

  setChip(state) { setState(this.chip, state); }

  show(view) {
    this.element.className = `verdict ${view.verdict}`;
    this.setChip(view.verdict);
    this.element.replaceChildren(h("strong", {}, view.verdict), h("p", {}, view.problem || view.words), ...view.coverage.map((line) => h("p", { class: "soft" }, withCode(line))), this.unread(view.unread || []));
    fill(this.attacker, this.why, attackerView(view, (words) => this.review.search.find(words)));
    this.review.showExports();
  }

  // Text that no finder could read: the reviewer's own eyes are needed there, place by place.
  unread(places) {
    if (!places.length || !this.review.paper.showAndSelect) return "";
    let next = 0;
    const show = () => {
      const [start, end] = places[next];
      next = (next + 1) % places.length;
      this.review.paper.showAndSelect({ start, end });
    };
    return h("div", {}, h("p", {}, "Read it yourself: what you redact there counts as looked at."), h("button", { onclick: show }, places.length === 1 ? "Show this text" : `Show this text (${places.length} places)`));
  }

  // The check itself did not end.
  fail(message) {
    this.setChip("failed");
    this.element.replaceChildren(h("strong", {}, "failed"), h("p", {}, message));
  }

  showWhy(term) {
    if (!term) { fill(this.why); return; }
    fill(this.why, h("h2", {}, "Why ", h("bdi", {}, term.text)), h("ul", {}, term.why.map((sentence) => h("li", {}, sentence))),
      term.hard ? h("p", { class: "soft" }, term.gone ? "The policy needs it gone: keeping it breaks the guarantee." : "It may stay as long as the other marked words go.") : null);
  }

  showExports() {
    const { view, data: { review: { four_eyes: isForTwo } } } = this.review;
    const isHeld = view.verdict === "held" && !this.isChecking;
    const needsEyes = isForTwo && view.missing_eyes !== "";
    const mayLeave = isHeld && !needsEyes, hasReport = view.guarantees.length > 0;
    const reason = needsEyes && isHeld ? view.missing_eyes : "the verdict is not held";
    const button = (what, name, isFree) => h("button", { class: what === "file" ? "primary" : "", disabled: !isFree, title: isFree ? null : reason, onclick: () => this.send(what) }, name);
    this.exports.replaceChildren(button("file", "Download file", mayLeave), button("report.html", "Report", hasReport), button("certificate", "Certificate", mayLeave), button("index.csv", "Index (CSV)", hasReport), button("index.docx", "Index (Word)", hasReport));
    const hasApproved = view.approved.includes(person.name);
    if (isForTwo) this.exports.append(h("button", { disabled: !isHeld || hasApproved, title: !isHeld ? reason : hasApproved ? "you have approved this state" : null, onclick: () => this.review.decide({ kind: "approve" }) }, `Approve (${view.approved.length} of 2)`), h("p", { class: "soft" }, approvals(view)));
    if (may("admin") && hasReport && !mayLeave) this.exports.append(h("button", { onclick: () => this.override() }, "Override…"));
  }

  async send(what, override = "") {
    try { await download(`/v1/reviews/${this.review.id}/export`, { json: { what, override } }, what); } catch (error) { say(error.message); }
  }

  async override() {
    const answer = await ask("Release although the guarantee does not hold", [{ name: "reason", label: "Reason, for the audit trail (do not quote the document)", required: true, long: true }], "Release");
    if (answer?.reason.trim()) await this.send("file", answer.reason.trim());
  }
}
