// What the review says in words: decisions, approvals, how many places go.

import { inWords } from "../kinds.js";

export const BY_REVIEWER = "the reviewer redacted it"; // the service's reason of an edit that somebody decided

// Who approved what would leave now, whose approval counts no more, and whose eyes are missing.
export function approvals(view) {
  const names = view.approved.join(", ");
  const needsAnother = view.changed_by && view.approved.length < 2;
  const changed = needsAnother ? ` The last change is by ${view.changed_by}: somebody else must be the second.` : "";
  const saysMore = view.lapsed.length > 0 || view.approved.length > 1;
  const missing = saysMore && view.missing_eyes ? ` ${view.missing_eyes}` : changed;
  return names ? `Approved by ${names}.${missing}` : `Nobody has approved this state yet.${missing}`;
}

export const hideAmong = (value, policy) => `hide among at least ${value}${value < policy ? ` (the policy asks for ${policy})` : ""}`;
export const cutFrom = (value) => (value > 0 ? `cut what is at least ${Math.round(value * 100)} % sure` : "cut everything that was found");

// What a step of the slider changes, in places.
export function change(places) {
  if (!places) return "other words";
  return places > 0 ? `${places} more` : `${-places} fewer`;
}

// How many of a term's places go.
export function share(gone, all) {
  if (gone === 0) return all === 1 ? "stays" : `all ${all} stay`;
  if (gone < all) return `${gone} of ${all} go`;
  return all === 1 ? "goes" : `all ${all} go`;
}

// What somebody decided about a term, in the list.
const DECIDED = { redact: "redacted by hand", keep: "kept by hand", replace: "replaced by hand" };
export const decided = (decision) => DECIDED[decision] || decision;

export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// What somebody set the slider to: a share of certainty, or a crowd.
const strength = (value, kind) => (kind === "k" || value > 1 ? `hides among at least ${value}` : cutFrom(value).replace("cut", "cuts"));

export function describe(entry, kind = "") {
  const where = entry.places ? ` in ${counted(entry.places.length, "place")}` : entry.start === undefined ? "" : " in one place";
  const words = { redact: "redacts", keep: "keeps", replace: "replaces", area: `takes an area out of page ${(entry.page ?? 0) + 1}`, page: `takes out page ${(entry.page ?? 0) + 1}`, strength: strength(entry.value, kind), approve: "approves", undo: "undoes a decision", redo: "redoes a decision" };
  return `${words[entry.kind]}${entry.term ? ` “${entry.term.slice(0, 60)}”` : ""}${entry.type ? ` as ${inWords(entry.type)}` : ""}${entry.text ? ` by “${entry.text.slice(0, 60)}”` : ""}${where}${entry.in_matter ? " in the matter" : ""}${entry.code ? ` · ${entry.code}` : ""}${entry.propose ? " (proposed to the policy)" : ""}`;
}
