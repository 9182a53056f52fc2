import { describe, expect, it } from '@jest/globals';
import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import { ChatModelException } from '@nestor-ai/core';
import { toFailure } from './errors.js';

const SAID = 'Incorrect API key provided: sk-proj-1';
const model = { provider: 'openai', modelName: 'gpt-test' };
const failureOf = (thrown: unknown, asked = model): ChatModelException =>
  toFailure(thrown, undefined, asked) as ChatModelException;

const apiCallError = (init: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError =>
  new APICallError({ message: SAID, url: 'http://localhost', requestBodyValues: {}, ...init });

describe('the message of a failed call', () => {
  it.each<[string, unknown, string]>([
    [
      'with an answer',
      apiCallError({ statusCode: 401 }),
      "The call to the model 'gpt-test' of openai failed (status 401).",
    ],
    ['without an answer', apiCallError({}), "The call to the model 'gpt-test' of openai failed."],
    ['that failed in plain text', SAID, "The call to the model 'gpt-test' of openai failed."],
    ['that failed with nothing', undefined, "The call to the model 'gpt-test' of openai failed."],
  ])('names provider, model and status of a call %s', (_what, thrown, message) => {
    const failure = failureOf(thrown);
    expect(failure.message).toBe(message);
    expect(failure.providerError).toBe(thrown);
  });

  it('omits the names of a model that has none', () => {
    expect((toFailure(SAID, undefined, {}) as Error).message).toBe('The call to the model failed.');
  });
});

describe('the code of a failed call', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' });

  it.each<[string, unknown, string | undefined]>([
    ['a failed connection', apiCallError({ cause: new TypeError('fetch failed', { cause: refused }) }), 'ECONNREFUSED'],
    ['invalid settings', new LoadAPIKeyError({ message: SAID }), 'AI_LoadAPIKeyError'],
    ['an error of the provider', apiCallError({ statusCode: 500 }), undefined],
    ['a code of the provider', { code: SAID, name: SAID, message: SAID }, undefined],
  ])('names the cause of %s, if it is known', (_what, thrown, code) => {
    expect(failureOf(thrown).code).toBe(code);
  });

  it('is found even if causes are cyclic', () => {
    const error = new Error(SAID);
    error.cause = error;
    expect(failureOf(error).code).toBeUndefined();
  });
});

describe('a failure', () => {
  it('is the reason of the abort when the call was aborted', () => {
    const reason = new Error('enough');
    expect(toFailure(apiCallError({}), AbortSignal.abort(reason), model)).toBe(reason);
  });

  it('keeps status, body and headers for code that reads them', () => {
    const thrown = apiCallError({ statusCode: 429, responseBody: SAID, responseHeaders: { 'retry-after': '3' } });
    expect(failureOf(thrown)).toMatchObject({
      httpStatus: 429,
      isRetryable: true,
      responseBody: SAID,
      responseHeaders: { 'retry-after': '3' },
    });
  });
});
