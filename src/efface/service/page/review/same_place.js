// Two readings of one document beside each other: what stands at the top of the first comes to the top of the second.

// How far a place moves when the edits before it are made: [start, end, replacement].
export function moved(place, edits) {
  let by = 0;
  for (const [start, end, replacement] of edits) {
    if (start >= place) break;
    by += [...replacement].length - (Math.min(end, place) - start);
  }
  return place + by;
}

// The blocks of a paper that stand in the order of its text: its lines, and the rows of its tables. They are looked for once,
// since every step of a scroll asks for them.
const known = new WeakMap();
function blocks(paper) {
  const first = paper.element.firstElementChild; // another one once the paper is laid anew
  if (known.get(paper)?.first !== first) {
    const all = [...paper.element.querySelectorAll(":scope > p:not(.part), :scope > table > tr")];
    known.set(paper, { first, list: all.filter((block) => paper.span(block)) });
  }
  return known.get(paper).list;
}

// The last block of which `isBefore` is true, or the first one.
function last(list, isBefore) {
  let low = 0, high = list.length;
  while (low < high) { const middle = (low + high) >> 1; if (isBefore(list[middle])) low = middle + 1; else high = middle; }
  return list[Math.max(0, low - 1)];
}

// Scroll `other` so that it shows what `scroller` shows of `paper`. False where one of them has no text to go by.
export function follow(paper, scroller, copy, other, edits) {
  const mine = blocks(paper), theirs = blocks(copy);
  if (!mine.length || !theirs.length) return false;
  const top = scroller.getBoundingClientRect().top;
  const first = last(mine, (block) => block.getBoundingClientRect().top <= top);
  const wanted = moved(paper.span(first)[0], edits);
  const twin = last(theirs, (block) => copy.span(block)[0] <= wanted);
  other.scrollTop += twin.getBoundingClientRect().top - other.getBoundingClientRect().top - (first.getBoundingClientRect().top - top);
  return true;
}

// The same for pages. Those that were taken out have no twin; false where the others are not as many.
export function followPages(scroller, other, areas) {
  const [mine, theirs] = [scroller, other].map((element) => [...element.querySelectorAll(".sheet")]);
  const out = new Set(areas.filter(([, box]) => !box).map(([page]) => page));
  if (!theirs.length || mine.length - out.size !== theirs.length) return false;
  const top = scroller.getBoundingClientRect().top;
  const first = last(mine, (sheet) => sheet.getBoundingClientRect().top <= top);
  const at = mine.indexOf(first), bounds = first.getBoundingClientRect();
  const twin = theirs[Math.min(theirs.length - 1, at - [...out].filter((page) => page < at).length)].getBoundingClientRect();
  const down = out.has(at) ? 0 : (top - bounds.top) / bounds.height; // what follows a page that is out stands at its end
  other.scrollTop += twin.top - other.getBoundingClientRect().top + down * twin.height;
  return true;
}
