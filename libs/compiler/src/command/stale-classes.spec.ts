import { describe, expect, it } from '@jest/globals';
import { loadTypeScript } from '../typescript.js';
import { staleClasses } from './stale-classes.js';

const ts = loadTypeScript();
const metadata = (entries: string): string => `export default async () => ({ "x": { "tools": [${entries}] } });`;
const BEFORE = metadata(
  `[import("./a.js" as string), { "A": { ...{ "version": 1, "list": ["x", -1, true] } as any, classes: [() => t["./b.js"].B] } }]`,
);

describe('staleClasses', () => {
  it('does not see another format', () => {
    const after = metadata(`[import('./a.js' as string), {
      A: { ...({ version: 1, list: ['x', -1, true], } as any), classes: [() => t['./b.js'].B], },
    }]`);
    expect(staleClasses(ts, BEFORE, after)).toEqual([]);
    expect(staleClasses(ts, BEFORE, BEFORE.replace('string)', 'string).catch(() => require("./a.js"))'))).toEqual([]);
    const text = metadata(`[import("./a.js" as string), {
      "A": { ...globalThis.JSON.parse('{"version":1,"list":["x",-1,true]}'), classes: [() => t["./b.js"].B] },
    }]`);
    const quoted = text.replace(/'(.*)'/, (_all, json: string) => JSON.stringify(json));
    expect(staleClasses(ts, text, quoted)).toEqual([]);
    expect(staleClasses(ts, text, quoted.replace('-1', '1'))).toEqual(['A in ./a.js']);
  });

  it('names classes that differ, or that only one text has', () => {
    expect(staleClasses(ts, BEFORE, BEFORE.replace('-1', '1'))).toEqual(['A in ./a.js']);
    expect(staleClasses(ts, BEFORE, metadata('[import("./c.js"), { "C": {} }]'))).toEqual([
      'A in ./a.js',
      'C in ./c.js',
    ]);
  });
});
