// The keys of a review: the list in its help, and a sheet to print.

import { h } from "./dom.js";

export const KEYS = [
  ["j / k", "next and previous occurrence"], ["n / p", "next and previous term, or group that is closed: Enter opens it, r and e decide about all of it"], ["r", "redact it everywhere"], ["e", "keep it everywhere"],
  ["o", "redact this one only"], ["i", "keep this one only"], ["g", "generalise to…"], ["t", "replace by…"], ["a", "always (proposed to the policy)"],
  ["v", "never (proposed to the policy)"], ["m", "menu of the term"], ["M", "menu of the selection, the page or the column"], ["x / X", "redact the selected text: here, everywhere"], ["z", "draw an area on a page"], ["c", "exemption code for the term"], ["b", "the same in the other documents of the matter"], ["f", "turn the pages"], ["P", "Word, slides and sheets as pages or as text"], ["h", "decide by score: everything that is at least so sure"], ["u", "undo"], ["y", "redo"],
  ["/", "search in the document"], ["s", "the slider"], ["w", "why: the attacker's view"], ["l", "as it will leave, and back"], ["+ / -", "larger and smaller pages"], ["d", "download what may leave"], ["q", "the queue"], ["]", "the next document that needs somebody"], ["?", "this list"],
];

const QUEUE = [["n", "take the next: the riskiest that nobody else works on"]];

export const keyList = (keys) => h("dl", { class: "keys" }, keys.map(([key, name]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, name)]));

// The sheet: one page of paper.
export function open(room) {
  document.title = "Keys · efface";
  room.replaceChildren(h("div", { class: "wrap cheat-sheet" },
    h("div", { class: "row between" }, h("h1", {}, "efface: keys of a review"), h("button", { class: "primary", onclick: () => print() }, "Print")),
    keyList(KEYS), h("h2", {}, "In the queue"), keyList(QUEUE)));
}
