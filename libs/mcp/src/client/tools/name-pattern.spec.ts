import { expect, it } from '@jest/globals';
import { matchesAny } from './name-pattern.js';

it.each([
  ['get_user', ['get_user'], true],
  ['get_users', ['get_user'], false],
  ['get_user', ['get_*'], true],
  ['get_user', ['*user'], true],
  ['get_user', ['*_*'], true],
  ['get_user', ['g*t*r'], true],
  ['get_user', ['g*x*r'], false],
  ['aba', ['ab*ba'], false],
  ['abba', ['ab*ba'], true],
  ['ab', ['*ab*ab*'], false],
  ['a', ['*'], true],
  ['a.b', ['a?b'], false],
  ['axb', ['a.b'], false],
  ['b', ['a', 'b'], true],
  ['b', [], false],
])('%s matches %j: %s', (name, patterns, isMatch) => {
  expect(matchesAny(patterns, name)).toBe(isMatch);
});
