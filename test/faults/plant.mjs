/*
 * Plants faults into the text of a source, all at once. Each is behind a switch: `__fault(id)` tells
 * whether the fault is on. So sources are compiled once, and not once per fault. No line moves.
 */

/** What comes before and behind a place. `__fault` is in switch.mjs. */
const EDITS = {
  'negated condition': (id) => [`(__fault(${id}) !== !!(`, '))'],
  'dropped await': (id) => [`(__fault(${id}, `, ') ? __fault.operand() : await __fault.operand())'],
  'swapped arguments': (id) => [`...__fault.swapped(${id}, [`, '])'],
  'removed line': (id) => [`{ if (!__fault(${id})) { `, ' } }'],
};

/**
 * @param text the source
 * @param places of this source, with an `id` each, in the order of placesOf()
 * @returns the text with all faults
 */
export function plant(text, places) {
  const openings = [];
  const closings = [];
  for (const { id, kind, start, end } of places) {
    const [before, behind] = EDITS[kind](id);
    openings.push({ at: start, added: before, skipped: kind === 'dropped await' ? 'await'.length : 0 });
    // Of two places that end together, the inner one is the later one.
    closings.unshift({ at: end, added: behind, skipped: 0 });
  }
  let planted = '';
  let copied = 0;
  for (const { at, added, skipped } of [...closings, ...openings].sort((a, b) => a.at - b.at)) {
    planted += text.slice(copied, at) + added;
    copied = at + skipped;
  }
  return planted + text.slice(copied);
}
