/* What a CPU profile says, in words: the time by layer, and the functions that take most of it. */
import type { Profiler } from 'node:inspector';
import { placeOf } from './place.js';

/** A share of the time, with the functions behind it. */
interface Share {
  readonly name: string;
  readonly percent: number;
}

export interface ProfileSummary {
  readonly layers: readonly Share[];
  readonly functions: readonly Share[];
}

const TOP = 25;

/** Self time: each moment belongs to the function that was running. */
export function summarize({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ProfileSummary {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const layers = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  samples.forEach((id, index) => {
    const { callFrame } = byId.get(id)!;
    if (callFrame.functionName === '(idle)') return;
    const time = timeDeltas[index] ?? 0;
    total += time;
    const { layer, at } = placeOf(callFrame);
    add(layers, layer, time);
    add(functions, `${callFrame.functionName || '(anonymous)'}  ${layer} ${at}`, time);
  });
  return { layers: sharesOf(layers, total), functions: sharesOf(functions, total).slice(0, TOP) };
}

/** As lines for a terminal or a file. */
export function inWords({ layers, functions }: ProfileSummary): string {
  const lines = (shares: readonly Share[]): string[] =>
    shares.map(({ name, percent }) => `${percent.toFixed(1).padStart(6)} %  ${name}`);
  return ['by layer', ...lines(layers), '', `by function, the first ${TOP}`, ...lines(functions)].join('\n');
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function sharesOf(sums: ReadonlyMap<string, number>, total: number): Share[] {
  return [...sums]
    .sort(([, x], [, y]) => y - x)
    .map(([name, time]) => ({ name, percent: total === 0 ? 0 : (time / total) * 100 }));
}
