/** The maximum number of dependencies in the result of a search. */
const MAX_DEPENDENCIES = 30;

/**
 * The direct and indirect dependencies of tools: those of the best hit first, each once.
 *
 * @param names the hits, best first
 * @param needsOf the dependencies of a tool; undefined for an unknown tool
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
