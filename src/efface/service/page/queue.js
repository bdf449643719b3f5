// The queue: drop files, choose a policy and a matter, see how far each is; what needs somebody stands first.

import { call, download, patiently, person } from "./api.js";
import { ago, ask, fill, h, say, tell } from "./dom.js";
import { inWords } from "./kinds.js";
import { waitingForMe } from "./next_document.js";
import { go } from "./places.js";
import { inWords as stepInWords } from "./review/progress.js";

const MOST = 500; // rows at a time; what needs somebody is among the first
const FILTERS = ["all", "failed", "refused", "broken", "unproven", "waiting", "held", "exported"];
const DONE = new Set(["failed", "refused", "broken", "unproven", "held", "exported"]);
const REVIEWS = new Set(["admin", "reviewer"]); // roles
const READY = ["held", "exported"];

export async function open(room, signal) {
  document.title = "Queue · efface";
  const { policies } = await call("/v1/policies");
  if (signal.aborted) return;
  const queue = new Queue(policies);
  signal.addEventListener("abort", () => queue.close());
  room.replaceChildren(queue.element);
  await queue.refresh();
}

class Queue {
  constructor(policies) {
    this.rows = [];
    this.chosen = new Set(); // ids that a bulk action is for
    this.asked = this.answered = 0; // how often the list was asked for, and which answer is shown
    this.policy = this.policyBox(policies);
    this.team = this.teamBox();
    this.matter = h("input", { list: "matters", placeholder: "none", maxlength: 120, autocomplete: "off", value: localStorage.getItem("efface.matter") || "", onchange: () => localStorage.setItem("efface.matter", this.matter.value) });
    this.known = h("datalist", { id: "matters" });
    const choose = (name, options) => h("select", { "aria-label": name, onchange: () => this.showRows() }, options);
    this.state = h("select", { id: "filter", onchange: () => this.refresh() }, FILTERS.map((name) => h("option", { value: name }, name)));
    this.byMatter = choose("Matter", h("option", { value: "" }, "every matter"));
    this.byAssignee = choose("Assignee", [["", "everybody's"], ["mine", "mine"], ["nobody", "nobody's"]].map(([value, name]) => h("option", { value }, name)));
    this.search = h("input", { type: "search", placeholder: "Search by name, policy, owner or matter", "aria-label": "Search the queue", oninput: () => this.showRows() });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "Checked so far" });
    this.count = h("span", { class: "soft", role: "status" });
    this.unsent = h("div", { class: "problem", role: "alert" });
    this.matters = h("div", { class: "matters" });
    this.body = h("tbody");
    this.all = h("input", { type: "checkbox", "aria-label": "Choose all", onchange: () => this.chooseAll(this.all.checked) });
    this.bulk = h("div", { class: "row bulk", role: "group", "aria-label": "For those that are chosen", hidden: true });
    this.onkey = (event) => this.keydown(event);
    document.addEventListener("keydown", this.onkey);
    this.timer = setInterval(() => { if (this.rows.some((row) => !DONE.has(row.state))) this.refresh().catch(() => {}); }, 2000);
    this.element = this.layout();
  }

  close() { clearInterval(this.timer); document.removeEventListener("keydown", this.onkey); }

  policyBox(policies) {
    const box = h("select", { id: "policy" }, h("option", { value: "" }, "default (names, dates and identifiers)"), policies.map((name) => h("option", { value: name }, name)));
    box.value = localStorage.getItem("efface.policy") || "";
    if (box.selectedIndex < 0) box.selectedIndex = 0;
    box.addEventListener("change", () => localStorage.setItem("efface.policy", box.value));
    return box;
  }

  // Whose queue a document comes to under the default policy, which is every team's. Most people are in one team.
  teamBox() {
    const teams = Object.keys(person.teams).filter((team) => REVIEWS.has(person.teams[team]));
    return h("select", { id: "team" }, teams.length > 1 ? teams.map((name) => h("option", { value: name }, name)) : h("option", { value: "" }, ""));
  }

  layout() {
    const field = (name, ...content) => h("label", { class: "inline" }, h("span", {}, name), content);
    const heads = [h("th", { scope: "col" }, this.all), ["State", "Document"].map((name) => h("th", { scope: "col" }, name)), ["Doubts", "Matter", "Policy", "Assignee", "Due", "Approved by", "Since"].map((name) => h("th", { scope: "col", class: "wide" }, name))];
    return h("div", { class: "wrap broad queue" }, h("h1", {}, "Review queue"),
      h("div", { class: "row sending" }, field("Policy", this.policy), this.team.length > 1 ? field("Team", this.team) : null, field("Matter", this.matter, this.known), h("button", { class: "primary", onclick: () => this.next() }, "Take the next ", h("kbd", {}, "n"))),
      this.dropBox(), this.unsent, this.matters,
      h("div", { class: "row filters" }, field("Show", this.state), this.byMatter, this.byAssignee, this.search),
      h("div", { class: "row" }, this.bar, this.count), this.bulk,
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Documents under review" }, h("table", {}, h("thead", {}, h("tr", {}, heads)), this.body)));
  }

  dropBox() {
    this.files = h("input", { type: "file", multiple: true, id: "files", class: "covered", onchange: () => this.send(this.files.files) });
    const drop = h("label", { class: "drop", for: "files" }, h("strong", {}, "Drop files here, or choose them"), h("span", { class: "soft" }, "txt, docx, pdf, html, eml, csv, xlsx, pptx, odt …, or a zip of them"), this.files);
    for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => { event.preventDefault(); this.send(event.dataTransfer.files); });
    return drop;
  }

  async send(list) {
    const sent = [...list], left = [];
    let opened = null;
    for (const [at, file] of sent.entries()) {
      say(`Sending ${at + 1} of ${sent.length}`);
      const form = new FormData();
      form.append("file", file);
      form.append("policy", this.policy.value);
      form.append("matter", this.matter.value);
      form.append("team", this.team.value);
      try {
        if (isArchive(file)) left.push(...await this.sendArchive(form));
        else opened = await call("/v1/reviews", { method: "POST", body: form });
      } catch (error) { left.push([file.name, error.message]); }
    }
    say("");
    this.files.value = "";
    fill(this.unsent, left.length ? [h("strong", {}, left.length === 1 ? "1 file was not taken:" : `${left.length} files were not taken:`), h("ul", {}, left.map(([name, why]) => h("li", {}, h("bdi", {}, name), ` ${why}`)))] : null);
    if (sent.length === 1 && opened) go(`review/${opened.id}`);
    else await this.refresh();
  }

  // Each document of an archive is reviewed by itself. Answers what of it was not taken, and why.
  async sendArchive(form) {
    const { left_out: left } = await call("/v1/archives", { method: "POST", body: form });
    return left.map(({ name, why }) => [name, why]);
  }

  // Answers may come in another order than they were asked for. One that is older than what is shown, or of another filter,
  // is not shown.
  async refresh() {
    const turn = this.asked += 1, state = this.state.value;
    const asked = state === "all" ? "" : `&state=${state}`;
    const [{ reviews }, { matters }] = await Promise.all([call(`/v1/reviews?limit=${MOST}${asked}`), call("/v1/matters")]);
    if (turn < this.answered || state !== this.state.value) return;
    this.answered = turn;
    this.rows = reviews;
    this.isLoaded = true;
    const done = reviews.filter((row) => DONE.has(row.state)).length;
    this.bar.max = Math.max(reviews.length, 1);
    this.bar.value = done;
    this.showMatters(matters);
    this.showRows();
    this.element.classList.toggle("empty", !reviews.length && !asked);
    this.bar.hidden = !reviews.length;
    this.count.textContent = reviews.length ? `${done} of ${reviews.length === MOST ? `the first ${MOST}` : reviews.length} checked` : asked ? "Nothing here is in this state." : "No documents yet. Drop the first ones above: each is checked under the chosen policy, and stands here with its verdict.";
  }

  // How far each matter is, and what can be done with it as a whole.
  showMatters(matters) {
    const chosen = this.byMatter.value;
    this.byMatter.replaceChildren(h("option", { value: "" }, "every matter"), ...matters.map(({ name }) => h("option", { value: name }, name)));
    this.byMatter.value = matters.some(({ name }) => name === chosen) ? chosen : "";
    this.known.replaceChildren(...matters.map(({ name }) => h("option", { value: name })));
    fill(this.matters, matters.map((matter) => {
      const ready = READY.reduce((sum, state) => sum + (matter.states[state] || 0), 0);
      const states = Object.entries(matter.states).map(([state, count]) => `${count} ${state}`).join(", ");
      return h("div", { class: "row matter" }, h("strong", {}, h("bdi", {}, matter.name)), h("progress", { max: matter.documents, value: ready, "aria-label": `Ready in ${matter.name}` }),
        h("span", { class: "soft" }, `${states}${matter.due ? ` · due ${day(matter.due)}` : ""}`),
        h("button", { onclick: (event) => busy(event.currentTarget, () => this.exportMatter(matter, ready)) }, "Export all"), h("button", { onclick: (event) => busy(event.currentTarget, () => this.learn(matter.name)) }, "What was changed"));
    }));
  }

  async exportMatter(matter, ready) {
    const partial = ready < matter.documents;
    if (partial && !await ask(`Only ${ready} of ${matter.documents} documents are held. Export those?`, [], "Export them")) return;
    try {
      const path = `/v1/matters/${encodeURIComponent(matter.name)}/export`;
      await patiently(() => download(path, { json: { partial } }, `${matter.name}.zip`), () => !this.element.isConnected, () => say("A large matter takes a while: still looking through its documents…"));
      say("The archive is there.");
      await this.refresh();
    } catch (error) { say(error.message); }
  }

  // What reviewers changed, so that the policy can improve.
  async learn(name) {
    try {
      const found = await call(`/v1/matters/${encodeURIComponent(name)}/learning`);
      const list = (title, words) => (words.length ? [h("h3", {}, title), h("ul", {}, words.slice(0, 200).map((word) => h("li", {}, h("bdi", {}, word))))] : null);
      const shares = Object.entries(found.changes).map(([type, [changed, of]]) => h("li", {}, `${inWords(type)}: ${changed} of ${of} (${Math.round((100 * changed) / Math.max(of, 1))} %)`));
      say("");
      tell(`What reviewers changed in ${name}`, h("h3", {}, "Changed, by type"), shares.length ? h("ul", {}, shares) : h("p", { class: "soft" }, "Nothing yet."), list("For the policy’s keep list", found.keep) || "", list("For the policy’s deny list", found.deny) || "", found.left_out ? h("p", { class: "problem" }, `${found.left_out} of the documents could not be read and are not in this.`) : "");
    } catch (error) { say(error.message); }
  }

  get shown() {
    const wanted = this.search.value.trim().toLowerCase();
    const assignee = this.byAssignee.value;
    return this.rows.filter((row) => [row.name, row.policy, row.owner, row.matter].some((text) => (text || "").toLowerCase().includes(wanted))
      && (!this.byMatter.value || row.matter === this.byMatter.value)
      && (!assignee || (assignee === "mine" ? row.assignee === person.name : !row.assignee)));
  }

  showRows() {
    fill(this.body, this.shown.map((row) => h("tr", {},
      h("td", {}, h("input", { type: "checkbox", "aria-label": `Choose ${row.name}`, checked: this.chosen.has(row.id), onchange: (event) => this.choose([row.id], event.target.checked) })),
      h("td", {}, h("span", { class: `state ${row.state}` }, row.state)),
      h("td", {}, h("a", { href: `/app/review/${row.id}`, "data-go": `review/${row.id}` }, h("bdi", {}, row.name)), row.problem || row.progress ? h("p", { class: "soft small" }, row.problem || stepInWords(row.progress)) : null),
      h("td", { class: "wide soft", title: "How many mistakes to expect: the riskiest stand first" }, row.risk ? row.risk.toFixed(1) : ""),
      h("td", { class: "wide" }, h("bdi", {}, row.matter)),
      h("td", { class: "wide" }, row.policy || "default", row.four_eyes ? h("span", { class: "soft" }, " · four eyes") : null),
      h("td", { class: "wide" }, h("bdi", {}, row.assignee || "–")),
      h("td", { class: `wide ${isLate(row) ? "late" : "soft"}` }, row.due ? `${day(row.due)}${isLate(row) ? " (late)" : ""}` : ""),
      h("td", { class: "wide" }, row.approved.join(", ")),
      h("td", { class: "wide soft" }, h("bdi", {}, row.owner), `, ${ago(row.created)}`))));
    this.showBulk();
  }

  chooseAll(isOn) { this.choose(this.shown.map((row) => row.id), isOn); this.showRows(); }

  choose(ids, isOn) {
    for (const id of ids) if (isOn) this.chosen.add(id); else this.chosen.delete(id);
    this.showBulk();
  }

  showBulk() {
    const known = new Set(this.rows.map((row) => row.id));
    for (const id of this.chosen) if (!known.has(id)) this.chosen.delete(id);
    this.bulk.hidden = !this.chosen.size;
    const act = (name, values) => h("button", { onclick: () => this.change(values) }, name);
    fill(this.bulk, h("span", {}, `${this.chosen.size} chosen`), act("Assign to me", { assignee: person.name }),
      h("button", { onclick: () => this.askChange("assignee", "Assign to", "Name") }, "Assign to…"),
      h("button", { onclick: () => this.askChange("matter", "Put into a matter", "Matter") }, "Matter…"),
      h("button", { onclick: () => this.askChange("due", "When is it due?", "Date", "date") }, "Due…"),
      h("button", { onclick: () => this.remove() }, "Remove…"));
  }

  async askChange(field, title, label, type = "text") {
    const answer = await ask(title, [{ name: field, label, type }], "Set");
    if (!answer) return;
    const value = answer[field].trim();
    if (field !== "due") { await this.change({ [field]: value }); return; }
    const due = value ? Date.parse(`${value}T23:59:59`) / 1000 : 0;
    if (Number.isNaN(due)) say("This is no date."); else await this.change({ due });
  }

  async change(values) {
    try {
      const { documents } = await call("/v1/reviews", { method: "PATCH", json: { ids: [...this.chosen], ...values } });
      say(documents === 1 ? "1 document changed." : `${documents} documents changed.`);
      await this.refresh();
    } catch (error) { say(error.message); }
  }

  // Documents that were sent by mistake, or that are done with. The service lets their owner do so, and an administrator.
  async remove() {
    const ids = [...this.chosen];
    const what = ids.length === 1 ? "this document and its decisions" : `these ${ids.length} documents and their decisions`;
    if (!await ask(`Remove ${what}? This cannot be undone.`, [], "Remove")) return;
    const left = [];
    for (const id of ids) {
      try { await call(`/v1/reviews/${id}`, { method: "DELETE" }); this.chosen.delete(id); } catch (error) { left.push(error.message); }
    }
    await this.refresh().catch(() => {});
    const gone = ids.length - left.length;
    say([`${gone} of ${ids.length} removed.`, left[0]].filter(Boolean).join(" "));
  }

  // The riskiest that nobody else works on. Whoever presses the key before the list is there waits for it.
  async next() {
    if (!this.isLoaded) await this.refresh().catch((error) => say(error.message));
    const [row] = waitingForMe(this.shown);
    if (row) go(`review/${row.id}`);
    else say("Nothing here waits for you.");
  }

  keydown(event) {
    if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") this.next();
  }
}

const day = (seconds) => new Date(seconds * 1000).toLocaleDateString([], { dateStyle: "medium" });
// Every document of a matter is looked at: that takes a while, and the button says so.
async function busy(button, act) {
  button.disabled = true;
  say("Looking through the documents of the matter…");
  try { await act(); } finally { button.disabled = false; }
}

const isArchive = ({ name }) => name.toLowerCase().endsWith(".zip");
const isLate = (row) => row.due && row.due * 1000 < Date.now() && row.state !== "exported";
