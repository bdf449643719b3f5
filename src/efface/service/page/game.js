// The guessing game: which class does a redacted document hide? Beside the automatic attackers.

import { call, may, person } from "./api.js";
import { ago, ask, fill, h, say } from "./dom.js";
import { plot } from "./plot.js";

export async function open(room, signal, id, part) {
  if (!id) return games(room, signal);
  return part === "results" ? results(room, id) : play(room, signal, id);
}

// --- which games there are ------------------------------------------------------------------------------

async function games(room, signal) {
  document.title = "Guessing game · efface";
  const body = h("tbody");
  let rows = [];
  async function refresh() {
    rows = (await call("/v1/games")).games;
    body.replaceChildren(...rows.map((row) => h("tr", {},
      h("td", {}, row.state === "open" ? h("a", { href: `/app/game/${row.id}`, "data-go": `game/${row.id}` }, h("bdi", {}, row.title)) : h("bdi", {}, row.title), row.problem ? h("p", { class: "soft small" }, row.problem) : null),
      h("td", {}, h("span", { class: `state ${row.state === "failed" ? "failed" : ""}` }, row.state === "open" ? `${row.answered} of ${row.documents}` : row.state)),
      h("td", { class: "wide soft" }, ago(row.created)),
      may("review") ? h("td", {}, h("div", { class: "row" }, row.state === "open" ? h("a", { href: `/app/game/${row.id}/results`, "data-go": `game/${row.id}/results` }, "Results") : null,
        row.owner === person.name || may("admin") ? h("button", { class: "quiet", "aria-label": `End ${row.title}`, onclick: () => end(row) }, "End") : null)) : null)));
    if (!rows.length) body.append(h("tr", {}, h("td", { colspan: "4", class: "soft" }, "There is no game yet.")));
  }
  async function end(row) {
    if (!(await ask(`End “${row.title}” and forget its answers?`, [], "End the game"))) return;
    try { await call(`/v1/games/${row.id}`, { method: "DELETE" }); } catch (error) { say(error.message); }
    await refresh();
  }
  room.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, "Guessing game"),
    h("p", { class: "soft" }, "Read a redacted document and guess which class it hides. A point for the right class, 0.05 less for every wrong one you pick."),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Games" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Game"), h("th", { scope: "col" }, "Yours"), h("th", { scope: "col", class: "wide" }, "Since"), may("review") ? h("th", { scope: "col" }, "For reviewers") : null)), body)),
    may("review") ? await maker(refresh) : null));
  await refresh();
  if (signal.aborted) return;
  const timer = setInterval(() => { if (rows.some((row) => row.state === "making")) refresh().catch(() => {}); }, 1500);
  signal.addEventListener("abort", () => clearInterval(timer));
}

async function maker(refresh) {
  const { policies } = await call("/v1/policies");
  const field = (label, input, more) => h("label", {}, h("span", {}, label), input, more ? h("small", { class: "soft" }, more) : null);
  const problem = h("p", { class: "problem", role: "alert" });
  return h("details", { class: "card" }, h("summary", {}, "Make a game"), h("form", { onsubmit: async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    form.set("k", form.get("k").replace(/\s/g, ""));
    for (const name of ["learned", "tells"]) form.set(name, form.has(name) ? "true" : "false");
    problem.textContent = "";
    try { await call("/v1/games", { method: "POST", body: form }); event.target.file.value = ""; event.target.parentElement.open = false; say("The game is being made."); } catch (error) { problem.textContent = error.message; }
    await refresh();
  } },
  field("Title", h("input", { name: "title", value: "Guess the class", maxlength: 200, required: true })),
  field("Policy that hides the class", h("select", { name: "policy", required: true }, policies.map((name) => h("option", { value: name }, name)))),
  field("Labelled documents", h("input", { type: "file", name: "file", required: true, accept: ".jsonl,.ndjson,.csv,.gz" }), "JSON lines or CSV, with the fields that the policy's model was trained on."),
  field("Levels of k", h("input", { name: "k", value: "2, 5", required: true, pattern: "[0-9]+( *, *[0-9]+)*" }), "Whoever is invited sees these documents redacted at one of the levels; level 1 shows originals."),
  field("Players", h("input", { name: "players", value: "" }), "Who is invited: names, with commas between them."),
  field("Documents", h("input", { type: "number", name: "documents", value: "20", min: 1, max: 200, required: true })),
  h("label", { class: "inline" }, h("input", { type: "checkbox", name: "learned", checked: true }), h("span", {}, "The policy's model was trained on these documents")),
  h("label", { class: "inline" }, h("input", { type: "checkbox", name: "tells" }), h("span", {}, "Tell the class after each answer")),
  problem, h("div", { class: "row end" }, h("button", { class: "primary" }, "Make the game"))));
}

// --- playing --------------------------------------------------------------------------------------------

async function play(room, signal, id) {
  let turn = await call(`/v1/games/${id}/turn`);
  document.title = `${turn.title} · efface`;
  const score = h("p", { class: "soft", role: "status" });
  const filter = h("input", { type: "search", placeholder: "Find a class  ( / )", "aria-label": "Find a class", oninput: () => narrow() });
  const choices = h("fieldset", { class: "choices" });
  const paper = h("div", { class: "paper", tabindex: "0", role: "document", "aria-label": "The document" });
  const verdict = h("div", { role: "status", "aria-live": "polite" });
  const guess = h("button", { class: "primary" }, "Guess");
  const next = h("button", { type: "button", hidden: true, onclick: () => show() }, "Next (n)");
  const cost = h("span", { class: "soft" });
  const chosen = () => [...choices.querySelectorAll("input:checked")].map((box) => box.value);
  const narrow = () => { const wanted = filter.value.toLocaleLowerCase(); for (const row of choices.querySelectorAll("label")) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted); };
  const price = () => { const count = chosen().length; guess.disabled = !count; cost.textContent = count ? `${count} picked: at best ${(1 - 0.05 * (count - 1)).toFixed(2)}, at worst ${(-0.05 * count).toFixed(2)}` : "Pick one class, or several if you are not sure."; };

  function draw() {
    score.textContent = `${turn.answered} of ${turn.documents} answered${turn.points === null ? "" : ` · ${turn.points.toFixed(2)} points`}`;
    verdict.replaceChildren();
    next.hidden = true;
    guess.hidden = turn.document === null;
    if (turn.document === null) { fill(paper, h("p", {}, "You have answered every document. Thank you.")); choices.replaceChildren(); cost.textContent = ""; return; }
    fill(paper, turn.text.split("\n").map((line) => h("p", { class: "line", dir: "auto" }, line)));
    paper.scrollTop = 0;
    choices.disabled = false;
    fill(choices, h("legend", {}, "Which class is it?"), turn.classes.map((name) => h("label", { class: "inline" }, h("input", { type: "checkbox", value: name, onchange: price }), h("bdi", {}, name))));
    filter.value = "";
    price();
  }
  async function show() { turn = await call(`/v1/games/${id}/turn`); draw(); choices.querySelector("input")?.focus(); }
  async function send(event) {
    event.preventDefault();
    if (!chosen().length || choices.disabled) return;
    guess.disabled = true;
    try {
      const worth = await call(`/v1/games/${id}/answers`, { json: { document: turn.document, guesses: chosen() } });
      choices.disabled = true;
      guess.hidden = true;
      for (const row of choices.querySelectorAll("label")) row.classList.toggle("truth", row.querySelector("input").value === worth.truth);
      if (worth.points === null) fill(verdict, h("p", {}, "Your guess is kept. This game does not tell the class."));
      else fill(verdict, h("p", { class: worth.right ? "right-answer" : "problem" }, worth.right ? "Right: " : "It is ", h("strong", {}, h("bdi", {}, worth.truth)), `, hidden at k = ${worth.k}. ${worth.points >= 0 ? "+" : "−"}${Math.abs(worth.points).toFixed(2)}`));
      score.textContent = `${turn.answered + 1} of ${turn.documents} answered${worth.points === null ? "" : ` · ${(turn.points + worth.points).toFixed(2)} points`}`;
      next.hidden = false;
      next.focus();
    } catch (error) { say(error.message); if (error.status === 409) await show(); else guess.disabled = false; }
  }
  const keys = (event) => {
    if (event.target.closest?.("input[type=search], dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n" && !next.hidden) { event.preventDefault(); show(); }
    if (event.key === "/") { event.preventDefault(); filter.focus(); }
  };
  document.addEventListener("keydown", keys, { signal });
  room.replaceChildren(h("div", { class: "wrap broad" }, h("div", { class: "row between" }, h("h1", {}, h("bdi", {}, turn.title)), score),
    h("div", { class: "play" }, paper, h("form", { class: "card", onsubmit: send }, turn.classes.length > 12 ? filter : null, choices, cost, verdict, h("div", { class: "row end" }, guess, next))),
    h("p", {}, h("a", { href: "/app/game", "data-go": "game" }, "All games"))));
  draw();
}

// --- what came out --------------------------------------------------------------------------------------

async function results(room, id) {
  const found = await call(`/v1/games/${id}/results`);
  document.title = `${found.title}: results · efface`;
  const attackers = (rows) => Object.keys(rows[0]?.attackers || {});
  const played = found.by_k.filter((row) => row.answers);
  const charts = found.by_guesses.map((row) => plot({ title: row.k === 1 ? "k = 1, not redacted: error by number of guesses" : `k = ${row.k}: error by number of guesses`, axis: "guesses", places: row.guesses,
    lines: [{ name: "people", shares: row.people, counts: row.answers }, ...Object.entries(row.attackers).map(([name, shares]) => ({ name, shares }))] }));
  if (played.length) charts.unshift(plot({ title: "Error by k, with as many guesses as people made", axis: "k", places: played.map((row) => row.k),
    lines: [{ name: "people", shares: played.map((row) => row.people), counts: played.map((row) => row.answers) }, ...attackers(played).map((name) => ({ name, shares: played.map((row) => row.attackers[name]) }))] }));
  room.replaceChildren(h("div", { class: "wrap" }, h("h1", {}, h("bdi", {}, found.title), ": results"),
    h("p", { class: "soft" }, `${found.players} ${found.players === 1 ? "player" : "players"}, ${found.answers} answers, ${found.points.toFixed(2)} points in all. The automatic attackers learned from the corpus without the documents they attack.`),
    found.answers ? null : h("p", {}, "Nobody has answered yet: only the automatic attackers are drawn."),
    charts.map((chart) => h("section", { class: "card" }, chart)),
    h("p", {}, h("a", { href: `/app/game/${id}`, "data-go": `game/${id}` }, "Play"), " · ", h("a", { href: "/app/game", "data-go": "game" }, "All games"))));
}
