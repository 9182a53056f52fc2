import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Catch, ForbiddenException, HttpException } from '@nestjs/common';
import { isCaughtBy } from './tool-filters.js';

@Catch(HttpException)
class HttpFilter {}
@Catch()
class AnyFilter {}
class PlainFilter {}

describe('isCaughtBy', () => {
  it.each([
    ['for a matching type', [HttpFilter], new ForbiddenException(), true],
    ['for another type', [HttpFilter], new Error(), false],
    ['of any type', [AnyFilter], 'a text', true],
    ['if the filter lists no types', [new PlainFilter()], new Error(), true],
    ['if one of several filters matches', [new HttpFilter(), new AnyFilter()], new Error(), true],
    ['without filters', [], new Error(), false],
  ])('knows an exception %s', (_name, filters, exception, isCaught) => {
    expect(isCaughtBy(filters, exception)).toBe(isCaught);
  });
});
