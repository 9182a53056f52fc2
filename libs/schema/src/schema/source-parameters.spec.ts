import { describe, expect, it } from '@jest/globals';
import { readSourceParameters } from './source-parameters.js';

const truth = true;

class Sample {
  #secret = 1;
  plain(a: string, b: number) {
    return [a, b, this.#secret];
  }
  async defaults(a = 'x, (y)', b: unknown = { c: [1, 2] }, c = -1, d = 5) {
    return [a, b, c, d];
  }
  constants(a = {}, b = Number.MAX_VALUE, c: string[] = [], d = truth) {
    return [a, b, c, d];
  }
  *generator(first: string) {
    yield first;
  }
  static fixed(value: string) {
    return value;
  }
  destructured({ a }: { a: string }, [b]: string[], ...rest: string[]) {
    return [a, b, rest];
  }
}

const read = (name: string): unknown =>
  readSourceParameters((Sample.prototype as unknown as Record<string, () => unknown>)[name]!)?.map((p) => p.name);

describe('readSourceParameters', () => {
  it('reads the parameters of methods, including async, generator and static ones', () => {
    expect(read('plain')).toEqual(['a', 'b']);
    expect(read('generator')).toEqual(['first']);
    expect(readSourceParameters(Sample.fixed)?.map((p) => p.name)).toEqual(['value']);
  });

  it('is not misled by commas and brackets in default values, and reads plain ones', () => {
    expect(readSourceParameters(Sample.prototype.defaults)).toEqual([
      { name: 'a', hasDefault: true, isRest: false, defaultValue: 'x, (y)' },
      { name: 'b', hasDefault: true, isRest: false },
      { name: 'c', hasDefault: true, isRest: false, defaultValue: -1 },
      { name: 'd', hasDefault: true, isRest: false, defaultValue: 5 },
    ]);
  });

  it('knows that there is a default value that it cannot read', () => {
    const unread = { hasDefault: true, isRest: false };
    expect(readSourceParameters(Sample.prototype.constants)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => ({ name, ...unread })),
    );
  });

  it('does not read the names of a function with which a decorator replaced a method', () => {
    expect(readSourceParameters((x: string) => x)).toBeUndefined();
    const holder = { value: null as unknown };
    holder.value = (() =>
      function (this: unknown, self: unknown) {
        return self;
      })();
    expect(readSourceParameters(holder.value as () => unknown)).toBeUndefined();
    expect(
      readSourceParameters(function wrapper(this: unknown, self: unknown) {
        return self;
      }),
    ).toBeUndefined();
  });

  it('returns no names of destructured parameters, and recognizes the rest parameter', () => {
    expect(readSourceParameters(Sample.prototype.destructured)).toMatchObject([
      { name: undefined },
      { name: undefined },
      { name: 'rest', isRest: true },
    ]);
  });

  it('returns undefined for functions without source', () => {
    expect(readSourceParameters(Math.max)).toBeUndefined();
    expect(readSourceParameters(Sample.prototype.plain.bind(undefined as never))).toBeUndefined();
  });
});
