// The reader's page: search, a list, open, download; nothing else.

import { call, download } from "./api.js";
import { ago, h } from "./dom.js";

export async function open(main) {
  document.title = "Documents · efface";
  const words = h("input", { type: "search", name: "q", placeholder: "Words, or a document's id", "aria-label": "Search documents", maxlength: 500 });
  const list = h("ul", { class: "documents" });
  const count = h("p", { class: "soft", role: "status" });
  const shown = h("section", { class: "card reading", hidden: true, "aria-label": "The document" });
  async function search() {
    const found = await call(`/v1/documents?q=${encodeURIComponent(words.value)}`);
    count.textContent = found.total === 1 ? "1 document" : `${found.total} documents`;
    list.replaceChildren(...found.documents.map((row) => h("li", {},
      h("div", {}, h("strong", {}, h("bdi", {}, row.name)), h("span", { class: "soft" }, ` ${row.folder} · ${ago(row.added)}`), row.snippet ? h("p", { class: "snippet", dir: "auto" }, row.snippet) : null),
      h("div", { class: "row" },
        h("button", { onclick: () => look(row), "aria-label": `Open ${row.name}` }, "Open"),
        h("button", { onclick: () => download(`/v1/documents/${row.id}`, {}, row.name), "aria-label": `Download ${row.name}` }, "Download")))));
  }
  async function look(row) {
    const found = await call(`/v1/preview/${row.id}`);
    shown.hidden = false;
    shown.replaceChildren(h("div", { class: "row between" }, h("h2", {}, h("bdi", {}, row.name)), h("button", { onclick: () => { shown.hidden = true; } }, "Close")),
      h("div", { class: "paper", tabindex: "0" }, found.text.split("\n").map((line) => h("p", { class: "line", dir: "auto" }, line))));
    shown.scrollIntoView({ block: "start" });
    shown.querySelector(".paper").focus({ preventScroll: true });
  }
  main.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, "Documents"),
    h("form", { role: "search", class: "row", onsubmit: (event) => { event.preventDefault(); search(); } }, words, h("button", { class: "primary" }, "Search")),
    count, list, shown));
  await search();
}
