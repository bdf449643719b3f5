// The document on the page: its blocks or its pages, with every finding as a mark. A repaint only changes classes.

import { call } from "../api.js";
import { h } from "../dom.js";
import { TextBlocks } from "./text_blocks.js";

// Positions from the service count code points; JavaScript counts halves of the rarer ones.
export class Text {
  constructor(string) {
    this.string = string;
    this.at = null;
    if (/[\ud800-\udbff][\udc00-\udfff]/.test(string)) {
      const places = [];
      for (let index = 0; index < string.length; index += string.codePointAt(index) > 0xffff ? 2 : 1) places.push(index);
      places.push(string.length);
      this.at = Uint32Array.from(places);
    }
  }
  slice(start, end) { return this.at ? this.string.slice(this.at[start], this.at[end]) : this.string.slice(start, end); }
  back(index) {
    if (!this.at) return index;
    let low = 0, high = this.at.length - 1;
    while (low < high) { const middle = (low + high) >> 1; if (this.at[middle] < index) low = middle + 1; else high = middle; }
    return low;
  }
  length(string) { return this.at ? [...string].length : string.length; }
  search(words) {
    const found = [];
    const wanted = folded(words), text = folded(this.string);
    for (let at = wanted ? text.indexOf(wanted) : -1; at >= 0 && found.length < 1000; at = text.indexOf(wanted, at + wanted.length)) found.push({ start: this.back(at), end: this.back(at + wanted.length) });
    return found;
  }
}

// Small letters, place for place: the few that would become longer stay as they are.
const folded = (string) => {
  const lower = string.toLowerCase();
  return lower.length === string.length ? lower : string.replace(/\p{Lu}/gu, (letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter));
};

// Spans that overlap, cut where any of them begins or ends. Each piece knows which spans cover it.
export function pieces(spans) {
  const points = [...new Set(spans.flatMap((span) => [span.start, span.end]))].sort((a, b) => a - b);
  const index = new Map(points.map((point, at) => [point, at]));
  const cover = points.map(() => []);
  for (const span of spans) for (let at = index.get(span.start); at < index.get(span.end); at += 1) cover[at].push(span);
  const found = [];
  for (let at = 0; at + 1 < points.length; at += 1) if (cover[at].length) found.push({ start: points[at], end: points[at + 1], spans: cover[at], elements: [] });
  return found;
}

// Letters that take the width of their word on the picture, so that a drag selects what it passes over.
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "100px sans-serif";
function lettersAcross(word, width, height, across) {
  const size = 0.85 * height;
  const spare = width - (ruler.measureText(word).width / 100) * size;
  return `font-size:${(100 * size) / across}cqw;letter-spacing:${(100 * spare) / across / Math.max(1, word.length)}cqw`;
}

const KEPT_PICTURES = 60;
const AGAIN = 3000; // milliseconds until a page that could not be had is asked for again

export class Paper {
  constructor(id, data, events, reading) {
    this.id = id;
    this.reading = reading;
    this.text = new Text(data.text);
    this.data = data;
    this.events = events;
    this.pieces = [];
    this.starts = new WeakMap(); // text nodes, or words of a page, to where they begin
    this.element = h("div", { class: data.pages ? "paper pages" : "paper", tabindex: "0", role: "document", "aria-label": "The document" });
    this.element.addEventListener("click", (event) => { const mark = event.target.closest("[data-piece]"); if (mark) events.pick(this.pieces[mark.dataset.piece]); });
    this.element.addEventListener("contextmenu", (event) => {
      const mark = event.target.closest("[data-piece]");
      if (mark) { event.preventDefault(); events.menu(this.pieces[mark.dataset.piece], event.clientX, event.clientY); }
    });
    for (const kind of ["wheel", "pointerdown", "touchmove"]) this.element.addEventListener(kind, () => { this.wanted = null; }, { passive: true }); // whoever scrolls on is not pulled back
    if (data.pages) this.layPages();
  }

  // The text of pages that are painted already.
  read(data) {
    this.data = data;
    this.text = new Text(data.text);
  }

  // New spans: the marks are made anew. `classes` says how a piece looks now.
  lay(spans, classes) {
    this.pieces = pieces(spans);
    this.classes = classes;
    if (this.data.pages) { for (const page of this.sheets) if (page.words) this.mark(page); return; }
    const chosen = this.selection();
    this.blocks ??= new TextBlocks(this, this.data.blocks);
    if (this.blocks.lay() && chosen) this.select(chosen.start, chosen.end); // somebody may be about to redact it
    this.repaint();
  }

  // The place in the text that an element of the page shows; null if it shows none.
  span(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let start = null, end = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!this.starts.has(node) || !node.data.trim()) continue;
      start ??= this.starts.get(node);
      end = this.starts.get(node) + this.text.length(node.data.trimEnd());
    }
    return start === null ? null : [start, end];
  }

  node(start, end) {
    const node = document.createTextNode(this.text.slice(start, end));
    this.starts.set(node, start);
    return node;
  }

  repaint(classes = this.classes) {
    this.classes = classes;
    for (const piece of this.pieces) {
      const name = classes(piece);
      if (piece.name === name) continue;
      piece.name = name;
      for (const element of piece.elements) element.className = element.dataset.word ? `word ${name}` : name;
    }
  }

  // PDF: only pages near the window are asked for; the others are empty sheets of the right size.
  layPages() {
    this.sheets = this.data.pages.map(([width, height], number) => {
      const element = h("div", { class: "sheet", "data-page": number, role: "group", "aria-label": `Page ${number + 1}` });
      element.style.aspectRatio = `${width} / ${height}`;
      element.style.setProperty("--aspect", width / height);
      return { element, number, width, height, words: null };
    });
    for (const [page, ...word] of this.data.words || []) (this.sheets[page].words ??= []).push(word);
    if (this.data.words) { // drawn pages: which word is where is known at once
      for (const sheet of this.sheets) sheet.words ??= [];
      this.placed = this.data.words.map(([page, start, end, , top]) => ({ page, start, end, down: top / this.sheets[page].height })).sort((a, b) => a.start - b.start);
    }
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const sheet = this.sheets[entry.target.dataset.page];
        clearTimeout(sheet.timer);
        if (entry.isIntersecting && this.painted) sheet.timer = setTimeout(() => this.turn(sheet, true), 60); // not those that fly by
        else this.turn(sheet, entry.isIntersecting);
      }
      this.painted = true;
    }, { rootMargin: "60% 0px" });
    for (const sheet of this.sheets) this.observer.observe(sheet.element);
    this.element.append(...this.sheets.map((sheet) => sheet.element));
  }

  async turn(sheet, visible) {
    if (!visible) { // a page out of sight gives its picture back
      if (!sheet.shown) return;
      sheet.element.replaceChildren();
      sheet.shown = false;
      if (sheet.words) for (const piece of this.pieces) piece.elements = piece.elements.filter((element) => element.isConnected);
      return;
    }
    if (sheet.shown) return;
    sheet.shown = true;
    sheet.image ??= this.picture(sheet);
    sheet.element.replaceChildren(sheet.image);
    this.remember(sheet);
    try {
      await this.readWords(sheet);
    } catch {
      sheet.shown = false;
      sheet.timer = setTimeout(() => this.turn(sheet, true), AGAIN); // a busy service; the page is still looked at
      return;
    }
    if (sheet.shown) this.mark(sheet);
  }

  // Where the words of a page stand; asked for once.
  async readWords(sheet) {
    await this.reading;
    sheet.asked ??= sheet.words ? null : call(`/v1/reviews/${this.id}/pages/${sheet.number}`).catch((error) => { sheet.asked = null; throw error; });
    sheet.words ??= (await sheet.asked).words;
  }

  // The picture of a page; one that could not be had is asked for again while the page is looked at.
  picture(sheet) {
    const address = `/v1/reviews/${this.id}/pages/${sheet.number}/image`;
    const again = () => { if (image.isConnected) image.src = address; };
    const image = h("img", { src: address, alt: "", decoding: "async", onerror: () => setTimeout(again, AGAIN) });
    return image;
  }

  // Pages that were seen lately keep their pictures, so that going back and forth fetches none again.
  remember(sheet) {
    this.seen = [...(this.seen || []).filter((known) => known !== sheet), sheet];
    if (this.seen.length <= KEPT_PICTURES) return;
    const oldest = this.seen.shift();
    if (!oldest.shown) oldest.image = null;
  }

  mark(sheet) {
    if (!sheet.shown) return;
    sheet.element.querySelector(".words")?.remove();
    const layer = h("div", { class: "words" });
    for (const [number, [start, end, left, top, right, bottom]] of sheet.words.entries()) {
      const word = h("span", { class: "word", "data-word": "1" });
      const node = this.node(start, end);
      word.append(node);
      word.style.cssText = `left:${(100 * left) / sheet.width}%;top:${(100 * top) / sheet.height}%;width:${(100 * (right - left)) / sheet.width}%;height:${(100 * (bottom - top)) / sheet.height}%;${lettersAcross(node.data, right - left, bottom - top, sheet.width)}`;
      const at = this.find(start, end);
      if (at >= 0) {
        word.style.width = `${(100 * (this.edge(at, sheet.words[number], sheet.words[number + 1]) - left)) / sheet.width}%`;
        word.dataset.piece = at;
        this.pieces[at].elements.push(word);
        this.pieces[at].name = null; // a new element: the next repaint paints it
      }
      layer.append(word, " ");
    }
    sheet.element.append(layer);
    this.repaint();
    if (this.wanted) this.bringWanted();
    this.events.turned?.();
  }

  // Where the mark of a word ends: at the next word of the line if both are of one term.
  edge(at, [, , , top, right, bottom], next) {
    if (!next || next[2] < right || next[3] >= bottom || next[5] <= top) return right;
    const after = this.find(next[0], next[1]);
    const isOne = after >= 0 && this.pieces[after].spans.some((span) => this.pieces[at].spans.includes(span));
    return isOne ? next[2] : right;
  }

  find(start, end) {
    let low = 0, high = this.pieces.length;
    while (low < high) { const middle = (low + high) >> 1; if (this.pieces[middle].end <= start) low = middle + 1; else high = middle; }
    return low < this.pieces.length && this.pieces[low].start < end ? low : -1;
  }

  // The page that a place is on, and how far down: where its first word stands, or by the page's part of the text as
  // long as the words of a PDF's page were not asked for.
  whereIs(start, end) {
    if (!this.placed) {
      const part = this.data.parts.find(([name, from, to]) => name.startsWith("page ") && from <= start && start < to);
      if (!part) return null;
      const page = Number(part[0].slice(5)) - 1, sheet = this.sheets[page];
      const word = sheet?.words?.find(([from, to]) => from < end && start < to);
      return { page, down: word ? word[3] / sheet.height : (start - part[1]) / Math.max(part[2] - part[1], 1) };
    }
    let low = 0, high = this.placed.length;
    while (low < high) { const middle = (low + high) >> 1; if (this.placed[middle].end <= start) low = middle + 1; else high = middle; }
    return this.placed[low]?.start < end ? this.placed[low] : null;
  }

  // Bring a place into sight; one on a page without words yet once these are there.
  show(start, end) {
    this.wanted = null;
    const element = this.showMark(start, end);
    if (element || !this.data.pages) return element;
    const where = this.whereIs(start, end);
    if (!where || !this.sheets[where.page]) return null;
    this.scrollToPage(where);
    this.wanted = { start, end };
    return null;
  }

  showMark(start, end) {
    const at = this.find(start, end);
    const element = at >= 0 ? this.pieces[at].elements[0] : null;
    const fold = element?.closest("details");
    if (fold) fold.open = true;
    element?.scrollIntoView({ block: "center", inline: "nearest" });
    return element;
  }

  // As far down the page as the place is likely to stand.
  scrollToPage({ page, down }) {
    const box = this.sheets[page].element.getBoundingClientRect(), room = this.element.getBoundingClientRect();
    this.element.scrollTop += box.top + down * box.height - room.top - room.height / 2;
  }

  // The place that was gone to, now that its page has words.
  bringWanted() {
    const { start, end, isSelected } = this.wanted;
    const found = isSelected ? this.select(start, end)?.parentElement : this.showMark(start, end);
    if (!found) return;
    if (isSelected) found.scrollIntoView({ block: "center", inline: "nearest" });
    this.wanted = null;
  }

  // What is selected, as a place in the text.
  selection() {
    const chosen = getSelection();
    if (!chosen.rangeCount || chosen.isCollapsed) return null;
    const range = chosen.getRangeAt(0);
    const inside = [];
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!this.starts.has(node) || !range.intersectsNode(node)) continue;
      const from = node === range.startContainer ? range.startOffset : 0;
      const to = node === range.endContainer ? range.endOffset : node.data.length;
      if (to > from) inside.push([this.starts.get(node) + this.text.length(node.data.slice(0, from)), this.starts.get(node) + this.text.length(node.data.slice(0, to))]);
    }
    if (!inside.length) return null;
    return { start: Math.min(...inside.map((one) => one[0])), end: Math.max(...inside.map((one) => one[1])) };
  }

  // Select a place; the node that it begins in, if it is drawn.
  select(start, end) {
    const range = document.createRange();
    let first = null;
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const from = this.starts.get(node);
      if (from === undefined) continue;
      const letters = [...node.data];
      const offset = (position) => letters.slice(0, position - from).join("").length;
      if (!first && from <= start && start < from + letters.length) { first = node; range.setStart(node, offset(start)); }
      const isWithin = from < end && start < from + letters.length; // folded parts stand further down than in the text
      if (first && isWithin) range.setEnd(node, offset(Math.min(end, from + letters.length)));
    }
    if (first) { getSelection().removeAllRanges(); getSelection().addRange(range); }
    return first;
  }

  search(words) { return this.text.search(words); }

  // Bring a place into sight and select it.
  showAndSelect({ start, end }) {
    this.show(start, end);
    const node = this.select(start, end);
    this.wanted = node ? null : { start, end, isSelected: true }; // its page has no words yet
    const fold = node?.parentElement.closest("details");
    if (fold) fold.open = true;
    node?.parentElement.scrollIntoView({ block: "center" });
  }

  close() {
    this.observer?.disconnect();
    for (const sheet of this.sheets || []) clearTimeout(sheet.timer);
  }
}
