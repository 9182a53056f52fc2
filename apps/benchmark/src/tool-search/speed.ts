import type { Catalogue, ToolRow } from './data.js';
import { byKeyword, minisearchByDefault, type SearcherFactory } from './searchers.js';

const TOOLS = 10_000;

/** One request of so many is asked: the default settings of the peer take their time. */
const EVERY = 4;

/** Ten thousand tools: all there are, and copies under other names. */
function manyTools(catalogues: readonly Catalogue[]): ToolRow[] {
  const all = [...new Map(catalogues.flatMap(({ tools }) => tools).map((tool) => [tool.name, tool])).values()];
  return Array.from({ length: TOOLS }, (_, index) => {
    const tool = all[index % all.length]!;
    const copy = Math.floor(index / all.length);
    return copy === 0 ? tool : { ...tool, name: `${tool.name}_v${copy}` };
  });
}

const percentile = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)]!;

async function measure(name: string, make: SearcherFactory, tools: readonly ToolRow[], queries: readonly string[]) {
  const startedAt = performance.now();
  const search = await make(tools);
  const indexed = performance.now() - startedAt;
  // A server runs for days: what is measured is code that the engine has compiled.
  for (const query of queries) await search(query);
  const times: number[] = [];
  for (const query of queries) {
    const before = performance.now();
    await search(query);
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  return { name, indexed, median: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** How long searches among ten thousand tools take. */
export async function printSpeed(catalogues: readonly Catalogue[]): Promise<void> {
  const tools = manyTools(catalogues);
  // The union has the requests of all but the catalogue that stands apart.
  const queries = catalogues
    .filter(({ name }) => name === 'union' || name === 'sealtools')
    .flatMap((one) => one.queries);
  const texts = queries.filter((_query, index) => index % EVERY === 0).map(({ query }) => query);
  console.log(`\n${TOOLS} tools, ${texts.length} requests, one after the other:`);
  const own = await measure('keyword', byKeyword, tools, texts);
  const peer = await measure('minisearch', minisearchByDefault, tools, texts);
  for (const { name, indexed, median, p95 } of [own, peer]) {
    console.log(
      `  ${name.padEnd(11)} search p50 ${median.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms; indexed in ${(indexed / 1000).toFixed(2)} s`,
    );
  }
  console.log(
    `  keyword takes ${(own.p95 / peer.p95).toFixed(2)} of the time of minisearch with its defaults at p95, and ${(own.indexed / peer.indexed).toFixed(2)} of it to index`,
  );
}
