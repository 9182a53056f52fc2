import { describe, expect, it } from '@jest/globals';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { concat, lastValueFrom, NEVER, of, throwError } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { ChatResponse } from '../model/chat-response.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { FallbackModelAdvisor } from './fallback-model-advisor.js';

const failure = (httpStatus: number): ScriptEntry => ({
  error: new ChatModelException(`status ${httpStatus}`, { httpStatus }),
});
describe.each(bothWays)('a model that fails (%s)', (_how, ask) => {
  it('is replaced by another one, with the tools of the request', async () => {
    const fallback = new ScriptedChatModel([{ toolCalls: [toolCall('now')] }, 'Noon']);
    const model = new ScriptedChatModel([failure(500), failure(500)]);
    const client = ChatClient.builder(model)
      .defaultTools(new FunctionToolCallback({ name: 'now', toolFunction: () => '12:00' }))
      .defaultOptions({ model: 'only-known-here', temperature: 0 })
      .defaultAdvisors(new FallbackModelAdvisor({ models: [fallback] }))
      .build();
    expect(await ask(client)).toBe('Noon');
    expect(fallback.toolResponses).toEqual(['12:00']);
    expect(fallback.lastPrompt?.options).toMatchObject({ temperature: 0 });
    expect(fallback.lastPrompt?.options).not.toHaveProperty('model');
  });

  it('is only replaced after errors that `when` accepts', async () => {
    const fallback = new ScriptedChatModel(['Hello']);
    const when = (error: unknown) => (error as ChatModelException).httpStatus !== 401;
    const client = clientOf(
      new ScriptedChatModel([failure(401)]),
      new FallbackModelAdvisor({ models: [fallback], when }),
    );
    await expect(ask(client)).rejects.toThrow('status 401');
  });
});

describe('a fallback', () => {
  it('is asked with its own defaults and the options of the request', async () => {
    const model = new ScriptedChatModel([failure(500), failure(500)], { maxTokens: 64_000, temperature: 0 });
    const fallback = new ScriptedChatModel(['Hello', 'Hello'], { maxTokens: 4000 });
    const client = clientOf(model, new FallbackModelAdvisor({ models: [fallback] }));
    await client.prompt('Hi').options({ topK: 5 }).call().content();
    expect(fallback.lastPrompt?.options).toMatchObject({ maxTokens: 4000, topK: 5 });
    expect(fallback.lastPrompt?.options?.temperature).toBeUndefined();
    // Options of the request are kept, even if they equal the first model's defaults.
    await client.prompt('Hi').options({ temperature: 0 }).call().content();
    expect(fallback.lastPrompt?.options?.temperature).toBe(0);
  });

  it('is asked when a stream fails before any content', async () => {
    class Broken extends ScriptedChatModel {
      override stream(): never {
        throw new Error('boom');
      }
    }
    const facts = new (class extends ScriptedChatModel {
      override stream() {
        return concat(
          of(new ChatResponse({ results: [], metadata: { id: 'r1' } })),
          throwError(() => new Error('cut')),
        );
      }
    })([]);
    for (const model of [new Broken([]), facts]) {
      const client = clientOf(model, new FallbackModelAdvisor({ models: [new ScriptedChatModel(['Hello'])] }));
      expect(await lastValueFrom(client.prompt('Hi').stream().content())).toBe('Hello');
    }
  });

  it('is not asked after an unsubscribe', async () => {
    class Hanging extends ScriptedChatModel {
      override stream() {
        return NEVER;
      }
    }
    const failures: unknown[] = [];
    const when = (error: unknown) => failures.push(error) > 0;
    const fallback = new ScriptedChatModel(['too late']);
    const client = clientOf(new Hanging([]), new FallbackModelAdvisor({ models: [fallback], when }));
    client.prompt('Hi').stream().content().subscribe().unsubscribe();
    await new Promise(setImmediate);
    expect([failures, fallback.prompts]).toEqual([[], []]);
  });
});
