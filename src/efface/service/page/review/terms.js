// The order of the terms in the list: by risk, by doubt, by place, or in groups by type or by the thing they name.

import { inWords } from "../kinds.js";

const percent = (term) => Math.round(term.risk * 100);
const byRisk = (one, other) => percent(other) - percent(one); // what nobody can tell apart stands as in the document
const first = (term) => term.places[0]?.[0] ?? Infinity;

export const ORDERS = {
  risk: { name: "by risk", before: byRisk },
  doubt: { name: "by doubt", before: (one, other) => Math.abs(one.risk - 0.5) - Math.abs(other.risk - 0.5) },
  place: { name: "by place", before: (one, other) => first(one) - first(other) },
  type: { name: "by type", before: (one, other) => inWords(one.type).localeCompare(inWords(other.type)) || byRisk(one, other), title: (term) => inWords(term.type) },
  thing: { name: "by thing", before: (one, other) => Number(!one.gone) - Number(!other.gone) || titleOfThing(one).localeCompare(titleOfThing(other), undefined, { numeric: true }), title: titleOfThing },
};

const PLACEHOLDER = /^\[([A-Z][A-Z0-9_]*)_(\d+)\]$/;

// Terms that became the same placeholder are one thing: a person's full name, the surname and the initials.
function titleOfThing(term) {
  if (!term.gone) return "stays";
  const [, type, number] = PLACEHOLDER.exec(term.thing) || [];
  return type ? `${inWords(type)} ${number}` : term.thing || "taken out";
}

// Terms that nobody decided about and that stand only inside longer ones: what becomes of the longer one becomes of them.
// A bank's number has a card's number in it.
export function innerTerms(terms) {
  const places = terms.flatMap((term, at) => term.places.map(([start, end]) => ({ start, end, at }))).sort((a, b) => a.start - b.start || b.end - a.end);
  const outer = new Set([...terms.keys()].filter((at) => terms[at].decision || !terms[at].places.length));
  let widest = null;
  for (const place of places) {
    if (!widest || !isInside(terms, place, widest)) outer.add(place.at);
    if (!widest || place.end > widest.end) widest = place;
  }
  return new Set([...terms.keys()].filter((at) => !outer.has(at)));
}

// Whether a place is a part of another term's, and stays only if that one does.
function isInside(terms, { start, end, at }, widest) {
  const isPart = end <= widest.end && end - start < widest.end - widest.start && at !== widest.at;
  return isPart && (terms[at].gone === 0 || terms[widest.at].gone === terms[widest.at].places.length);
}

// Groups of indexes into `terms`, without those that are left out. Orders without titles are one group.
export function grouped(terms, order, leftOut = new Set()) {
  const { before, title } = ORDERS[order];
  const indexes = [...terms.keys()].filter((at) => !leftOut.has(at)).sort((a, b) => before(terms[a], terms[b]) || first(terms[a]) - first(terms[b]) || a - b);
  if (!title) return [{ title: "", members: indexes }];
  const groups = [];
  for (const at of indexes) {
    const name = title(terms[at]);
    if (groups.at(-1)?.title !== name) groups.push({ title: name, members: [] });
    groups.at(-1).members.push(at);
  }
  return groups;
}
