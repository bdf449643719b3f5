// The text of a document as blocks: paragraphs, items of lists, cells of tables. They are made once. New marks change only
// the blocks that they stand in, so that nothing moves under the reader.

import { h } from "../dom.js";

// What a part of the file is called above its text: a mail's "header Subject" is its subject.
const titleOf = (part) => part.replace(/(^|\s)header (?=[A-Z])/, "$1").replace(/^picture$/, "read in a picture");

export class TextBlocks {
  constructor(paper, blocks) {
    this.paper = paper;
    this.lines = blocks.map((block) => ({ block, element: shaped(block), key: null, marks: [] }));
    paper.element.replaceChildren(...this.arrange());
  }

  // Blocks in their tables, and what is no prose folded away under the text.
  arrange() {
    const out = [], folded = [];
    let table = null, part = null;
    for (const { block, element } of this.lines) {
      const room = block.fold ? folded : out;
      if (block.part && block.part !== part) room.push(h("p", { class: "part" }, titleOf(block.part)));
      part = block.part;
      if (!block.cell) { filled(table); table = null; room.push(element); continue; }
      if (table?.id !== block.cell[0]) { filled(table); table = newTable(block.cell[0]); out.push(table.element); }
      cellOf(table, block).append(element);
    }
    filled(table);
    if (folded.length) out.push(this.fold(folded));
    return out;
  }

  // Properties, styles and other markup: there, counted, and out of the way.
  fold(content) {
    this.summary = h("summary");
    return h("details", { class: "fold" }, this.summary, content);
  }

  // The marks of the paper's pieces. Answers whether any block had to be made anew.
  lay() {
    let isChanged = false;
    for (const line of this.lines) isChanged = this.fill(line) || isChanged;
    if (this.summary) this.summary.textContent = this.foldTitle();
    return isChanged;
  }

  foldTitle() {
    const folded = this.lines.filter(({ block }) => block.fold && !block.cell);
    const marks = folded.reduce((sum, line) => sum + line.marks.length, 0);
    return `Properties, styles and other markup: ${folded.length === 1 ? "1 line" : `${folded.length} lines`}, ${marks} marked`;
  }

  // A block whose text is cut at the same places keeps its elements; its marks belong to other pieces now.
  fill(line) {
    const cuts = this.cuts(line.block);
    const key = cuts.map(([from, to, , at]) => `${from}-${to}${at < 0 ? "" : "*"}`).join();
    const isNew = key !== line.key;
    if (isNew) this.write(line, cuts);
    line.key = key;
    const marked = cuts.filter(([, , , at]) => at >= 0);
    for (const [number, [, , , at]] of marked.entries()) {
      line.marks[number].dataset.piece = at;
      this.paper.pieces[at].elements.push(line.marks[number]);
    }
    return isNew;
  }

  write(line, cuts) {
    line.marks = [];
    const inside = cuts.map(([from, to, style, at]) => {
      let content = this.paper.node(from, to);
      if (at >= 0) line.marks.push(content = h("mark", {}, content));
      return styled(style, content);
    });
    line.element.replaceChildren(...inside);
  }

  // The runs of a block, cut where pieces begin and end: [from, to, style, number of the piece or -1].
  cuts(block) {
    const { paper } = this, { pieces } = paper, found = [];
    for (const [start, end, style] of block.runs) {
      let position = start;
      for (let at = paper.find(start, end); at >= 0 && at < pieces.length && pieces[at].start < end; at += 1) {
        const from = Math.max(pieces[at].start, start), to = Math.min(pieces[at].end, end);
        if (from > position) found.push([position, from, style, -1]);
        found.push([from, to, style, at]);
        position = to;
      }
      if (position < end) found.push([position, end, style, -1]);
    }
    return found;
  }
}

function shaped(block) {
  const heading = /^h[1-6]$/.test(block.kind) ? { role: "heading", "aria-level": block.kind[1] } : {};
  return h("p", { class: `${block.kind} ${block.kind === "li" ? `deep${block.depth || 0}` : ""}${block.flow ? " flow" : ""}`, dir: "auto", ...heading });
}

function styled(style, content) {
  for (const letter of style || "") content = h({ b: "strong", i: "em", u: "u" }[letter], {}, content);
  return content;
}

const newTable = (id) => ({ id, element: h("table"), row: null, tr: null, cell: null, td: null, next: 0, widths: new Map() });

// The cell of a table that a block belongs to; its row, and cells with nothing in them before it, are made on the way.
function cellOf(table, block) {
  const [, row, cell] = block.cell;
  if (table.row !== row) {
    Object.assign(table, { row, tr: h("tr"), cell: null, next: 0 });
    table.element.append(table.tr);
  }
  if (table.cell === cell) return table.td;
  const column = block.column ?? table.next, span = block.span ?? 1;
  for (; table.next < column; table.next += 1) table.tr.append(h("td"));
  Object.assign(table, { cell, td: h("td", { "data-column": column, "data-span": span, colspan: span > 1 ? span : null }), next: column + span });
  table.widths.set(table.tr, table.next);
  table.tr.append(table.td);
  return table.td;
}

// A row that ends before the others gets its empty cells, so that the table has all its lines.
function filled(table) {
  const widest = Math.max(0, ...(table?.widths.values() || []));
  for (const [tr, width] of table?.widths || []) for (let at = width; at < widest; at += 1) tr.append(h("td"));
}
