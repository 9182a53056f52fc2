import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type ts from 'typescript';
import { compileValidator, type ValueTypes } from '@nestor-ai/schema';
import { anyJson, DECLARATIONS, randomType } from './random-types.js';
import { programOf, readExportedTypes } from './read-types.js';

const RUNS = 2;
const SEED = Number(process.env['SEED'] ?? 1);
const TYPES_PER_RUN = 100;

/** A type and a value, as text. */
interface Case {
  readonly type: string;
  readonly value: string;
}

/** Changes one value inside of a JSON value, or none. */
function mutated(value: unknown, replacement: unknown, path: readonly number[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  // One step in three adds a value, one in three removes one, and one goes inside.
  if (step % 3 === 0) {
    if (Array.isArray(copy)) copy.push(replacement);
    else copy[['a', 'b', 'c', 'extra', 'kind'][step % 5]!] = replacement;
    return copy;
  }
  const key = keys[step % keys.length];
  if (key === undefined) return replacement;
  if (step % 3 === 1 && rest.length > 0) copy[key] = mutated(copy[key], replacement, rest);
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}

const someCases = randomType.chain(({ text, value }) => {
  const changed = fc
    .tuple(value, anyJson, fc.array(fc.nat(100), { maxLength: 3 }))
    .map(([original, replacement, path]) => mutated(original, replacement, path));
  const values = fc.array(fc.oneof(value, changed, changed, anyJson), { minLength: 8, maxLength: 12 });
  return values.map((all) => ({ type: text, values: [...new Set(all.map((one) => JSON.stringify(one)))] }));
});

/** Whether TypeScript accepts each value. */
function judge(
  cases: readonly Case[],
  names: ReadonlyMap<string, string>,
  source: string,
  options: ts.CompilerOptions,
): boolean[] {
  const start = source.split('\n').length;
  const lines = cases.map(({ type, value }, index) => `const v${index}: ${names.get(type)} = ${value};`);
  const program = programOf({ 'types.ts': `${source}\n${lines.join('\n')}` }, options);
  const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('virtual/types.ts'))!;
  expect(program.getSyntacticDiagnostics(file)).toEqual([]);
  const refused = new Set<number>();
  for (const { start: position = 0 } of program.getSemanticDiagnostics(file)) {
    refused.add(file.getLineAndCharacterOfPosition(position).line);
  }
  expect([...refused].filter((line) => line < start)).toEqual([]);
  return cases.map((_, index) => !refused.has(start + index));
}

function accepts({ schema = {}, error }: ValueTypes, value: string): boolean | string {
  if (error !== undefined) return error;
  try {
    compileValidator(schema)(JSON.parse(value));
    return true;
  } catch {
    return false;
  }
}

/** Random types with names, as source code, and values for each. */
function sampled(seed: number): { cases: Case[]; names: Map<string, string>; declarations: string[] } {
  const all = fc.sample(someCases, { seed, numRuns: TYPES_PER_RUN });
  const names = new Map([...new Set(all.map(({ type }) => type))].map((type, index) => [type, `T${index}`]));
  return {
    cases: all.flatMap(({ type, values }) => values.map((value): Case => ({ type, value }))),
    names,
    declarations: [...names].map(([type, name]) => `export type ${name} = ${type};`),
  };
}

const SEEDS = Array.from({ length: RUNS }, (_, index) => SEED + index);

describe('The schemas of random types', () => {
  it.each(SEEDS)('accept what TypeScript accepts (SEED=%i)', (seed) => {
    const { cases, names, declarations } = sampled(seed);
    const source = DECLARATIONS + declarations.join('\n');
    const options: ts.CompilerOptions = { exactOptionalPropertyTypes: seed % 2 === 1 };

    const judged = judge(cases, names, source, options);
    const read = readExportedTypes([...names.values()], source, './types.js', options);

    const disagreements = cases.flatMap((one, index) => {
      const ours = accepts(read.get(names.get(one.type)!)!, one.value);
      const isRefusedOnlyByUs = judged[index] === true && ours === false && one.type.includes('Lenient<');
      return ours === judged[index] || isRefusedOnlyByUs ? [] : [{ ...one, typescript: judged[index], ours }];
    });
    disagreements.sort((a, b) => `${b.type}${b.value}`.length - `${a.type}${a.value}`.length);
    const simplestOfEachType = [...new Map(disagreements.map((one) => [one.type, one])).values()].reverse();
    expect(simplestOfEachType.slice(0, 3)).toEqual([]);
    // Both answers are common, so that the agreement means something.
    const accepted = judged.filter(Boolean).length / judged.length;
    expect(accepted).toBeGreaterThan(0.2);
    expect(accepted).toBeLessThan(0.8);
  });

  it.each(SEEDS.slice(0, Math.ceil(RUNS / 2)))('do not depend on other types of the program (SEED=%i)', (seed) => {
    const { names, declarations } = sampled(seed);
    const some = [...names.values()].filter((_, index) => index % 3 === 0);

    const among = readExportedTypes(some, DECLARATIONS + declarations.join('\n'));
    const reversed = readExportedTypes(some, declarations.toReversed().join('\n') + DECLARATIONS);

    const changed = some.filter((name) => JSON.stringify(among.get(name)) !== JSON.stringify(reversed.get(name)));
    changed.sort((a, b) => sizeOf(among.get(a)) - sizeOf(among.get(b)));
    expect(changed.slice(0, 3).map((name) => among.get(name))).toEqual(
      changed.slice(0, 3).map((name) => reversed.get(name)),
    );
    expect(changed.length).toBe(0);
  });
});

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
