import { describe, expect, it } from '@jest/globals';
import { IsString } from 'class-validator';
import { DtoBinding } from '../schema/dto-binding.js';
import type { Type } from '../type.js';
import type { TypedRevive } from './class-types.js';
import type { LoadedTypes } from './loaded-types.js';
import { compileRevive } from './typed-revive.js';

class Point {
  at: Date = new Date(5);
  tags = new Set(['default']);
  label = 'none';
  constructor(readonly x?: number) {}
  get text() {
    return `${this.label}!`;
  }
  shout() {
    return this.label;
  }
}
class Dto {
  @IsString() name!: string;
}

const classes: readonly Type[] = [Point, Dto];
const of: LoadedTypes = {
  types: { version: 1, sources: {} },
  hasClasses: true,
  classAt: (index) => classes[index]!,
};

function revive(how: TypedRevive, json: string, revives: Record<string, TypedRevive> = {}) {
  const binding = new DtoBinding();
  const value = compileRevive({ revive: how, revives }, of)!(JSON.parse(json), 'v', binding);
  return { value, issues: binding.issues.map(({ message }) => message), unvalidated: binding.unvalidated };
}
const day = '"2030-01-01"';
const date = new Date('2030-01-01');
const url = new URL('https://example.com/a');

describe('the conversion of a value by its types', () => {
  it.each<[string, TypedRevive, string, unknown]>([
    ['a date', 'date', day, date],
    ['a URL', 'url', '"https://example.com/a"', url],
    ['items', { array: 'date' }, `[${day},null,5]`, [date, null, 5]],
    ['a tuple', { tuple: ['date', null], rest: 'url' }, `[${day},${day},"${url.href}"]`, [date, '2030-01-01', url]],
    ['a short tuple', { tuple: ['date', 'date'] }, `[${day}]`, [date]],
    ['a Set', { set: 'date' }, `[${day}]`, new Set([date])],
    ['a Set of plain values', { set: null }, '[1,1,2]', new Set([1, 2])],
    [
      'a Map',
      { map: 'date' },
      `{"a":${day},"__proto__":${day}}`,
      new Map([
        ['a', date],
        ['__proto__', date],
      ]),
    ],
    ['a Map of plain values', { map: null }, '{"a":1}', new Map([['a', 1]])],
    ['a record', { object: {}, values: 'date' }, `{"a":${day},"b":${day}}`, { a: date, b: date }],
    ['named properties', { object: { a: 'date' } }, `{"a":${day},"b":${day}}`, { a: date, b: '2030-01-01' }],
    [
      'an alternative by its mark',
      { by: 'kind', cases: { a: { object: { at: 'date' } } } },
      `{"kind":"a","at":${day}}`,
      { kind: 'a', at: date },
    ],
    [
      'an alternative by a number',
      { by: 'v', cases: { 1: { object: { at: 'date' } } } },
      `{"v":1,"at":${day}}`,
      { v: 1, at: date },
    ],
    ['an unknown mark', { by: 'kind', cases: { a: 'date' } }, '{"kind":"toString"}', { kind: 'toString' }],
    ['a mark that is an object', { by: 'kind', cases: { a: 'date' } }, '{"kind":{"a":1}}', { kind: { a: 1 } }],
    [
      'a missing mark',
      { by: 'kind', cases: { undefined: { object: { at: 'date' } } } },
      `{"at":${day}}`,
      { at: '2030-01-01' },
    ],
    ['a kind: text', { kinds: { string: 'date', array: { array: 'url' } } }, day, date],
    ['a kind: a list', { kinds: { string: 'date', array: { array: 'url' } } }, `["${url.href}"]`, [url]],
    ['another kind', { kinds: { string: 'date' } }, '5', 5],
  ])('%s', (_what, how, json, expected) => {
    expect(revive(how, json).value).toEqual(expected);
  });

  it.each<[string, TypedRevive]>([
    ['date', 'date'],
    ['url', 'url'],
    ['array', { array: 'date' }],
    ['tuple', { tuple: ['date'] }],
    ['set', { set: 'date' }],
    ['map', { map: 'date' }],
    ['object', { object: { a: 'date' } }],
    ['instance', { object: { a: 'date' }, instance: 0 }],
    ['class', { class: 1 }],
    ['by', { by: 'a', cases: { x: 'date' } }],
    ['kinds', { kinds: { object: { object: {} } } }],
    ['ref', { ref: 'Self' }],
  ])('leaves values that do not fit, and converted ones, as they are: %s', (_name, how) => {
    const convert = compileRevive({ revive: how, revives: { Self: { object: { a: { ref: 'Self' } } } } }, of)!;
    const others = [null, undefined, true, date, url, new Map([['a', 1]]), Symbol.iterator, () => 1];
    for (const value of others) expect(convert(value, 'v', new DtoBinding())).toEqual(value);
  });

  it('reports invalid dates and URLs with their place', () => {
    expect(revive({ array: 'date' }, '["soon"]').issues).toEqual(["'v[0]' must be a date and time in ISO-8601 format"]);
    expect(revive({ object: { at: { map: 'url' } } }, '{"at":{"x":"http://"}}').issues).toEqual([
      "'v.at.x' must be an absolute URL",
    ]);
  });

  it('needs the mark of a class, which its schema does not require', () => {
    const how: TypedRevive = { array: { by: 'label', cases: { none: { object: {}, instance: 0 } } } };
    expect(revive(how, '[{"label":"none"},{"x":1}]').issues).toEqual(["'v[1].label' is required"]);
  });

  it('makes instances of classes without decorators, which class-validator does not see', () => {
    const how: TypedRevive = { object: { at: 'date', tags: { set: null }, next: { ref: 'Point' } }, instance: 0 };
    const json = `{"x":1,"at":${day},"next":{"x":2,"tags":["a"],"label":"hi"}}`;
    const { value, issues, unvalidated } = revive(how, json, { Point: how });
    const point = value as Point & { next: Point };
    expect(point).toBeInstanceOf(Point);
    expect(point).toMatchObject({ x: 1, at: date, label: 'none' });
    expect(point.tags).toEqual(new Set(['default']));
    expect(point.next).toBeInstanceOf(Point);
    expect(point.next.at).toEqual(new Date(5));
    expect([point.next.tags, point.next.text]).toEqual([new Set(['a']), 'hi!']);
    expect([issues, unvalidated]).toEqual([[], []]);
  });

  it('validates a class whose decorators the compiler did not know', () => {
    const { unvalidated } = revive({ object: {}, instance: 1 }, '{"name":5}');
    expect(unvalidated).toEqual([{ path: 'v', instance: expect.any(Dto) }]);
  });

  it('makes instances of classes with decorators, which class-validator sees', () => {
    const { value, unvalidated } = revive({ array: { class: 1 } }, '[{"name":"a"}]');
    expect(value).toEqual([Object.assign(new Dto(), { name: 'a' })]);
    expect(unvalidated).toHaveLength(1);
  });

  it('never changes the prototype of an object', () => {
    const json = `{"__proto__":{"at":${day}},"constructor":{"at":${day}},"shout":"x"}`;
    const plain = revive({ object: {}, values: { object: { at: 'date' } } }, json).value as object;
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(plain, '__proto__')?.value).toEqual({ at: date });
    const { value } = revive({ object: {}, values: { object: { at: 'date' } }, instance: 0 }, json);
    expect(Object.getPrototypeOf(value)).toBe(Point.prototype);
    expect((value as Point).shout()).toBe('none');
    expect((Point.prototype as { at?: unknown }).at).toBeUndefined();
    expect(Object.hasOwn(Object.prototype, 'at')).toBe(false);
  });

  it('ends with a RangeError for a value that is nested too deeply', () => {
    const depth = 200_000;
    let value: unknown = {};
    for (let n = 0; n < depth; n++) value = { sub: value };
    const convert = compileRevive({ revive: { ref: 'T' }, revives: { T: { object: { sub: { ref: 'T' } } } } }, of)!;
    expect(() => convert(value, 'v', new DtoBinding())).toThrow(RangeError);
  });

  it('refuses a reference to a conversion that is missing', () => {
    expect(() => compileRevive({ revive: { ref: 'toString' } }, of)).toThrow(/lack the conversion 'toString'/);
  });

  it('is undefined for a value that stays as it is', () => {
    expect(compileRevive({ schema: { type: 'string' } }, of)).toBeUndefined();
  });
});
