import { KeywordToolIndex } from '@nestor-ai/tool-search';
import type { Catalogue } from './data.js';
import { toReference } from './searchers.js';

/** How many of the tools that a request needs are there after one search, where tools say what they depend on. */
export async function printDependencies(catalogues: readonly Catalogue[]): Promise<void> {
  for (const { name, tools, queries } of catalogues) {
    const asked = queries.filter(({ withDependencies }) => withDependencies !== undefined);
    if (asked.length === 0 || name === 'union') continue;
    const [without, declared] = [new KeywordToolIndex(), new KeywordToolIndex()];
    await without.indexTools(
      'bench',
      tools.map(toReference).map(({ dependsOn: _needs, ...tool }) => tool),
    );
    await declared.indexTools('bench', tools.map(toReference));
    const shares: number[] = [];
    for (const [index, maxResults] of [
      [without, 10],
      [declared, 5],
    ] as const) {
      let share = 0;
      for (const { query, withDependencies } of asked) {
        const { toolReferences } = await index.search({ sessionId: 'bench', query, maxResults });
        const found = new Set(toolReferences.map(({ toolName }) => toolName));
        share += withDependencies!.filter((tool) => found.has(tool)).length / withDependencies!.length;
      }
      shares.push((100 * share) / asked.length);
    }
    console.log(
      `\n${name}: of the tools that a request needs with all that these depend on, the ten best hits are ${shares[0]!.toFixed(1)} %; ` +
        `the five best with what they declare are ${shares[1]!.toFixed(1)} %`,
    );
  }
}
