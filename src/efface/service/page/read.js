// The reader's page: search, a list, open, download; nothing else.

import { call, download } from "./api.js";
import { ago, h, paragraphs, say } from "./dom.js";

export async function open(room) {
  document.title = "Documents · efface";
  const words = h("input", { type: "search", name: "q", placeholder: "Words, or a document's id", "aria-label": "Search documents", maxlength: 500 });
  const list = h("ul", { class: "documents" });
  const count = h("p", { class: "soft", role: "status" });
  const shown = h("section", { class: "card reading", hidden: true, "aria-label": "The document" });
  const more = h("button", { hidden: true, onclick: () => search(list.children.length) }, "Show more");
  let turn = 0;
  // What is asked for last is shown; whatever goes wrong is said.
  async function search(offset = 0) {
    const mine = turn += 1;
    await attempt(async () => {
      const found = await call(`/v1/documents?q=${encodeURIComponent(words.value)}&offset=${offset}`);
      if (mine !== turn) return;
      count.textContent = found.total === 1 ? "1 document" : `${found.total} documents`;
      if (!offset) list.replaceChildren();
      list.append(...found.documents.map(entry));
      more.hidden = !found.documents.length || list.children.length >= found.total;
    });
  }
  const attempt = (work) => work().catch((error) => say(error.status === 401 ? "Your session has ended: sign in again." : error.status === 404 ? "This document is no longer there." : error.message));
  const entry = (row) => h("li", {},
    h("div", {}, h("strong", {}, h("bdi", {}, row.name)), h("span", { class: "soft" }, ` ${row.folder} · ${ago(row.added)}`), row.snippet ? h("p", { class: "snippet", dir: "auto" }, row.snippet) : null),
    h("div", { class: "row" },
      h("button", { onclick: () => attempt(() => look(row)), "aria-label": `Open ${row.name}` }, "Open"),
      h("button", { onclick: () => attempt(() => download(`/v1/documents/${row.id}`, {}, row.name)), "aria-label": `Download ${row.name}` }, "Download")));
  async function look(row) {
    const found = await call(`/v1/preview/${row.id}`);
    shown.hidden = false;
    shown.replaceChildren(h("div", { class: "row between" }, h("h2", {}, h("bdi", {}, row.name)), h("button", { onclick: () => { shown.hidden = true; } }, "Close")),
      h("div", { class: "paper", tabindex: "0" }, paragraphs(found.text)));
    shown.scrollIntoView({ block: "start" });
    shown.querySelector(".paper").focus({ preventScroll: true });
  }
  room.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, "Documents"),
    h("form", { role: "search", class: "row", onsubmit: (event) => { event.preventDefault(); search(); } }, words, h("button", { class: "primary" }, "Search")),
    count, list, more, shown));
  await search();
}
