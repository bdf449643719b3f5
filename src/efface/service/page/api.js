// Talking to the service. What is not safe carries the session's CSRF token.

let csrf = null;
let bearer = null; // in Word's pane there is no session: its window stands in somebody else's frame
export const person = { name: "", role: "", scopes: [], teams: {} };

export class Failed extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || "Something went wrong.");
    this.status = status;
    this.problem = problem;
  }
}
export class Lost extends Error {}

export async function call(path, options = {}) {
  const headers = { Accept: "application/json", ...(options.headers || {}) };
  if (options.json !== undefined) {
    headers["Content-Type"] = "application/json";
    options = { ...options, method: options.method || "POST", body: JSON.stringify(options.json) };
  }
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  else if (csrf && (options.method || "GET") !== "GET") headers["X-CSRF-Token"] = csrf;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, credentials: bearer ? "omit" : "same-origin" });
  } catch {
    throw new Lost("The service cannot be reached.");
  }
  if (!answer.ok) {
    let problem = {};
    try { problem = await answer.json(); } catch { /* no more is known */ }
    if (problem.type === "/problems/csrf" && !options.again && await sameAgain()) return call(path, { ...options, again: true });
    throw new Failed(answer.status, problem);
  }
  if (options.raw) return answer;
  return answer.status === 204 ? null : answer.json();
}

const AGAIN = 2000; // milliseconds until a busy service is asked again
const BUSY = new Set([429, 503, 504]); // these say nothing of the document
const TRIES = 20;

// Whether an error says nothing of what was asked for: the same question may be answered later.
export const isPassing = (error) => error instanceof Lost || error.status === 401 || BUSY.has(error.status);

// A question whose answer may take longer than a request has. The service goes on with the work, so it is asked again.
export const patientCall = (path, isLeft, waits) => patiently(() => call(path), isLeft, waits);

export async function patiently(act, isLeft = () => false, waits = () => {}) {
  for (let left = TRIES; ; left -= 1) {
    try { return await act(); } catch (error) {
      if (!BUSY.has(error.status) || !left || isLeft()) throw error;
      waits();
      await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
      if (isLeft()) throw error;
    }
  }
}

// Somebody signed in anew in another tab: if it was the same person, this page goes on in the new session.
async function sameAgain() {
  const before = person.name;
  await whoami();
  if (before && person.name !== before) location.reload();
  return person.name === before;
}

function become(me) {
  csrf = me.csrf;
  Object.assign(person, me);
  return person;
}

export async function useToken(token) { bearer = token; return token ? whoami() : null; }
export const may = (scope) => person.scopes.includes(scope);
export const whoami = async () => become(await call("/v1/me"));
export const signIn = async (token) => become(await call("/v1/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } }));
export async function signOut() {
  await call("/v1/session", { method: "DELETE" });
  csrf = null;
  Object.assign(person, { name: "", role: "", scopes: [] });
}

export async function download(path, options, name) {
  const answer = await call(path, { ...options, raw: true });
  const said = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition") || "");
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = said ? decodeURIComponent(said[1]) : name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
