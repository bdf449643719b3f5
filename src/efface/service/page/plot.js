// Lines over a few places, as SVG, with the numbers in a table for who does not see it. The same look as in reports.

import { h, svg } from "./dom.js";

const WIDTH = 640, HEIGHT = 240, LEFT = 48, RIGHT = 14, TOP = 22, BOTTOM = 40;
const STYLES = 12; // line1 to line12 in look.css, no two alike
const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

// `lines`: [{ name, shares, counts? }], a share (0 to 1) or null for each place.
export function plot({ title, axis, places, lines }) {
  const low = Math.min(...places), high = Math.max(...places);
  const x = (place) => LEFT + (high > low ? (place - low) / (high - low) : 0.5) * (WIDTH - LEFT - RIGHT);
  const y = (share) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const label = (text, left, top, anchor) => svg("text", { x: left, y: top, "text-anchor": anchor }, text);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    svg("line", { class: share ? "grid" : "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share) }), label(`${100 * share} %`, LEFT - 8, y(share) + 4, "end")]);
  const ticks = places.map((place) => label(String(place), x(place), HEIGHT - BOTTOM + 16, "middle"));
  const drawn = lines.flatMap((line, number) => {
    const known = places.map((place, at) => [place, line.shares[at]]).filter(([, share]) => share !== null && share !== undefined);
    const style = `line${(number % STYLES) + 1}`;
    return [svg("polyline", { class: style, points: known.map(([place, share]) => `${x(place)},${y(share)}`).join(" ") }),
      ...known.map(([place, share]) => svg("circle", { class: style, cx: x(place), cy: y(share), r: 4 }, svg("title", {}, `${line.name}: ${percent(share)} at ${place}`)))];
  });
  const picture = svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}: ${lines.map((line) => line.name).join(", ")} over ${axis}` },
    ...grid, ...ticks, label(axis, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle"), ...drawn);
  const names = h("ul", { class: "plot-names" }, lines.map((line, number) => h("li", {}, svg("svg", { class: "plot", viewBox: "0 0 26 8", "aria-hidden": "true" }, svg("polyline", { class: `line${(number % STYLES) + 1}`, points: "0,4 26,4" })), line.name)));
  const rows = places.map((place, at) => h("tr", {}, h("th", { scope: "row" }, String(place)), lines.map((line) => h("td", {}, percent(line.shares[at] ?? null), line.counts ? h("span", { class: "soft" }, ` of ${line.counts[at]}`) : null))));
  return h("figure", {}, h("figcaption", {}, title), names, picture,
    h("details", {}, h("summary", {}, "The numbers"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${title}: the numbers` }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, axis), lines.map((line) => h("th", { scope: "col" }, line.name)))), h("tbody", {}, rows)))));
}
