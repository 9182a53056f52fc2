import { describe, expect, it } from '@jest/globals';
import { classifyFailure, statusOf } from '@nestor-ai/core/internal';
import type { CallProblem } from '../wire/messages.js';
import { toError, toRefusal } from './call-failure.js';
import { RemoteCallException } from './remote-call.exception.js';
import type { ServiceTool } from './service-directory.js';

const tool: ServiceTool = {
  service: 'shop',
  announced: { name: 'pay', description: 'Pays', inputSchema: {} },
  key: 'shop pay',
};

describe('toError', () => {
  it.each(['invalid_arguments', 'timeout', 'rate_limited', 'refused', 'unavailable', 'forbidden', 'error'] as const)(
    'makes an error that counts as %s here as well, with the text of the service',
    (outcome) => {
      const error = toError(tool, 'What the service says.', { outcome });
      expect(classifyFailure(error).outcome).toBe(outcome);
      expect(error.message).toBe('What the service says.');
    },
  );

  it('keeps the status of an HttpException, by which retries are decided', () => {
    expect(statusOf(toError(tool, 'Gone', { outcome: 'error', status: 410 }))).toBe(410);
    expect(statusOf(toError(tool, 'Who?', { outcome: 'forbidden', status: 401 }))).toBe(401);
  });
});

describe('toRefusal', () => {
  it.each<[CallProblem, string, RegExp]>([
    ['unverified', 'unavailable', /^The service 'shop' did not run the call of 'pay'\.$/],
    ['expired', 'unavailable', /^The service 'shop' did not run the call of 'pay'\.$/],
    ['repeated', 'unavailable', /^The service 'shop' did not run the call of 'pay'\.$/],
    ['unknown-tool', 'unavailable', /did not run the call of 'pay'\. The details\.$/],
    ['deadline', 'timeout', /^The details\.$/],
    ['not-approved', 'forbidden', /^The details\.$/],
    ['failed', 'error', /^The details\.$/],
    ['unavailable', 'error', /shut down during the call of 'pay'\. The call may have run\.$/],
  ])('counts %s as %s', (problem, outcome, message) => {
    const error = toRefusal(tool, { type: 'refused', problem, message: 'The details.' });
    expect(classifyFailure(error).outcome).toBe(outcome);
    expect(error.message).toMatch(message);
  });

  it('knows whether the call may have run', () => {
    const refused = toRefusal(tool, { type: 'refused', problem: 'expired', message: 'Too late.' });
    expect(refused.cause).toMatchObject({ mayHaveRun: false, message: expect.stringContaining('Too late.') });
    const lost = toRefusal(tool, { type: 'refused', problem: 'unavailable', message: '' });
    expect(lost).toBeInstanceOf(RemoteCallException);
    expect(lost).toMatchObject({ mayHaveRun: true, service: 'shop' });
  });
});
