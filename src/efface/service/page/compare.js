// View as: one document as two viewers would see it, side by side. Each look is recorded.

import { call } from "./api.js";
import { h, paragraphs, say } from "./dom.js";
import { inWords } from "./kinds.js";

export async function open(room) {
  document.title = "View as · efface";
  const [{ users }, { documents }] = await Promise.all([call("/v1/users"), call("/v1/documents?limit=200")]);
  const pick = (label, options) => {
    const select = h("select", { "aria-label": label }, options.map(([value, name]) => h("option", { value }, name)));
    return [select, h("label", { class: "inline" }, h("span", {}, label), select)];
  };
  const [id, which] = pick("Document", documents.map((row) => [row.id, `${row.name} (${row.folder})`]));
  const names = users.map((user) => [user.name, user.name]);
  const [first, one] = pick("As", names);
  const [second, other] = pick("and as", names);
  if (names.length > 1) second.selectedIndex = 1;
  const shown = h("div"); // which document the sides show
  const sides = h("div", { class: "sides" });
  let turn = 0; // what was asked for last is shown
  async function show() {
    const mine = turn += 1;
    const asked = id.value, viewers = [first.value, second.value]; // these may be chosen anew while one waits
    const name = h("h2", {}, h("bdi", {}, id.selectedOptions[0].textContent));
    shown.replaceChildren();
    sides.replaceChildren();
    say("Opening the document as both would see it…");
    const found = await Promise.all(viewers.map((user) => look(asked, user)));
    if (mine !== turn) return;
    say("");
    shown.replaceChildren(name);
    sides.replaceChildren(...found);
  }
  async function look(asked, user) {
    try {
      const found = await call(`/v1/preview/${asked}/as/${encodeURIComponent(user)}`);
      return h("article", { class: "card", "aria-label": `As ${user}` }, h("h3", {}, h("bdi", {}, user)), denied(found), h("div", { class: "paper", tabindex: "0" }, paragraphs(found.text)));
    } catch (error) {
      return h("article", { class: "card", "aria-label": `As ${user}` }, h("h3", {}, h("bdi", {}, user)), h("p", {}, error.status === 404 ? "For this viewer there is no such document." : error.message));
    }
  }
  // What the database keeps from this viewer, by kind.
  const denied = ({ denied: rows }) => (rows?.length ? h("p", { class: "soft" }, `Denied to this viewer: ${rows.map(([type, count]) => `${count} × ${inWords(type)}`).join(", ")}`) : h("p", { class: "soft" }, "Nothing is denied to this viewer here."));
  if (!documents.length) { room.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, "View as"), h("p", {}, "There is no document yet: add one to a folder."))); return; }
  room.replaceChildren(h("div", { class: "wrap broad" }, h("h1", {}, "View as"), h("p", { class: "soft" }, "Each look is written to the audit trail."),
    h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); show(); } },
      which, one, other, h("button", { class: "primary" }, "Show")), shown, sides));
}
