/** How many tools come along with the hits of one search at most. */
const MAX_DEPENDENCIES = 30;

/**
 * The tools that some others need, directly or through each other: those of the best hit first, each once.
 *
 * @param names the hits, the best first
 * @param needsOf the tools that a tool names; undefined for a tool that is not there
 */
export function dependenciesOf(
  names: readonly string[],
  needsOf: (toolName: string) => readonly string[] | undefined,
): string[] {
  const seen = new Set(names);
  const found: string[] = [];
  for (const name of names) {
    const waiting = [...(needsOf(name) ?? [])];
    for (let next = waiting.shift(); next !== undefined && found.length < MAX_DEPENDENCIES; next = waiting.shift()) {
      if (seen.has(next)) continue;
      const further = needsOf(next);
      if (!further) continue;
      seen.add(next);
      found.push(next);
      waiting.push(...further);
    }
  }
  return found;
}
