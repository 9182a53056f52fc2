import { describe, expect, it } from '@jest/globals';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { lastValueFrom, NEVER } from 'rxjs';
import { ChatModelException } from '../model/chat-model.exception.js';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { FallbackModelAdvisor } from './fallback-model-advisor.js';
import { ModelRetryAdvisor } from './model-retry-advisor.js';

const failure = (httpStatus: number, responseHeaders: Record<string, string> = {}): ScriptEntry => ({
  error: new ChatModelException(`status ${httpStatus}`, { httpStatus, responseHeaders }),
});
describe.each(bothWays)('a model that fails (%s)', (_how, ask) => {
  const quick = (options = {}) => new ModelRetryAdvisor({ retries: 2, minDelay: 1, maxDelay: 50, ...options });

  it.each([408, 429, 500, 503])('is asked again after status %d', async (status) => {
    expect(await ask(clientOf(new ScriptedChatModel([failure(status), failure(status), 'Hello']), quick()))).toBe(
      'Hello',
    );
  });

  it.each([400, 401, 404])('is not asked again after status %d', async (status) => {
    const model = new ScriptedChatModel([failure(status), 'Hello']);
    await expect(ask(clientOf(model, quick()))).rejects.toThrow(`status ${status}`);
    expect(model.prompts).toHaveLength(1);
  });

  it('fails with its last error when it never answers', async () => {
    const model = new ScriptedChatModel([failure(500), failure(502), failure(503)]);
    await expect(ask(clientOf(model, quick()))).rejects.toThrow('status 503');
  });

  it('gets the time that it asks for', async () => {
    const model = new ScriptedChatModel([failure(429, { 'retry-after-ms': '40' }), 'Hello']);
    const order: string[] = [];
    setTimeout(() => order.push('something else'), 15);
    order.push((await ask(clientOf(model, quick()))) ?? '');
    expect(order).toEqual(['something else', 'Hello']);
  });

  it.each(['3600', 'Fri, 01 Jan 2100 00:00:00 GMT'])(
    'is not asked again if it asks for too long a wait: %s',
    async (header) => {
      const model = new ScriptedChatModel([failure(429, { 'retry-after': header }), 'Hello']);
      await expect(ask(clientOf(model, quick()))).rejects.toThrow('status 429');
    },
  );

  it('is retried before a fallback is asked, and the last error is thrown when all fail', async () => {
    const model = new ScriptedChatModel([failure(500), failure(500), failure(500)]);
    const fallbacks = [new ScriptedChatModel([failure(501)]), new ScriptedChatModel([failure(502)])];
    const client = clientOf(model, quick(), new FallbackModelAdvisor({ models: fallbacks }));
    await expect(ask(client)).rejects.toThrow('status 502');
    expect(model.prompts).toHaveLength(3);
  });
});

describe('a stream that fails in the middle', () => {
  it('is not restarted, neither with the model nor with a fallback', async () => {
    const model = new ScriptedChatModel([
      { chunks: ['so far '], error: new ChatModelException('cut', { httpStatus: 500 }) },
      'x',
    ]);
    const client = clientOf(
      model,
      new ModelRetryAdvisor({ minDelay: 1 }),
      new FallbackModelAdvisor({ models: [new ScriptedChatModel(['y'])] }),
    );
    const seen: string[] = [];
    const loop = (async () => {
      for await (const text of client.prompt('Go').stream().content()) seen.push(text);
    })();
    await expect(loop).rejects.toThrow('cut');
    expect(seen).toEqual(['so far ']);
    expect(model.prompts).toHaveLength(1);
  });
});

describe('a model that fails after the caller has aborted', () => {
  it.each([true, false])('is not asked again (with a loop: %s)', async (internalToolExecutionEnabled) => {
    const model = new ScriptedChatModel([failure(503), failure(503), failure(503)]);
    const caller = new AbortController();
    const spec = clientOf(model, new ModelRetryAdvisor({ minDelay: 10_000 }))
      .prompt('Hi')
      .options({ signal: caller.signal, internalToolExecutionEnabled });
    const answer = lastValueFrom(spec.stream().content());
    setTimeout(() => caller.abort(new Error('enough')), 5);
    await expect(answer).rejects.toThrow('enough');
    expect(model.prompts).toHaveLength(1);
  });
});

describe('a stream after an unsubscribe', () => {
  it('is not restarted, whatever `shouldRetry` accepts', async () => {
    let asked = 0;
    class Hanging extends ScriptedChatModel {
      override stream() {
        asked++;
        return NEVER;
      }
    }
    const advisor = new ModelRetryAdvisor({ minDelay: 0, shouldRetry: () => true });
    clientOf(new Hanging([]), advisor).prompt('Hi').stream().content().subscribe().unsubscribe();
    await new Promise(setImmediate);
    expect(asked).toBe(1);
  });
});
