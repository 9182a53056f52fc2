import { describe, expect, it } from '@jest/globals';
import { placeOf } from './place.js';

const frame = (url: string, functionName = 'run') => ({ url, functionName, lineNumber: 9, columnNumber: 0 });

describe('the place of a function in a profile', () => {
  it.each([
    ['file:///app/libs/core/src/advisor/tool-loop.ts', 'core/advisor', 'tool-loop.ts:10'],
    ['file:///app/libs/tool-search/src/words/stem.ts', 'tool-search', 'stem.ts:10'],
    ['file:///app/node_modules/@nestjs/core/injector.js', '@nestjs/core', 'injector.js:10'],
    ['file:///app/node_modules/zod/node_modules/inner/index.js', 'inner', 'index.js:10'],
    ['node:internal/timers', 'node', 'timers:10'],
    ['file:///app/apps/benchmark/dist/work.js', 'the benchmark itself', 'work.js:10'],
  ])('%s', (url, layer, at) => {
    expect(placeOf(frame(url))).toEqual({ layer, at });
  });

  it('is the engine, or its collector, where there is no file', () => {
    expect(placeOf(frame('', '(program)'))).toEqual({ layer: 'engine', at: '' });
    expect(placeOf(frame('', '(garbage collector)')).layer).toBe('garbage collector');
  });
});
