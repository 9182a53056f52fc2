import { describe, expect, it } from '@jest/globals';
import { keywordOf } from './comment-keywords.js';

describe('keywordOf', () => {
  it.each<[string, string, string, unknown]>([
    ['minimum', '-3.5', 'minimum', -3.5],
    ['maxLength', '20 characters', 'maxLength', 20],
    ['uniqueItems', '', 'uniqueItems', true],
    ['deprecated', 'Use city.', 'deprecated', true],
    ['format', 'email', 'format', 'email'],
    ['format', 'date-time', 'format', 'date-time'],
    ['pattern', '^[a-z ]+$', 'pattern', '^[a-z ]+$'],
    ['pattern', '^a$ \nAn a.\n\nNothing else.', 'pattern', '^a$'],
    ['pattern', '`^a`', 'pattern', '^a'],
    ['minimum', '`5` euros', 'minimum', 5],
    ['asType', 'integer', 'type', 'integer'],
    ['default', '"a b"', 'default', 'a b'],
    ['default', '5\nWhat is below is prose.', 'default', '5'],
    ['default', '{\n"a": 1\n}', 'default', { a: 1 }],
    ['defaultValue', '`10`', 'default', 10],
    ['defaultValue', '`10` seconds', 'default', 10],
    ['example', "'a b'", 'examples', ['a b']],
    ['example', '`5`', 'examples', [5]],
    ['default', '5', 'default', 5],
    ['default', 'celsius', 'default', 'celsius'],
    ['defaultValue', 'false', 'default', false],
    ['example', 'Berlin', 'examples', ['Berlin']],
    ['examples', '["a", "b"]', 'examples', ['a', 'b']],
    ['title', 'The city', 'title', 'The city'],
  ])('@%s %s', (tag, text, name, value) => {
    expect(keywordOf(tag, text)).toEqual({ name, value });
  });

  it.each([
    ['minimum', 'abc', "@minimum needs a number, but has 'abc'."],
    ['minimum', '', '@minimum needs a number, but has no value.'],
    ['minLength', '-1', "@minLength needs a whole number that is not negative, but has '-1'."],
    ['multipleOf', '0', "@multipleOf needs a number greater than 0, but has '0'."],
    ['format', 'emial', "@format needs a format of JSON Schema, such as 'email' or 'date', but has 'emial'."],
    ['pattern', '(', "@pattern needs a regular expression, without slashes, but has '('."],
    ['pattern', '/^a$/i', "@pattern needs a regular expression, without slashes, but has '/^a$/i'."],
    ['examples', '[1,', "@examples needs values in JSON, but has '[1,'."],
    ['asType', 'int', "@asType needs the value 'integer', but has 'int'."],
    ['default', '', '@default needs a value, but has no value.'],
  ])('refuses @%s %s', (tag, text, problem) => {
    expect(keywordOf(tag, text)?.problem).toBe(problem);
  });

  it('leaves other tags alone', () => {
    expect(keywordOf('throws', 'Error')).toBeUndefined();
    expect(keywordOf('example', 'find()\nfind()')).toBeUndefined();
    expect(keywordOf('deprecated', 'false')).toBeUndefined();
  });
});
