import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ForbiddenException, Logger } from '@nestjs/common';
import type { Turn } from '../../model/turn.js';
import { ToolExecutionException } from '../../tool/tool-execution.exception.js';
import { unlessPublic } from './tool-failure.js';

const turn = { request: {} } as Turn;

describe('the error of a guard, pipe, interceptor or filter', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    new ForbiddenException('Only for admins'),
    new ToolExecutionException({ name: 'pay', description: 'Pays', inputSchema: {} }, new Error('No money')),
  ])('is for the caller of the tool: %s', (error) => {
    expect(unlessPublic(error, 'Shop.pay()', turn)).toBe(error);
  });

  it('is logged without its message and hidden if it is any other', () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const hidden = unlessPublic(new RangeError('the secret'), 'Shop.pay()', turn) as Error;
    expect(hidden.message).not.toContain('secret');
    expect(log.mock.calls.join()).toMatch(/the tool Shop\.pay\(\) failed with RangeError/);
    expect(log.mock.calls.join()).not.toContain('secret');
  });
});
