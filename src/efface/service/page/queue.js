// The queue: drop files, choose a policy, see how far each is; what needs somebody stands first.

import { call } from "./api.js";
import { ago, fill, h, say } from "./dom.js";
import { go } from "./places.js";

const MOST = 500; // rows at a time; what needs somebody is among the first
const FILTERS = ["all", "failed", "refused", "broken", "unproven", "waiting", "held", "exported"];
const DONE = new Set(["failed", "refused", "broken", "unproven", "held", "exported"]);

export async function open(main) {
  document.title = "Queue · efface";
  const { policies } = await call("/v1/policies");
  const policy = h("select", { id: "policy" }, h("option", { value: "" }, "default (patterns)"), policies.map((name) => h("option", { value: name }, name)));
  policy.value = localStorage.getItem("efface.policy") || "";
  if (policy.selectedIndex < 0) policy.selectedIndex = 0;
  policy.addEventListener("change", () => localStorage.setItem("efface.policy", policy.value));
  const filter = h("select", { id: "filter", onchange: () => refresh() }, FILTERS.map((name) => h("option", { value: name }, name)));
  const files = h("input", { type: "file", multiple: true, id: "files", class: "covered", onchange: () => send(files.files) });
  const drop = h("label", { class: "drop", for: "files" }, h("strong", {}, "Drop files here, or choose them"), h("span", { class: "soft" }, "txt, docx, pdf, html, eml, csv, xlsx, pptx, odt …"), files);
  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); send(event.dataTransfer.files); });
  const bar = h("progress", { max: 1, value: 1, "aria-label": "Looked at so far" });
  const count = h("span", { class: "soft", role: "status" });
  const unsent = h("div", { class: "problem", role: "alert" });
  const body = h("tbody");
  let rows = [];

  async function send(list) {
    const sent = [...list], left = [];
    let opened = null;
    for (const [at, file] of sent.entries()) {
      say(`Sending ${at + 1} of ${sent.length}`);
      const form = new FormData();
      form.append("file", file);
      form.append("policy", policy.value);
      try { opened = await call("/v1/reviews", { method: "POST", body: form }); } catch (error) { left.push([file.name, error.message]); }
    }
    say("");
    files.value = "";
    fill(unsent, left.length ? [h("strong", {}, `${left.length} of ${sent.length} could not be sent:`), h("ul", {}, left.map(([name, why]) => h("li", {}, h("bdi", {}, name), ` ${why}`)))] : null);
    if (sent.length === 1 && opened) go(`review/${opened.id}`);
    else await refresh();
  }

  async function refresh() {
    const asked = filter.value === "all" ? "" : `&state=${filter.value}`;
    rows = (await call(`/v1/reviews?limit=${MOST}${asked}`)).reviews;
    const done = rows.filter((row) => DONE.has(row.state)).length;
    bar.max = Math.max(rows.length, 1);
    bar.value = rows.length ? done : 1;
    count.textContent = rows.length ? `${done} of ${rows.length === MOST ? `the first ${MOST}` : rows.length} looked at` : "Nothing here";
    body.replaceChildren(...rows.map((row) => h("tr", {},
      h("td", {}, h("span", { class: `state ${row.state}` }, row.state)),
      h("td", {}, h("a", { href: `/app/review/${row.id}`, "data-go": `review/${row.id}` }, h("bdi", {}, row.name)), row.problem ? h("p", { class: "soft small" }, row.problem) : null),
      h("td", { class: "wide" }, row.policy || "default", row.four_eyes ? h("span", { class: "soft" }, " · four eyes") : null),
      h("td", { class: "wide" }, h("bdi", {}, row.owner)),
      h("td", { class: "wide soft" }, ago(row.created)))));
  }

  const next = () => {
    const row = rows.find((each) => each.state !== "exported");
    if (row) go(`review/${row.id}`);
    else say("The queue is empty.");
  };
  const keys = (event) => {
    if (event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") next();
  };
  document.addEventListener("keydown", keys);
  main.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, "Review queue"),
    h("div", { class: "row spread" }, h("label", { class: "inline" }, h("span", {}, "Policy"), policy), h("label", { class: "inline" }, h("span", {}, "Show"), filter), h("button", { onclick: next }, "Take the next (n)")),
    drop, unsent, h("div", { class: "row" }, bar, count),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Documents under review" }, h("table", {}, h("thead", {}, h("tr", {}, ["State", "Document"].map((name) => h("th", { scope: "col" }, name)), ["Policy", "From", "Since"].map((name) => h("th", { scope: "col", class: "wide" }, name)))), body))));
  await refresh();
  const timer = setInterval(() => { if (rows.some((row) => !DONE.has(row.state))) refresh().catch(() => {}); }, 2000);
  return () => { clearInterval(timer); document.removeEventListener("keydown", keys); };
}
