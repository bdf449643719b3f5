// Word's task pane: the page's own list, slider and attacker's view over the document that is open in Word.

import { call, may, person, useToken } from "/app/api.js";
import { fill, h, say } from "/app/dom.js";
import { Review } from "/app/review/review.js";
import { WordPaper, openCopy, readDocument, selectedText } from "/app/word/word.js";

const main = document.getElementById("main");
const KEY = "efface.word.token"; // as long as the pane is open; never in the document

class Pane extends Review {
  layout() {
    this.checked = h("p", { role: "status" });
    return h("div", { class: "wordpane" },
      h("div", { class: "row between" }, h("span", { class: "soft" }, this.data.review.policy || "default policy"), this.log.saved),
      this.verdict.element, this.verdict.exports, this.checked, this.strength.element, this.search.element, this.legend,
      h("div", { class: "row" }, h("button", { onclick: () => this.undo(), title: "u" }, "Undo"), h("button", { onclick: () => this.redo(), title: "y" }, "Redo"), h("button", { onclick: () => this.selected(), title: "x" }, "Redact selection"), h("button", { onclick: () => this.help(), "aria-label": "Keyboard shortcuts" }, "?")),
      h("h2", {}, "Terms by risk"), this.list.element, this.verdict.attacker, h("h2", {}, "Decisions"), this.log.history);
  }

  async selected() {
    const words = (await selectedText().catch(() => "")).trim();
    if (!words) { say("Select some text in the document first."); return; }
    await this.decide({ kind: "redact", term: words.slice(0, 2000) });
  }

  showExports() {
    const view = this.view;
    const held = view.verdict === "held" && !(this.data.review.four_eyes && view.missing_eyes !== "");
    fill(this.verdict.exports,
      h("button", { class: "primary", disabled: !held, onclick: () => this.inPlace() }, "Redact in place"),
      h("button", { disabled: !held, onclick: () => this.copy() }, "Open the checked copy"),
      this.data.review.four_eyes ? h("button", { disabled: view.verdict !== "held", onclick: () => this.decide({ kind: "approve" }) }, `Approve (${view.approved.length} of 2)`) : null);
  }

  // The edits of the checked file, made in the open document; then the document is read again and judged anew.
  async inPlace() {
    const { log } = this;
    while (log.waiting.length || this.asking || this.view.version !== log.version) { // what was just decided counts
      await new Promise((resolve) => { setTimeout(resolve, 200); });
      if (!this.asking && !log.waiting.length && this.view.version !== log.version) await this.refresh();
    }
    if (this.view.verdict !== "held") { say("The verdict is not held."); return; }
    this.verdict.exports.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    this.checked.className = "";
    this.checked.textContent = "Redacting…";
    try {
      const { done, left } = await this.paper.redact(this.view.edits);
      const form = new FormData();
      form.append("file", await readDocument(), "document.docx");
      form.append("policy", this.data.review.policy);
      const found = await call("/v1/assess", { method: "POST", body: form });
      const clean = !left && !found.findings.length;
      this.checked.className = clean ? "right-answer" : "problem";
      this.checked.textContent = `${done} places redacted${left ? `, ${left} that Word does not reach were not` : ""}. ${found.findings.length ? `In the open document the policy still finds ${found.findings.length} places (kept ones among them): send the checked copy instead.` : "The policy finds nothing left in the open document."}`;
    } catch (error) { this.checked.className = "problem"; this.checked.textContent = error.message; }
    this.showExports();
  }

  async copy() {
    try {
      const answer = await call(`/v1/reviews/${this.id}/export`, { json: { what: "file" }, raw: true });
      await openCopy(await base64(await answer.blob()));
    } catch (error) { say(error.message); }
  }
}

function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error("The file cannot be read."));
    reader.readAsDataURL(blob);
  });
}

function head() {
  document.getElementById("top").replaceChildren(h("span", { class: "brand" }, "efface"), person.name ? h("span", { class: "me" }, h("bdi", { class: "soft" }, person.name), h("button", { class: "quiet", onclick: () => { sessionStorage.removeItem(KEY); location.reload(); } }, "Sign out")) : "");
}

function welcome(trouble = "") {
  head();
  const token = h("input", { type: "password", required: true, autocomplete: "off", spellcheck: "false" });
  const problem = h("p", { class: "problem", role: "alert" }, trouble);
  main.replaceChildren(h("section", { class: "pad" }, h("h1", {}, "Sign in"), h("form", { onsubmit: async (event) => {
    event.preventDefault();
    if (await enter(token.value.trim())) await choose();
    else problem.textContent = "This token opens nothing here. A reviewer's is needed.";
  } }, h("label", {}, h("span", {}, "Your token"), token), problem, h("button", { class: "primary" }, "Sign in"))));
  token.focus();
}

async function enter(token) {
  try {
    await useToken(token);
    if (!may("review")) throw new Error("no reviewer");
    sessionStorage.setItem(KEY, token);
    head();
    return true;
  } catch { await useToken(null).catch(() => {}); person.name = ""; return false; }
}

async function choose() {
  const { policies } = await call("/v1/policies");
  const policy = h("select", { id: "policy" }, h("option", { value: "" }, "default (names, dates and identifiers)"), policies.map((name) => h("option", { value: name }, name)));
  const problem = h("p", { class: "problem", role: "alert" });
  main.replaceChildren(h("section", { class: "pad" }, h("h1", {}, "Review this document"), h("form", { onsubmit: async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try { await begin(policy.value); } catch (error) { problem.textContent = error.message; }
  } }, h("label", {}, h("span", {}, "Policy"), policy), problem, h("p", { class: "soft" }, "The document goes to this service and no further."), h("button", { class: "primary" }, "Read the document"))));
}

async function begin(policy) {
  const form = new FormData();
  form.append("file", await readDocument(), "document.docx");
  form.append("policy", policy);
  const { id } = await call("/v1/reviews", { method: "POST", body: form });
  const data = await call(`/v1/reviews/${id}`);
  const pane = new Pane(id, data, () => new WordPaper(data));
  main.replaceChildren(pane.element);
  await pane.start();
}

Office.onReady(async (info) => {
  if (info.host !== Office.HostType.Word) { main.replaceChildren(h("p", { class: "pad" }, "This pane works in Word.")); return; }
  const known = sessionStorage.getItem(KEY);
  if (known && await enter(known)) await choose();
  else welcome();
});
