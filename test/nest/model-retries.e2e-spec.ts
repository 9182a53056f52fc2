import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import {
  type AiModuleOptions,
  AiShutdownException,
  ChatClient,
  ChatModelException,
  FallbackModelAdvisor,
  ModelRouter,
} from '@nestor-ai/core';
import { UsageBudgetAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { AskAgain } from '../ask-again.js';
import { bothWays } from '../both-ways.js';
import { useFakeTimeouts, useRealTimeouts, withoutWaiting } from '../fake-timeouts.js';
import { Recorder } from '../telemetry/recorder.js';
import { startApplication } from './application.js';

const recorder = Recorder.register();

const failing = (message: string, failure = {}): ScriptEntry => ({
  error: new ChatModelException(message, { httpStatus: 503, ...failure }),
});

/** Takes other models' errors as the provider's packages report them: Nestor repeats them by default. */
class RemoteModel extends ScriptedChatModel {
  override readonly retries: number = undefined as never;
}

const start = (chatModel: ScriptedChatModel, model: NonNullable<AiModuleOptions['properties']>['model'] = {}) =>
  startApplication({}, [], { chatModel, properties: { model } });

describe.each(bothWays)('a model that fails for a moment (%s)', (_how, askInTime) => {
  /** Without the delays between the tries. */
  const ask = (client: ChatClient) => withoutWaiting<string | undefined>(() => askInTime(client));

  it('is asked again as often as the property says, and each try has its own span', async () => {
    const model = new ScriptedChatModel([failing('first'), 'Hello']);
    const { client } = await start(model, { retry: 1 });
    expect(await ask(client)).toBe('Hello');
    expect(recorder.spans.filter(({ kind }) => kind === SpanKind.CLIENT).map(({ status }) => status.code)).toEqual([
      2, 0,
    ]);
  });

  it('tells the log of each retry what failed, and nothing that was said', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const told = failing('The server of the model is overloaded.', { isLoggable: true });
    const model = new ScriptedChatModel([failing('You asked: Hi'), told, 'Hello']);
    expect(await ask((await start(model, { retry: 2 })).client)).toBe('Hello');
    expect(log.mock.calls).toEqual([
      ['The model failed (503). Asking the model again.'],
      ['The server of the model is overloaded. Asking the model again.'],
    ]);
    log.mockRestore();
  });

  it('fails with the last error when the retries are used up', async () => {
    const model = new ScriptedChatModel([failing('first'), failing('second'), 'too late']);
    const { client } = await start(model, { retry: 1 });
    await expect(ask(client)).rejects.toThrow('second');
  });

  it('is asked again without any property, unless it says otherwise itself', async () => {
    const remote = new RemoteModel([failing('first'), 'Hello']);
    expect(await ask((await start(remote)).client)).toBe('Hello');
    const scripted = new ScriptedChatModel([failing('first'), 'Hello']);
    await expect(ask((await start(scripted)).client)).rejects.toThrow('first');
  });

  it('is asked once if it says a number of retries that is none', async () => {
    class Unsure extends ScriptedChatModel {
      override readonly retries = Number.NaN;
    }
    const model = new Unsure([failing('first'), 'Hello']);
    await expect(ask((await start(model)).client)).rejects.toThrow('first');
  });

  it('is asked once if the property is 0', async () => {
    const model = new RemoteModel([failing('first'), 'Hello']);
    await expect(ask((await start(model, { retry: 0 })).client)).rejects.toThrow('first');
  });

  it.each([408, 409, 429, 500, 503])('is asked again after status %d', async (httpStatus) => {
    const model = new ScriptedChatModel([failing('first', { httpStatus }), 'Hello']);
    expect(await ask((await start(model, { retry: 1 })).client)).toBe('Hello');
  });

  it.each([
    { httpStatus: 400 },
    { httpStatus: 401 },
    { httpStatus: 404 },
    { responseHeaders: { 'retry-after': '3600' } },
    { responseHeaders: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' } },
  ])('is asked once after an error that will stay, and if it wants too long a wait: %j', async (failure) => {
    const model = new ScriptedChatModel([failing('first', failure), 'Hello']);
    await expect(ask((await start(model, { retry: 2 })).client)).rejects.toThrow('first');
    expect(model.prompts).toHaveLength(1);
  });

  it('gets the time that it asks for', async () => {
    const model = new ScriptedChatModel([failing('first', { responseHeaders: { 'retry-after-ms': '40' } }), 'Hello']);
    const { client } = await start(model, { retry: 1 });
    const order: string[] = [];
    const answer = askInTime(client).then((text) => order.push(text ?? ''));
    setTimeout(() => order.push('something else'), 15);
    await answer;
    expect(order).toEqual(['something else', 'Hello']);
  });

  it('is asked once by a client without a container', async () => {
    await expect(ask(ChatClient.create(new RemoteModel([failing('first'), 'Hello'])))).rejects.toThrow('first');
  });

  it('is asked again before a fallback is', async () => {
    const model = new ScriptedChatModel([failing('first'), failing('second')]);
    const fallback = new ScriptedChatModel(['Here I am.']);
    const { client } = await start(model, { retry: 1 });
    const own = client
      .mutate()
      .defaultAdvisors(new FallbackModelAdvisor({ models: [fallback] }))
      .build();
    expect(await ask(own)).toBe('Here I am.');
    model.assertDone();
  });

  it('is reserved for once in a budget, as with an advisor that asks again', async () => {
    const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
    const script: ScriptEntry[] = [failing('first', { isRetryable: true }), { text: 'Hello', usage }];
    const spent: number[] = [];
    const record = async (client: ChatClient, ...advisors: AskAgain[]): Promise<void> => {
      const budget = new UsageBudgetAdvisor({ turn: { tokens: 10_000 } });
      budget.turns.subscribe(({ tokens }) => spent.push(tokens));
      await ask(
        client
          .mutate()
          .defaultAdvisors(budget, ...advisors)
          .build(),
      );
    };
    await record((await start(new ScriptedChatModel(script), { retry: 1 })).client);
    await record((await start(new ScriptedChatModel(script), {})).client, new AskAgain());
    expect(spent[0]).toBe(spent[1]);
    expect(spent[0]).toBeGreaterThanOrEqual(15);
  });

  it('is not asked again when the caller leaves during the wait', async () => {
    const controller = new AbortController();
    const model = new ScriptedChatModel(() => {
      setTimeout(() => controller.abort(new Error('gone')), 5);
      return { error: new ChatModelException('first', { httpStatus: 503, responseHeaders: { 'retry-after': '20' } }) };
    });
    const { client } = await start(model, { retry: 2 });
    const own = client.mutate().defaultOptions({ signal: controller.signal }).build();
    await expect(ask(own)).rejects.toThrow('gone');
    expect(model.prompts).toHaveLength(1);
  });

  it('is not asked again when the application ends during the wait', async () => {
    const model = new ScriptedChatModel([failing('first', { responseHeaders: { 'retry-after': '20' } }), 'Hello']);
    const { client, app } = await startApplication({}, [], {
      chatModel: model,
      properties: { model: { retry: 2 }, shutdown: { drainTimeout: 0 } },
    });
    const answer = askInTime(client).catch((error: unknown) => error);
    while (model.prompts.length === 0) await new Promise(setImmediate);
    await app.close();
    expect(await answer).toBeInstanceOf(AiShutdownException);
    expect(model.prompts).toHaveLength(1);
  });
});

it('a stream that has said something is not asked again', async () => {
  const model = new ScriptedChatModel([{ chunks: ['so far '], ...(failing('cut') as object) }, 'Hello']);
  const { client } = await start(model, { retry: 2 });
  await expect(lastValueFrom(client.prompt('Hi').stream().content().pipe(toArray()))).rejects.toThrow('cut');
  expect(model.prompts).toHaveLength(1);
});

it('a subscriber that leaves during the wait ends the retries', async () => {
  const model = new ScriptedChatModel([failing('first'), 'Hello']);
  const { client } = await start(model, { retry: 1 });
  const seen: string[] = [];
  useFakeTimeouts();
  const listening = client
    .prompt('Hi')
    .stream()
    .content()
    .subscribe((text) => seen.push(text));
  while (model.prompts.length === 0) await new Promise(setImmediate);
  while (jest.getTimerCount() === 0) await new Promise(setImmediate);
  listening.unsubscribe();
  await jest.advanceTimersByTimeAsync(60_000);
  useRealTimeouts();
  expect(model.prompts).toHaveLength(1);
  expect(seen).toEqual([]);
});

it('the retries of a model with a name are those of its name', async () => {
  const fast = new ScriptedChatModel([failing('first'), 'fast']);
  class Router extends ModelRouter {
    resolve(name: string) {
      return name === 'fast' ? fast : undefined;
    }
  }
  const { client } = await startApplication({}, [], {
    properties: { model: { retry: 0 }, models: { fast: { retry: 1 } } },
    providers: [{ provide: ModelRouter, useClass: Router }],
  } as never);
  expect(await withoutWaiting(() => client.prompt('Hi').options({ model: 'fast' }).call().content())).toBe('fast');
});
