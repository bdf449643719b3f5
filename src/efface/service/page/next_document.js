// Which documents of the queue wait for whoever is signed in.

import { person } from "./api.js";

const NOTHING_TO_DECIDE = new Set(["exported", "failed"]);

// Those that nobody else has, and that one has not approved oneself: they wait for somebody else then.
export function waitingForMe(rows) {
  return rows.filter((row) => !NOTHING_TO_DECIDE.has(row.state) && !row.approved.includes(person.name) && (!row.assignee || row.assignee === person.name));
}
