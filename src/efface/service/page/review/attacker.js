// The attacker's view: what a reader of the file would still learn, in words and pictures.

import { h, svg } from "../dom.js";
import { counted } from "./words.js";

const MOST_LEAKS = 20;

// Everything below the verdict. `find` looks for words in the document.
export function attackerView(view, find = () => {}) {
  return [
    h("h2", {}, "What an attacker still sees"),
    view.guarantees.map((promise) => h("section", { class: "promise" },
      h("h3", { title: promise.name }, promise.title || promise.name, " ", h("span", { class: `state ${promise.verdict}` }, promise.verdict)), h("p", { class: "soft" }, promise.claim),
      h("p", {}, `Before: ${counted(promise.places ?? 0, "place")}. Left: ${promise.after ? counted(promise.after, "finding") : "nothing"}.`), promise.left.length ? h("ul", {}, promise.left.map((line, at) => h("li", {}, wordsLeft(promise.left_words?.[at] || [], find), line))) : null,
      ranking(promise.ranking), bars(promise))),
    left(view, find),
    view.notes.map((note) => h("p", { class: "soft" }, note)),
  ];
}

// The words that are left: each leads to its place.
const wordsLeft = (words, find) => words.map((word) => [h("button", { class: "word-left", title: "find it", onclick: () => find(word) }, h("bdi", {}, word)), " "]);

// What independent code found in the file. Where nothing can be made of the decisions there is no file to search.
function left(view, find) {
  if (!view.guarantees.length) return h("p", {}, "No file could be made, so none was searched.");
  if (!view.leaks.length) return h("p", {}, "No removed name is found in the file by independent code.");
  const place = ({ part, encoding }) => (encoding === "plain" ? part : `${part}, as ${encoding}`);
  return [h("p", { class: "problem" }, `Removed and still found in the file, ${view.leaks.length === 1 ? "once" : `${view.leaks.length} times`}. Look at the words and redact what is left of them:`),
    h("ul", {}, view.leaks.slice(0, MOST_LEAKS).map((leak) => h("li", {}, leak.word ? wordsLeft([leak.word], find) : "", place(leak))))];
}

// Which classes a trained reader would guess, the likeliest first, and where the true one stands.
function ranking(found) {
  if (!found) return null;
  const rows = found.classes.map(([name, place, truth]) => h("li", { class: truth ? "truth" : place < found.k ? "cover" : "", value: place, "aria-label": truth ? `${name}, the true class` : null }, h("bdi", {}, name), truth ? h("strong", {}, " the true class") : null));
  return h("div", { class: "ranking" }, h("p", {}, `A trained reader's guesses, the likeliest first. The true class is number ${found.rank} of ${found.total}; the policy asks for number ${found.k} or later.`), h("ol", {}, rows), readers(found));
}

// Where the true class stands for every reader that is planned against, beside chance.
function readers(found) {
  if (!found.readers.length) return null;
  const places = found.readers.map(([name, place]) => `${name} ${place}`).join(", ");
  return h("p", { class: "readers" }, `Its place for every reader that is planned against: ${places}. By chance a first guess is right once in ${found.total}. Other readers: `, h("code", {}, "efface attack classes"), ".");
}

export function risk(value) {
  const meter = h("span", { class: "risk", role: "img", "aria-label": `risk ${Math.round(value * 100)} %` }, h("i"));
  meter.firstChild.style.width = `${Math.round(value * 100)}%`;
  return meter;
}

function bars(promise) {
  if (!promise.measures.length) return null;
  const top = Math.max(1e-9, ...promise.measures.flatMap((one) => [one.before, one.after, one.limit]).filter((value) => value !== null));
  const width = (value) => (value === null ? 300 : (300 * value) / top);
  const shown = (value) => (value === null ? "∞" : Number(value.toPrecision(3)));
  return h("div", { class: "measures" }, h("p", { class: "soft" }, promise.unit), promise.measures.slice(0, 30).map((one) => h("div", {}, h("bdi", {}, one.secret),
    svg("svg", { viewBox: "0 0 300 20", preserveAspectRatio: "none", role: "img", "aria-label": `${one.secret}: ${shown(one.before)} before, ${shown(one.after)} after, limit ${shown(one.limit)}` },
      svg("rect", { class: "before", y: 1, height: 8, width: width(one.before) }), svg("rect", { class: "after", y: 11, height: 8, width: width(one.after) }), svg("rect", { class: "limit", x: Math.min(298, width(one.limit)), width: 2, height: 20 })),
    h("span", { class: "soft" }, `${shown(one.before)} → ${shown(one.after)}`))));
}
