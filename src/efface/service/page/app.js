// Which page this is: sign-in, the reader's, the queue, a review, two views.

import { Lost, call, may, person, signIn, signOut, whoami } from "./api.js";
import { h, say } from "./dom.js";
import { go } from "./places.js";

const PASSING = new Set([429, 503, 504]); // these say nothing of the document
const PAGES = {
  "": () => import("./queue.js"),
  read: () => import("./read.js"),
  review: () => import("./review/review.js"),
  compare: () => import("./compare.js"),
  game: () => import("./game.js"),
  keys: () => import("./keys.js"),
};
const LOADED_ANEW = "efface.loaded-anew"; // said once a lost file has made the page load again
let here = new AbortController(); // ends when another page is shown

window.addEventListener("popstate", () => show());
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-go]");
  if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); go(link.dataset.go); }
});

// A page draws into a room of its own and ends with its signal. One that is left while it still opens shows nothing
// and hears no key.
async function show() {
  here.abort();
  const { signal } = here = new AbortController();
  const main = document.getElementById("main");
  if (!person.name) {
    try { await whoami(); } catch (error) { return welcome(main, error.status === 401 ? returned() : error.message); }
    if (signal.aborted) return;
  }
  const [page, ...rest] = location.pathname.replace(/^\/app\/?/, "").split("/");
  const wanted = !may("review") && (page === "" || page === "review") ? "read" : page;
  head(wanted);
  const room = h("div", { class: "room" }, h("p", { class: "soft pad" }, "Opening…"));
  main.replaceChildren(room);
  try {
    const module = await loaded(PAGES[wanted] || PAGES[""]);
    if (!signal.aborted) await module.open(room, signal, ...rest);
  } catch (error) {
    if (signal.aborted) return;
    if (error.status === 401) { person.name = ""; return show(); }
    room.replaceChildren(h("section", { class: "card narrow" }, h("h1", {}, "This cannot be shown"), h("p", {}, error.message),
      error instanceof Lost || PASSING.has(error.status) ? h("button", { class: "primary", onclick: () => location.reload() }, "Try again") : null));
  }
}

// The module of a page. A browser that lost one of its files does not ask for it again, so the page is loaded anew,
// once, if the service answers.
async function loaded(page) {
  try {
    const module = await page();
    sessionStorage.removeItem(LOADED_ANEW);
    return module;
  } catch {
    const isFirst = !sessionStorage.getItem(LOADED_ANEW);
    const isThere = isFirst && await fetch("/app/", { cache: "no-store" }).then((answer) => answer.ok, () => false);
    if (!isThere) throw new Lost("The service cannot be reached.");
    sessionStorage.setItem(LOADED_ANEW, "yes");
    location.reload();
    return new Promise(() => {}); // this page ends here
  }
}

function head(page) {
  const tab = (to, name) => h("a", { href: `/app/${to}`, "data-go": to, "aria-current": page === to ? "page" : null }, name);
  document.getElementById("top").replaceChildren(
    h("a", { class: "brand", href: "/app/", "data-go": "" }, "efface"),
    may("review")
      ? h("nav", { "aria-label": "Pages" }, tab("", "Queue"), tab("read", "Documents"), tab("game", "Game"), may("admin") ? tab("compare", "View as") : null)
      : h("span", {}),
    h("span", { class: "me" }, h("span", { class: "soft" }, person.name), h("button", { class: "quiet", onclick: async () => { await signOut().catch(() => {}); location.assign("/app/"); } }, "Sign out")));
}

function welcome(main, trouble) {
  document.getElementById("top").replaceChildren(h("span", { class: "brand" }, "efface"));
  const token = h("input", { type: "password", name: "token", required: true, autocomplete: "current-password", spellcheck: "false" });
  const problem = h("p", { class: "problem", role: "alert" }, trouble);
  main.replaceChildren(h("section", { class: "card narrow" }, h("h1", {}, "Sign in"),
    h("form", { onsubmit: async (event) => {
      event.preventDefault();
      try { await signIn(token.value.trim()); token.value = ""; say(""); await show(); } catch (error) {
        problem.textContent = error.status === 401 ? "This token opens nothing. Ask whoever runs the service for another." : error.message;
        token.select();
      }
    } }, h("label", {}, h("span", {}, "Your token"), token), problem, h("button", { class: "primary" }, "Sign in"))));
  token.focus();
  company(main.querySelector("h1"));
}

// A company's own account, where the service knows one. Signing in there comes back to the page that was wanted.
async function company(heading) {
  const ways = await call("/v1/sign-in").catch(() => ({}));
  if (!ways.company) return;
  heading.after(
    h("p", {}, h("a", { class: "button", href: `${ways.company}?to=${encodeURIComponent(location.pathname)}` }, "Sign in with your company account")),
    ways.sign_out ? h("p", {}, h("a", { class: "soft", href: ways.sign_out }, "Sign out of your company account")) : "",
    h("p", { class: "soft" }, "Or with a token:"));
}

function returned() {
  if (location.hash !== "#sign-in-failed") return "";
  history.replaceState(null, "", location.pathname);
  return "Signing in with your company account did not work. Try again, or ask whoever runs the service.";
}

show();
