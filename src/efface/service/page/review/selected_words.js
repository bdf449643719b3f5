// A selection as words: a drag that ends in the middle of a word means the whole of it.

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u; // no blanks between words
const PART = /[\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]/u; // a soft hyphen and a joiner part no words
const MARK = /[\p{M}\u200c\u200d]/u; // an accent, a vowel sign: nothing without the letter before it
const EDGE = "\\s.,;:!?…()\\[\\]{}\"'“”„‘’«»";
const BEFORE = new RegExp(`^[${EDGE}]+`, "u"), AFTER = new RegExp(`[${EDGE}]$`, "u");

const isInside = (left, right) => PART.test(left) && PART.test(right) && !UNSPACED.test(left) && !UNSPACED.test(right);

// The place with the rest of the words that it begins and ends in, without blanks around it.
export function wholeWords(text, { start, end }) {
  const letter = (at) => text.slice(at, at + 1);
  const size = text.back(text.string.length);
  while (start < end - 1 && !letter(start).trim()) start += 1;
  while (end > start + 1 && !letter(end - 1).trim()) end -= 1;
  while (start > 0 && isInside(letter(start - 1), letter(start))) start -= 1;
  while (end < size && isInside(letter(end - 1), letter(end))) end += 1;
  while (start > 0 && MARK.test(letter(start))) start -= 1; // in a script without blanks, too
  while (end < size && MARK.test(letter(end))) end += 1;
  return { start, end };
}

// The words without the signs around them: "Smith," is looked for as Smith. Nothing but signs stays as it is.
export function bareTerm(words) {
  let term = words.replace(BEFORE, "");
  while (AFTER.test(term)) term = term.slice(0, -1);
  return term || words;
}
