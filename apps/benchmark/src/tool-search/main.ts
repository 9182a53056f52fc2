/* How well tools are found, how fast, and what that saves: `TOOLRET_DIR=… npm run bench:tool-search`. */
import 'reflect-metadata';
import { type Catalogue, DATA_NEEDED, filesOf, hasData, readCatalogues } from './data.js';
import { printDependencies } from './dependencies.js';
import { printMemory } from './memory.js';
import { measureQuality, type Quality } from './quality.js';
import { byKeyword, byMeaningToo, loadEmbeddings, minisearchByDefault, type SearcherFactory } from './searchers.js';
import { printSpeed } from './speed.js';
import { printTokens } from './tokens.js';

const COLUMNS: readonly (keyof Quality)[] = ['recall1', 'recall5', 'recall10', 'ndcg5', 'mrr'];

async function main(): Promise<void> {
  const folder = process.env.TOOLRET_DIR;
  if (!hasData(folder)) {
    console.error(DATA_NEEDED);
    process.exitCode = 2;
    return;
  }
  const catalogues = readCatalogues(folder);
  const union = catalogues.at(-1)!;
  // Before the encoder is there, which takes memory and time of its own.
  await printMemory(union.tools);
  await printTokens(union);
  await printSpeed(catalogues);
  await printDependencies(catalogues);
  const embeddings = await loadEmbeddings();
  const searchers: [string, SearcherFactory][] = [
    ['minisearch, defaults', minisearchByDefault],
    ['keyword', byKeyword],
    ...(embeddings ? [['hybrid', byMeaningToo(embeddings)] as [string, SearcherFactory]] : []),
  ];
  console.log(
    `\nRequests of ${[...filesOf(folder, 'queries'), ...filesOf(folder, 'sealtools-queries')].join(', ')}:\n`,
  );
  console.log('| catalogue | search | Recall@1 | Recall@5 | Recall@10 | nDCG@5 | MRR@10 |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
  for (const catalogue of catalogues) {
    for (const [name, make] of searchers) console.log(rowOf(catalogue, name, await measureQuality(catalogue, make)));
  }
}

function rowOf({ name, tools, queries }: Catalogue, searcher: string, quality: Quality): string {
  const figures = COLUMNS.map((column) => quality[column].toFixed(3)).join(' | ');
  return `| ${name} (${tools.length} tools, ${queries.length} requests) | ${searcher} | ${figures} |`;
}

await main();
