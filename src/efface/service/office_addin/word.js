// The open document through Office.js: read it, show a place, replace places. Nothing else talks to Word.

import { Text } from "/app/review/paper.js";

const SLICE = 4 << 20;
const LONGEST = 255; // of what Word searches for

// The whole file, as it would be saved.
export function readDocument() {
  return new Promise((resolve, reject) => {
    Office.context.document.getFileAsync(Office.FileType.Compressed, { sliceSize: SLICE }, async (opened) => {
      if (opened.status !== Office.AsyncResultStatus.Succeeded) { reject(new Error("Word does not give the document.")); return; }
      const file = opened.value;
      const parts = [];
      try {
        for (let number = 0; number < file.sliceCount; number += 1) parts.push(new Uint8Array((await slice(file, number)).data));
        resolve(new Blob(parts));
      } catch (error) { reject(error); } finally { file.closeAsync(() => {}); }
    });
  });
}

const slice = (file, number) => new Promise((resolve, reject) => file.getSliceAsync(number, (found) => (found.status === Office.AsyncResultStatus.Succeeded ? resolve(found.value) : reject(new Error("Word does not give the document.")))));

// A new window with this file.
export async function openCopy(base64) {
  await Word.run(async (context) => { context.application.createDocument(base64).open(); await context.sync(); });
}

export async function selectedText() {
  return Word.run(async (context) => {
    const range = context.document.getSelection();
    range.load("text");
    await context.sync();
    return range.text;
  });
}

// What Word can search for: one line, not too long; its own sign for special characters is doubled.
const searchable = (surface) => (surface.length <= LONGEST && !/[\n\r\t\u000b\u000c]/.test(surface) ? surface.replaceAll("^", "^^") : null);

// Where Word looks for a part of the text that efface read.
function bodies(context, part, sections) {
  if (part === "body") return [context.document.body];
  const kinds = ["Primary", "FirstPage", "EvenPages"];
  if (part.startsWith("header")) return sections.items.flatMap((section) => kinds.map((kind) => section.getHeader(kind)));
  if (part.startsWith("footer")) return sections.items.flatMap((section) => kinds.map((kind) => section.getFooter(kind)));
  return [];
}

// The document as Word shows it, in the place of the page's own paper.
export class WordPaper {
  constructor(data) {
    this.text = new Text(data.text);
    this.parts = data.parts;
    this.element = document.createElement("div"); // Word shows the document
  }
  lay(_spans, classes) { this.classes = classes; }
  repaint() {}
  showAndSelect({ start, end }) { return this.show(start, end); }
  search(words) { return this.text.search(words); }
  close() {}

  // Each place with its part, its words, and which occurrence of them in that part it is.
  place(start, end) {
    const part = this.parts.find(([, from, to]) => from <= start && end <= to);
    if (!part) return null;
    const surface = this.text.slice(start, end);
    const inside = this.text.slice(part[1], part[2]);
    const before = this.text.slice(part[1], start).length;
    let ordinal = -1, count = 0;
    for (let at = inside.indexOf(surface); at >= 0; at = inside.indexOf(surface, at + surface.length)) { if (at === before) ordinal = count; count += 1; }
    return ordinal < 0 ? null : { part: part[0].split(" ")[0], surface, ordinal, count };
  }

  // Select a place in Word.
  async show(start, end) {
    const place = this.place(start, end);
    const words = place && searchable(place.surface);
    if (!words) return;
    await Word.run(async (context) => {
      const found = await this.ranges(context, new Map([[`${place.part}\n${words}`, { part: place.part, words }]]));
      const ranges = [...found.values()][0];
      ranges[Math.min(place.ordinal, ranges.length - 1)]?.select();
      await context.sync();
    }).catch(() => {});
  }

  async ranges(context, wanted) {
    const sections = context.document.sections;
    sections.load("items");
    await context.sync();
    const searches = new Map();
    for (const [key, { part, words }] of wanted) {
      searches.set(key, bodies(context, part, sections).map((body) => { const results = body.search(words, { matchCase: true }); results.load("items"); return results; }));
    }
    await context.sync();
    return new Map([...searches].map(([key, results]) => [key, results.flatMap((one) => one.items)]));
  }

  // Replace places in the open document. What cannot be reached, or is not where it was read, is left and counted.
  async redact(edits) {
    const groups = new Map();
    let left = 0;
    for (const [start, end, replacement] of edits) {
      const place = this.place(start, end);
      const words = place && ["body", "header", "footer"].includes(place.part) ? searchable(place.surface) : null;
      if (!words) { left += 1; continue; }
      const key = `${place.part}\n${words}`;
      const group = groups.get(key) || { part: place.part, words, count: place.count, places: [] };
      group.places.push([place.ordinal, replacement]);
      groups.set(key, group);
    }
    let done = 0;
    await Word.run(async (context) => {
      if (Office.context.requirements.isSetSupported("WordApi", "1.4")) context.document.changeTrackingMode = "Off"; // a tracked deletion keeps the words
      const found = await this.ranges(context, groups);
      for (const [key, group] of groups) {
        const ranges = found.get(key);
        const everywhere = group.places.length === group.count;
        if (ranges.length !== group.count && !everywhere) { left += group.places.length; continue; }
        const wanted = everywhere && ranges.length !== group.count ? ranges.map((_, at) => [at, group.places[Math.min(at, group.places.length - 1)][1]]) : group.places;
        for (const [ordinal, replacement] of wanted) { ranges[ordinal].insertText(replacement, "Replace"); done += 1; }
        left += Math.max(0, group.places.length - ranges.length);
      }
      await context.sync();
    });
    return { done, left };
  }
}
