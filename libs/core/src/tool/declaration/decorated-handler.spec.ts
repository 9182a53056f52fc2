import { describe, expect, it } from '@jest/globals';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { decoratedHandler } from './decorated-handler.js';

describe('a handler with decorators', () => {
  it('has the same metadata as a method: the first of two equal decorators wins', () => {
    const handler = decoratedHandler('wipe', [
      SetMetadata('roles', ['admin']),
      applyDecorators(SetMetadata('roles', ['guest']), SetMetadata('area', 'bank')),
    ]);
    expect(Reflect.getMetadata('roles', handler)).toEqual(['admin']);
    expect(Reflect.getMetadata('area', handler)).toBe('bank');
  });

  it('does not affect other handlers', () => {
    decoratedHandler('wipe', [SetMetadata('roles', ['admin'])]);
    expect(Reflect.getMetadataKeys(decoratedHandler('look', []))).toEqual([]);
  });
});
