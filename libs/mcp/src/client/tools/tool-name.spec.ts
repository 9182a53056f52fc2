import { describe, expect, it } from '@jest/globals';
import { toolPrefixOf, toToolName } from './tool-name.js';

const PORTABLE = /^[A-Za-z0-9_-]{1,64}$/;

describe('the name of a tool for models', () => {
  it('is that of the server if models accept it', () => {
    expect(toToolName('get_user-2', 'github_')).toBe('get_user-2');
  });

  it.each(['ns/get.user', 'tab\there', 'ü', '👍', ' '])('has no other characters: %s', (name) => {
    expect(toToolName(name, '')).toMatch(PORTABLE);
  });

  it('leaves room for the prefix, and names that start in the same way stay different', () => {
    const prefix = toolPrefixOf('a-server-with-a-name-that-is-much-too-long-for-a-prefix');
    const [one, other] = ['one', 'other'].map((end) => toToolName(`${'x'.repeat(64)}${end}`, prefix));
    expect(`${prefix}${one}`).toMatch(PORTABLE);
    expect(one).not.toBe(other);
    expect(toToolName(`${'x'.repeat(64)}one`, prefix)).toBe(one);
    expect(prefix).toMatch(/_$/);
  });
});
