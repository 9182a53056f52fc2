import { describe, expect, it } from '@jest/globals';
import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import { ChatModelException } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import { configuredBy, type PropertyNames } from './advice.js';
import { toFailure } from './errors.js';

const SAID = 'Incorrect API key provided: sk-proj-1';
const model = { provider: 'openai', modelName: 'gpt-test' };
const failureOf = (thrown: unknown, asked = model): ChatModelException =>
  toFailure(thrown, undefined, asked) as ChatModelException;

const apiCallError = (init: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError =>
  new APICallError({ message: SAID, url: 'http://localhost', requestBodyValues: {}, ...init });

describe('the message of a failed call', () => {
  it.each<[string, unknown, string]>([
    ['that failed in plain text', SAID, "The call to the model 'gpt-test' of openai failed."],
    ['that failed with nothing', undefined, "The call to the model 'gpt-test' of openai failed."],
    [
      'without an answer',
      apiCallError({}),
      "The call to the model 'gpt-test' of openai at http://localhost failed. Check the base URL, the network, and whether a server runs there.",
    ],
  ])('names provider and model of a call %s', (_what, thrown, message) => {
    const failure = failureOf(thrown);
    expect(failure.message).toBe(message);
    expect(failure.providerError).toBe(thrown);
  });

  it('names of an address only the origin', () => {
    const url = `https://user:${SAID}@llm.example:8443/v1/${SAID}?key=${SAID}#${SAID}`;
    const { message } = failureOf(apiCallError({ url, statusCode: 500 }));
    expect(message).toBe("The call to the model 'gpt-test' of openai at https://llm.example:8443 failed (status 500).");
    expect(failureOf(apiCallError({ url: SAID })).message).toBe("The call to the model 'gpt-test' of openai failed.");
    expect(failureOf(apiCallError({ url: `data:,${SAID}` })).message).not.toContain(SAID);
  });

  const because = (code: string, init: { statusCode?: number } = {}) =>
    apiCallError({ ...init, cause: new TypeError('x', { cause: Object.assign(new Error('x'), { code }) }) });
  const language = (names?: PropertyNames) => configuredBy(names, {}) as AiSdkLanguageModel;
  it.each<[unknown, string, string]>([
    [
      apiCallError({ statusCode: 401 }),
      '(status 401). Check ai.models.fast.api-key (AI_MODELS_FAST_API_KEY).',
      'the API key.',
    ],
    [
      apiCallError({ statusCode: 404, responseBody: SAID }),
      '(status 404). Check the name of the model, and ai.models.fast.base-url (AI_MODELS_FAST_BASE_URL).',
      'and the base URL.',
    ],
    [
      apiCallError({ statusCode: 200 }),
      '(status 200). The answer cannot be read. If every call fails so, check ai.models.fast.base-url (AI_MODELS_FAST_BASE_URL).',
      'check the base URL.',
    ],
    [
      apiCallError({ statusCode: 429, responseBody: SAID }),
      '(status 429). The reason is in responseBody of the exception.',
      '',
    ],
    [
      because('ECONNREFUSED'),
      '(ECONNREFUSED). Check ai.models.fast.base-url (AI_MODELS_FAST_BASE_URL), the network, and whether a server runs there.',
      'Check the base URL, the network, and whether',
    ],
    [
      because('UND_ERR_SOCKET', { statusCode: 200 }),
      '(status 200, UND_ERR_SOCKET). The connection broke off before the answer was complete.',
      '',
    ],
    [because('SELF_SIGNED_CERT_IN_CHAIN'), '(SELF_SIGNED_CERT_IN_CHAIN). Node.js does not trust', ''],
    [new LoadAPIKeyError({ message: SAID }), '(AI_LoadAPIKeyError). Set ai.models.fast.api-key', 'Set the API key.'],
  ])('says what to check', (thrown, configured, inCode) => {
    const told = (names?: PropertyNames) => (toFailure(thrown, undefined, model, language(names)) as Error).message;
    const names = { key: 'ai.models.fast', variable: 'AI_MODELS_FAST' };
    expect(told(names)).toContain(` failed ${configured}`);
    expect(told()).toContain(inCode);
    expect(told() + told(names)).not.toContain(SAID);
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
