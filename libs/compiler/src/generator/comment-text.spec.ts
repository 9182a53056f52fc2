import { describe, expect, it } from '@jest/globals';
import { linesOf } from './comment-text.js';
import { readMethod, readType } from './read-source.fixture.js';

describe('linesOf', () => {
  it.each([
    ['one\ntwo\n\n\nthree\r\nfour', 'one two\n\nthree four'],
    ['List:\n- a\n  more\n* b\n  - c\n1. d\n2) e', 'List:\n- a more\n* b\n  - c\n1. d\n2) e'],
    ['in\n2030 or\n-5 degrees', 'in 2030 or -5 degrees'],
    ['Code:\n```ts\nif (a) {\n  b();\n\n}\n```\nthe\nend', 'Code:\n```ts\nif (a) {\n  b();\n\n}\n```\nthe end'],
    ['# Title\n| a | b |\n| - | - |', '# Title\n| a | b |\n| - | - |'],
  ])('%j', (text, lines) => {
    expect(linesOf(text)).toBe(lines);
  });
});

describe('the text of comments', () => {
  const TYPES = 'interface City { name: string }';
  const COMMENT = `
    * See {@link City}, {@link City | the city}, {@link City the place}, {@linkcode City.name|its name},
    * {@link Nowhere | no place}, {@link Nowhere}, {@link https://a.b/c|the page} and {@link https://a.b/c}.
    * {@link run()} and {@link Array<string>}. Files: \`**\\/*.ts\`.`;
  const text =
    'See City, the city, the place, its name, no place, Nowhere, the page and https://a.b/c. ' +
    'run() and Array<string>. Files: `**/*.ts`.';

  it('has the texts of links, and the end of a comment', () => {
    expect(readType('Given', `${TYPES}\n/**${COMMENT}\n*/\ninterface Given { a: 1 }`).schema).toMatchObject({
      description: text,
    });
    const { description, parameters } = readMethod(`/**${COMMENT}\n*/ city: string`, TYPES);
    expect([description, parameters[0]!.description]).toEqual([undefined, text]);
  });
});
