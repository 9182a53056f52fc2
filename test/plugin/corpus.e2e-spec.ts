import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonSchema, ValueTypes } from '@nestor-ai/schema';
import { MEANT_DIFFERENCES } from './meant-differences.js';
import { readExportedTypes } from './read-types.js';
import { differenceOf } from './schema-meaning.js';

const CORPUS = join(import.meta.dirname, 'corpus');
const RECORDED = JSON.parse(readFileSync(join(CORPUS, 'expected.json'), 'utf8')) as Record<
  string,
  Record<string, JsonSchema>
>;

describe.each(Object.entries(RECORDED))('The types of %s', (file, recorded) => {
  let types: ReadonlyMap<string, ValueTypes>;

  beforeAll(() => {
    const module = `../corpus/${file.replace(/\.ts$/, '.js')}`;
    types = readExportedTypes(Object.keys(recorded), {}, module, { types: ['node'] });
  });

  it.each(Object.entries(recorded))('%s has the schema that is meant', (name, expected) => {
    const { schema, error } = types.get(name)!;
    const ours = error === undefined ? (schema ?? {}) : { error: error.replace(/:\d+:/, ':') };
    const difference = differenceOf(ours, expected);
    const meant = MEANT_DIFFERENCES[name];
    if (meant) {
      expect(ours).toEqual(meant.ours);
      expect(difference).toBeDefined();
    } else expect({ difference, ours: difference && ours }).toEqual({ difference: undefined, ours: undefined });
  });
});

describe('The corpus', () => {
  const names = Object.values(RECORDED).flatMap((types) => Object.keys(types));

  it('has a recorded schema for each file, and a type for each name', () => {
    expect(Object.keys(RECORDED)).toEqual(readdirSync(CORPUS).filter((name) => name.endsWith('.ts')));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(210);
  });

  it('lists differences of its own types only', () => {
    expect(Object.keys(MEANT_DIFFERENCES).filter((name) => !names.includes(name))).toEqual([]);
  });
});
