import { describe, expect, it } from '@jest/globals';
import { readResult } from './children.js';

describe('the result of a child process', () => {
  it('is its last one, whatever else is printed', () => {
    expect(readResult('warming up\nRESULT {"a":1}\nRESULT {"a":2}\nbye\n')).toEqual({ a: 2 });
  });

  it('is not there before its line has ended', () => {
    expect(readResult('RESULT {"a":1')).toBeUndefined();
    expect(readResult('RESULT {"a":1}')).toBeUndefined();
    expect(readResult('nothing\n')).toBeUndefined();
  });
});
