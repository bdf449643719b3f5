// Marking by hand: what the finder missed, as text, as an area of a page, as a whole page or as a column of a table.

import { call } from "../api.js";
import { ask, h, say } from "../dom.js";
import { bareTerm, wholeWords } from "./selected_words.js";
import { counted } from "./words.js";

const TYPES = [["", "redacted"], ["PERSON", "person"], ["LOCATION", "place"], ["ORGANIZATION", "organisation"], ["DATE_TIME", "date"], ["ID_NUMBER", "number"], ["MISC", "something else"]];
const LONGEST = 2000; // characters of a term that is looked for everywhere
const LEAST = 0.004; // of a page: a smaller drag is a slip of the hand

// The toolbar over selected text. It hangs in the page once and moves to the selection.
export class Marking {
  constructor(review) {
    this.review = review;
    this.type = h("select", { "aria-label": "What it is" }, TYPES.map(([value, name]) => h("option", { value }, name)));
    this.code = h("select", { "aria-label": "Exemption code", hidden: true });
    const button = (name, act, key) => h("button", { title: key || null, onclick: act }, name);
    this.everywhere = button("In the matter", () => this.mark("matter"));
    this.element = h("div", { class: "marking", role: "toolbar", "aria-label": "Mark the selection", hidden: true },
      this.type, this.code, button("Redact here", () => this.mark("here"), "x"), button("Everywhere", () => this.mark("everywhere"), "Shift+X"), this.everywhere);
    this.onchange = () => this.follow();
    document.addEventListener("selectionchange", this.onchange);
    this.ondraw = { down: (event) => this.begin(event), move: (event) => this.draw(event), up: () => this.end() };
    const paper = review.paper.element;
    paper.addEventListener("pointerdown", this.ondraw.down);
    paper.addEventListener("pointermove", this.ondraw.move);
    window.addEventListener("pointerup", this.ondraw.up);
    paper.addEventListener("contextmenu", (event) => this.context(event));
  }

  close() {
    document.removeEventListener("selectionchange", this.onchange);
    window.removeEventListener("pointerup", this.ondraw.up);
    this.element.remove();
  }

  // The policy's codes, once the view is there.
  setCodes(codes) {
    const names = Object.keys(codes || {});
    const chosen = this.code.value;
    this.code.hidden = !names.length;
    this.code.replaceChildren(h("option", { value: "" }, "no code"), ...names.map((name) => h("option", { value: name, title: codes[name] }, name)));
    this.code.value = names.includes(chosen) ? chosen : "";
    this.everywhere.hidden = !this.review.data.review.matter;
  }

  // Beside the selection, or away when nothing of the document is selected.
  follow() {
    const place = getSelection().isCollapsed ? null : this.review.paper.selection?.();
    this.place = place || this.place;
    this.element.hidden = !place && !this.element.contains(document.activeElement);
    if (this.element.hidden) this.place = null; // a key must not redact what was selected some time ago
    if (!place) return;
    if (!this.element.isConnected) document.body.append(this.element);
    const box = getSelection().getRangeAt(0).getBoundingClientRect();
    if (!box.width && !box.height) { this.element.hidden = true; return; } // the original is out of sight
    const width = this.element.offsetWidth || 300;
    this.element.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 8))}px`;
    this.element.style.top = `${box.top > 60 ? box.top - this.element.offsetHeight - 6 : box.bottom + 6}px`;
  }

  // What type and code a mark gets.
  get extras() {
    const found = {};
    if (this.type.value) found.type = this.type.value;
    if (this.code.value) found.code = this.code.value;
    return found;
  }

  async mark(where) {
    const { text } = this.review.paper;
    const chosen = this.review.paper.selection() || this.place;
    if (!chosen) { say("Select some text first."); return; }
    const place = wholeWords(text, chosen);
    const words = text.slice(place.start, place.end);
    const term = where === "here" ? words.slice(0, LONGEST) : bareTerm(words);
    if (where !== "here" && term.length > LONGEST) { say("This is too long to be looked for everywhere: redact it here."); return; }
    this.putAway();
    const made = { kind: "redact", term, ...this.extras };
    this.type.value = ""; // what this one is says nothing of the next
    if (where === "matter") await this.inMatter(made);
    else await this.review.decide(where === "here" ? { ...made, ...place } : made);
  }

  // The selection is dealt with. The focus goes back to the document, or the toolbar would stay for its own button.
  putAway() {
    this.place = null;
    if (this.element.contains(document.activeElement)) this.review.paper.element.focus({ preventScroll: true });
    getSelection().removeAllRanges();
    this.element.hidden = true;
  }

  // A decision here and in the other documents of the matter, as one that can be undone.
  async inMatter(made) {
    if (!this.review.data.review.matter) { say("This document belongs to no matter: put it into one in the queue."); return; }
    await this.review.decide({ ...made, in_matter: true });
    await this.inOthers(made);
  }

  // The same in the other documents of the matter: a decision, or that one is undone or made again.
  async inOthers(made) {
    const { matter } = this.review.data.review;
    try {
      const { documents, left_out: left } = await call(`/v1/matters/${encodeURIComponent(matter)}/decisions`, { json: { ...made, but: this.review.id } });
      const others = documents === 1 ? "Also in 1 other document." : `Also in ${documents} other documents.`;
      const unread = left === 1 ? " 1 document could not be read: look at it yourself." : ` ${left} documents could not be read: look at them yourself.`;
      say(left ? others + unread : others);
    } catch (error) { say(error.message); }
  }

  // --- areas of a page ----------------------------------------------------------------------------------

  toggleDrawing() {
    if (!this.review.hasAreas) { say("Areas can be drawn on the pages of a PDF."); return; }
    this.isDrawing = !this.isDrawing;
    this.review.element.classList.toggle("drawing", this.isDrawing);
    this.review.drawing.setAttribute("aria-pressed", String(this.isDrawing));
    say(this.isDrawing ? "Drag over what should go. Escape ends drawing." : "");
  }

  stopDrawing() { if (this.isDrawing) this.toggleDrawing(); }

  begin(event) {
    const sheet = event.target.closest?.(".sheet");
    if (!this.isDrawing || !sheet || event.button !== 0) return;
    event.preventDefault();
    const at = position(sheet, event, this.review.pageSize.quarters);
    this.drawn = { sheet, from: at, to: at, element: h("div", { class: "area new" }) };
    sheet.append(this.drawn.element);
  }

  draw(event) {
    if (!this.drawn) return;
    this.drawn.to = position(this.drawn.sheet, event, this.review.pageSize.quarters);
    placeBox(this.drawn.element, box(this.drawn));
  }

  end() {
    if (!this.drawn) return;
    const drawn = this.drawn;
    this.drawn = null;
    drawn.element.remove();
    const found = box(drawn);
    if (found[2] - found[0] < LEAST || found[3] - found[1] < LEAST) return;
    this.takeArea(Number(drawn.sheet.dataset.page), found);
  }

  takeArea(page, found) {
    const made = { kind: "area", page, box: found.map((value) => Number(value.toFixed(5))) };
    if (this.code.value) made.code = this.code.value;
    this.review.decide(made);
  }

  // For those who use no mouse: the area in numbers.
  async askArea(page) {
    const answer = await ask(`Take an area out of page ${page + 1}`, [
      { name: "left", label: "From the left edge, in % of the page", required: true, value: "10" }, { name: "top", label: "From the top, in %", required: true, value: "10" },
      { name: "right", label: "To, from the left edge, in %", required: true, value: "50" }, { name: "bottom", label: "To, from the top, in %", required: true, value: "20" }], "Take out");
    if (!answer) return;
    const found = ["left", "top", "right", "bottom"].map((name) => Math.min(1, Math.max(0, Number(answer[name]) / 100)));
    if (found.some(Number.isNaN) || found[0] >= found[2] || found[1] >= found[3]) { say("These numbers make no area."); return; }
    this.takeArea(page, found);
  }

  takePage(page) {
    const made = { kind: "page", page };
    if (this.code.value) made.code = this.code.value;
    this.review.decide(made);
  }

  // The areas and pages that were taken out, drawn over the original.
  showAreas(areas) {
    for (const old of this.review.paper.element.querySelectorAll(".area:not(.new)")) old.remove();
    for (const sheet of this.review.paper.sheets || []) {
      sheet.element.classList.toggle("out", areas.some(([page, found]) => page === sheet.number && !found));
      for (const [page, found, code] of areas) {
        if (page !== sheet.number || !found) continue;
        const element = h("div", { class: "area" }, code || "");
        placeBox(element, found);
        sheet.element.append(element);
      }
    }
  }

  // --- right click on text or a table that no finder marked --------------------------------------------

  context(event) {
    if (event.target.closest("[data-piece]")) return; // the menu of the term, which has these items too
    const items = [...this.selectionActions(), ...this.roomActions(event.target)];
    if (!items.length) return;
    event.preventDefault();
    this.review.menu(event.clientX, event.clientY, items, "");
  }

  // The same menu by a key: for the selection, the cell of the current term, or the page in sight.
  menuHere() {
    const { paper } = this.review;
    const selected = paper.selection?.() ? getSelection().anchorNode.parentElement : null;
    const here = selected || paper.element?.querySelector(".current") || this.sheetInSight();
    const items = [...this.selectionActions(), ...(here ? this.roomActions(here) : [])];
    if (!items.length) { say("Select some text, or go to a term in a table first."); return; }
    const box = here.getBoundingClientRect();
    this.review.menu(box.left, Math.max(box.top, 60), items, "");
  }

  // What can be done with selected text: [key, name, act].
  selectionActions() {
    const selected = this.review.paper.selection?.();
    if (!selected) return [];
    this.place = selected;
    const items = [["x", "Redact here", () => this.mark("here")], ["X", "Redact everywhere", () => this.mark("everywhere")]];
    if (this.review.data.review.matter) items.push(["", "Redact in the matter", () => this.mark("matter")]);
    return [...items, ["", "Say what it is…", () => { this.follow(); this.type.focus(); }]];
  }

  // What can be done with the column or the page that something stands in.
  roomActions(element) {
    const cell = element.closest("td[data-column]");
    const sheet = element.closest(".sheet");
    const items = [];
    if (cell) items.push(["", "Take out this column", () => this.takeColumn(cell)]);
    if (sheet && this.review.hasAreas) {
      const page = Number(sheet.dataset.page);
      items.push(["", `Take out page ${page + 1}`, () => this.takePage(page)], ["", "Take out an area, in numbers…", () => this.askArea(page)]);
    }
    return items;
  }

  // The page in the middle of the window.
  sheetInSight() {
    if (!this.review.hasAreas) return null;
    const bounds = this.review.paper.element.getBoundingClientRect();
    const middle = bounds.top + bounds.height / 2;
    const found = this.review.paper.sheets.find((sheet) => sheet.element.getBoundingClientRect().bottom > middle);
    return (found || this.review.paper.sheets.at(-1))?.element;
  }

  // Every cell of the column as one decision, also one that is merged with those beside it. The first row is its heading
  // and stays.
  takeColumn(cell) {
    const [from, to] = columnsOf(cell);
    const cells = [...cell.closest("table").querySelectorAll("td[data-column]")].filter((each) => columnsOf(each)[0] < to && columnsOf(each)[1] > from);
    const places = cells.filter((each) => each.parentElement !== cells[0].parentElement).map((each) => this.review.paper.span(each)).filter(Boolean);
    if (!places.length) { say("The column has no other cells."); return; }
    const made = { kind: "redact", places };
    if (this.code.value) made.code = this.code.value;
    this.putAway();
    this.review.decide(made);
    say(`${counted(places.length, "cell")} of the column ${places.length === 1 ? "goes" : "go"}. The first row stays, as its heading.`);
  }
}

// The columns of a cell: its first one, and the one behind its last.
const columnsOf = ({ dataset }) => [Number(dataset.column), Number(dataset.column) + Number(dataset.span)];

// Where on a page the pointer is, as parts of its width and height, also when the page is shown turned by so many quarters.
function position(sheet, event, quarters = 0) {
  const bounds = sheet.getBoundingClientRect();
  const part = (value, size) => Math.min(1, Math.max(0, value / size));
  const across = part(event.clientX - bounds.left, bounds.width), down = part(event.clientY - bounds.top, bounds.height);
  return [[across, down], [down, 1 - across], [1 - across, 1 - down], [1 - down, across]][quarters];
}

const box = ({ from, to }) => [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])];

function placeBox(element, [left, top, right, bottom]) {
  element.style.cssText = `left:${100 * left}%;top:${100 * top}%;width:${100 * (right - left)}%;height:${100 * (bottom - top)}%`;
}
