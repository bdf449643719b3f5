// Places of a text, as they are counted and found within others.

// Places that overlap as one, as they are on the page.
export function merged(places) {
  const found = [];
  for (const [start, end] of [...places].sort(([one], [other]) => one - other)) {
    const last = found.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end); else found.push([start, end]);
  }
  return found;
}

// Whether a place lies within one of these.
export function within(places) {
  const sorted = [...places].sort(([one], [other]) => one - other);
  let far = -1;
  const furthest = sorted.map(([, end]) => (far = Math.max(far, end))); // by which all up to here have ended
  return (start, end) => {
    let low = 0, high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle][0] <= start) low = middle + 1; else high = middle;
    }
    return low > 0 && furthest[low - 1] >= end;
  };
}
