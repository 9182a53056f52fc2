import { expect, it } from '@jest/globals';
import { sourceHash } from './source-hash.js';

it('is the same for line ends of Windows and Unix', () => {
  expect(sourceHash('a\r\nb\r\n')).toBe(sourceHash('a\nb\n'));
  expect(sourceHash('a\n')).not.toBe(sourceHash('b\n'));
  expect(sourceHash('')).toBe('e3b0c44298fc');
});
