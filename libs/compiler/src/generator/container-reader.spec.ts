import { describe, expect, it } from '@jest/globals';
import { readType } from './read-source.fixture.js';

const date = { type: 'string', format: 'date-time' };

const ARRAYS =
  'interface Texts extends ReadonlyArray<string> {}\ninterface List<T> extends Array<T> {}\ninterface Dates extends List<Date> {}';

describe('ContainerReader', () => {
  it.each<[string, object, unknown]>([
    ['string[]', { type: 'array', items: { type: 'string' } }, undefined],
    ['readonly string[]', { type: 'array', items: { type: 'string' } }, undefined],
    ['Array<Date>', { type: 'array', items: date }, { array: 'date' }],
    ['Date', date, 'date'],
    ['URL', { type: 'string', format: 'uri' }, 'url'],
    ['Set<string>', { type: 'array', items: { type: 'string' }, uniqueItems: true }, { set: null }],
    ['ReadonlySet<Date>', { type: 'array', items: date, uniqueItems: true }, { set: 'date' }],
    ['Map<string, number>', { type: 'object', additionalProperties: { type: 'number' } }, { map: null }],
    [
      "Map<'a' | 'b', Date[]>",
      {
        type: 'object',
        additionalProperties: { type: 'array', items: date },
        propertyNames: { type: 'string', enum: ['a', 'b'] },
      },
      { map: { array: 'date' } },
    ],
    [
      '[Date, number?]',
      { type: 'array', prefixItems: [date, { type: 'number' }], items: false, maxItems: 2, minItems: 1 },
      { tuple: ['date', null] },
    ],
    [
      '[string, ...Date[]]',
      { type: 'array', prefixItems: [{ type: 'string' }], items: date, minItems: 1 },
      { tuple: [null], rest: 'date' },
    ],
    ['Record<string, Date>', { type: 'object', additionalProperties: date }, { object: {}, values: 'date' }],
    ['String', { type: 'string' }, undefined],
    ['Texts', { type: 'array', items: { type: 'string' } }, undefined],
    ['Dates', { type: 'array', items: date }, { array: 'date' }],
  ])('reads %s', (type, schema, revive) => {
    expect(readType(type, ARRAYS)).toEqual({ schema, ...(revive !== undefined && { revive }) });
  });

  it.each([
    ['Map<number, string>', "is a Map with keys of type 'number'. In JSON, keys are texts."],
    ['Map<Date, string>', "is a Map with keys of type 'Date'. In JSON, keys are texts."],
    ['[...string[], number]', 'is a tuple with items after its rest.'],
    ['Uint8Array', 'is a Uint8Array, which JSON does not have. Declare a string with base64'],
    ['WeakMap<object, string>', 'is a WeakMap, which JSON does not have.'],
    ['HTMLElement', 'is a HTMLElement, which JSON does not have.'],
    [
      "{ text: Date['toString'] }",
      "has a property 'text' that is a function, which JSON does not have. A model cannot",
    ],
    ['Blob', 'is a Blob, which JSON does not have. Declare a string with base64 or a URL'],
    ['Error', 'is a Error, which JSON does not have.'],
  ])('refuses %s', (type, text) => {
    expect(readType(type).error).toContain(text);
  });
});
