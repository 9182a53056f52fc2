import { describe, expect, it } from '@jest/globals';
import { readType } from './read-source.fixture.js';

const CONSTANTS = `
  import { REMOTE } from './remote.js';
  enum Color { Red = 'red', Blue = 'blue' }
  const LIMIT = 20;
  const ON = true;
  const DEFAULTS = { limit: 30, unit: 'm' as const };
  const LIST = [1];`;

const read = (tag: string, type = 'any') =>
  readType('Given', `${CONSTANTS}\ninterface Given {\n/** ${tag} */\nvalue?: ${type} }`).schema!['properties'];

describe('a default value in a comment', () => {
  it.each<[string, unknown]>([
    ['5', 5],
    ["'a b'", 'a b'],
    ["['a', -1]", ['a', -1]],
    ["{ a: 'b', c: [true] }", { a: 'b', c: [true] }],
    ['celsius', 'celsius'],
    ['en-US', 'en-US'],
    ['example.com', 'example.com'],
    ['Berlin (Germany)', 'Berlin (Germany)'],
    ['2 retries', '2 retries'],
    ['name', 'name'],
    ['LIMIT', 20],
    ['`LIMIT`', 20],
    ['ON', true],
    ['Color.Red', 'red'],
    ['{@link Color.Blue}', 'blue'],
    ['[Color.Red, LIMIT]', ['red', 20]],
    ['DEFAULTS.unit', 'm'],
  ])('%s is %j', (text, value) => {
    expect(read(`@default ${text}`)).toEqual({ value: { default: value } });
  });

  it.each([
    'undefined',
    'Infinity',
    'new Date()',
    '`new Date()`',
    'Date.now()',
    '() => 5',
    'DEFAULTS.limit',
    'LIST',
    'Color.Green',
  ])('%s is only known at run time', (text) => {
    expect(read(`@defaultValue ${text}`)).toEqual({ value: {} });
  });
});

describe('a default value in code', () => {
  it.each([
    ['n = LIMIT', 20],
    ['n = Color.Red', 'red'],
    ['n = ON', true],
    ['n = [Color.Blue] as const', ['blue']],
    ['n = DEFAULTS.unit', 'm'],
    ['n = DEFAULTS.limit', undefined],
    ['n = LIST', undefined],
    ['n = Math.random()', undefined],
  ])('%s', (initializer, value) => {
    const { schema } = readType('Given', `${CONSTANTS}\nexport class Given { ${initializer} }`);
    expect(schema).toMatchObject({ required: [] });
    expect((schema as { properties: { n: { default?: unknown } } }).properties.n.default).toEqual(value);
  });
});
