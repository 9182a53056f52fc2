import type { Catalogue, QueryRow } from './data.js';
import type { SearcherFactory } from './searchers.js';

/** How good a ranking is, on the average of all requests. */
export interface Quality {
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly ndcg5: number;
  readonly mrr: number;
}

const NOTHING: Quality = { recall1: 0, recall5: 0, recall10: 0, ndcg5: 0, mrr: 0 };

/** Asks all requests of a catalogue. */
export async function measureQuality({ tools, queries }: Catalogue, make: SearcherFactory): Promise<Quality> {
  const search = await make(tools);
  let sum = NOTHING;
  for (const query of queries) sum = add(sum, qualityOf(await search(query.query), query));
  return Object.fromEntries(Object.entries(sum).map(([key, value]) => [key, value / queries.length])) as never;
}

function qualityOf(ranked: readonly string[], { relevant }: QueryRow): Quality {
  const wanted = new Set(relevant);
  const recall = (depth: number): number =>
    ranked.slice(0, depth).filter((name) => wanted.has(name)).length / wanted.size;
  const gain = (places: readonly number[]): number => places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
  const found = ranked.slice(0, 5).flatMap((name, place) => (wanted.has(name) ? [place] : []));
  const ideal = Array.from({ length: Math.min(5, wanted.size) }, (_, place) => place);
  const first = ranked.findIndex((name) => wanted.has(name));
  return {
    recall1: recall(1),
    recall5: recall(5),
    recall10: recall(10),
    ndcg5: gain(found) / gain(ideal),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

function add(a: Quality, b: Quality): Quality {
  return Object.fromEntries(
    Object.entries(a).map(([key, value]) => [key, value + b[key as keyof Quality]]),
  ) as unknown as Quality;
}
