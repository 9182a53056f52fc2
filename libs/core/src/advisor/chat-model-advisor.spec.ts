import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, of, retry } from 'rxjs';
import { ChatModelException } from '../model/chat-model.exception.js';
import type { ChatModel } from '../model/chat-model.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message, UserMessage } from '../model/messages.js';
import { asUntrusted, isUntrusted } from '../model/untrusted.js';
import { RequestScope } from '../model/request-scope.js';
import { RequestServices } from '../model/request-services.js';
import { MODELS, type ModelServices } from '../model/model-services.js';
import { Prompt } from '../model/prompt.js';
import { withScope } from '../model/scoped-options.js';
import { TurnControl, type TurnScope } from '../model/turn-control.js';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { DefaultAdvisorChain } from './advisor-chain.js';
import { ChatModelAdvisor } from './chat-model-advisor.js';

const failing = { error: new ChatModelException('down', { httpStatus: 503 }) };

const scopeWith = (models: Partial<ModelServices>): TurnScope => {
  const services: ModelServices = { resolve: () => undefined, retriesOf: () => 1, ...models };
  return new RequestScope(undefined, undefined, new RequestServices().set(MODELS, services));
};

function ask(model: ChatModel, { model: name, ...models }: Partial<ModelServices> & { model?: string } = {}) {
  const scope = scopeWith(models);
  const options = withScope({ ...(name !== undefined && { model: name }) }, scope);
  const chain = DefaultAdvisorChain.of([], new ChatModelAdvisor(model));
  return chain
    .nextCall({ prompt: new Prompt('Hi', options), context: {} })
    .then(({ chatResponse }) => chatResponse?.text);
}

/** A model written in JavaScript. */
const untyped = (call: () => unknown) => ({ call, stream: () => undefined }) as unknown as ChatModel;

describe('the advisor that asks the model', () => {
  it('asks again as often as the application allows, and fails with the last error', async () => {
    expect(await ask(new ScriptedChatModel([failing, 'Hello']))).toBe('Hello');
    const last = { error: new ChatModelException('still down', { httpStatus: 503 }) };
    await expect(ask(new ScriptedChatModel([failing, last, 'late']))).rejects.toThrow('still down');
    await expect(ask(new ScriptedChatModel([failing, 'late']), { retriesOf: () => 0 })).rejects.toThrow('down');
  });

  it('reads the retries of the model that the request has chosen', async () => {
    const chosen = new ScriptedChatModel([failing, 'Hello']);
    const asked: unknown[] = [];
    const retriesOf = (...of: unknown[]) => asked.push(of);
    const answer = await ask(new ScriptedChatModel([]), { model: 'fast', resolve: () => chosen, retriesOf });
    expect(answer).toBe('Hello');
    expect(asked).toEqual([[chosen, 'fast']]);
  });

  it('rejects if the router returns something else than a model', async () => {
    const asking = ask(new ScriptedChatModel([]), { model: 'fast', resolve: () => ({}) as ChatModel });
    await expect(asking).rejects.toThrow("The ModelRouter returned no ChatModel for 'fast'.");
  });

  it('takes a plain value for an answer, and asks again after an error that call() throws at once', async () => {
    const answer = new ChatResponse({ results: [{ output: new AssistantMessage('Hello') }] });
    let calls = 0;
    const model = untyped(() => {
      calls++;
      if (calls === 1) throw failing.error;
      return answer;
    });
    expect(await ask(model)).toBe('Hello');
    expect(calls).toBe(2);
  });
});

/** A request whose turn has an observer, and what the observer is told. */
function watched(model: ChatModel, retries = 0, message: Message = new UserMessage('Hi')) {
  const told: unknown[] = [];
  const scope = scopeWith({ retriesOf: () => retries });
  const turn = (scope.turn = new TurnControl(undefined, scope));
  turn.observe({
    modelAsked: () => {
      told.push('asked');
      return {
        next: ({ text, result }) =>
          text && told.push(result && isUntrusted(result.output) ? `untrusted ${text}` : text),
        error: (error: unknown) => told.push(error),
        complete: () => told.push('complete'),
      };
    },
  });
  const chain = DefaultAdvisorChain.of([], new ChatModelAdvisor(model));
  return { told, chain, request: { prompt: new Prompt([message], withScope({}, scope)), context: {} } };
}

describe('an observer of a turn', () => {
  const quoting = asUntrusted(new UserMessage('A document says: hello'));

  it.each(['nextCall', 'nextStream'] as const)('is told the marked answer (%s)', async (way) => {
    const { told, chain, request } = watched(new ScriptedChatModel(['Hello']), 0, quoting);
    await lastValueFrom(from(chain[way](request)));
    expect(told).toEqual(['asked', 'untrusted Hello', 'complete']);
  });

  it('is told the marked answer of a call that is tried again', async () => {
    const { told, chain, request } = watched(new ScriptedChatModel([failing, 'Hello']), 1, quoting);
    await chain.nextCall(request);
    expect(told).toEqual(['asked', 'untrusted Hello', 'complete']);
  });

  it.each(['nextCall', 'nextStream'] as const)('is told of an answer that cannot be read (%s)', async (way) => {
    const broken = { metadata: {} } as ChatResponse;
    const model = { call: () => Promise.resolve(broken), stream: () => of(broken) } as unknown as ChatModel;
    const { told, chain, request } = watched(model);
    await expect(lastValueFrom(from(chain[way](request)))).rejects.toThrow();
    expect(told).toEqual(['asked', expect.any(Error)]);
  });
});

describe('an observer of a turn whose model fails', () => {
  const failingOnce = () => {
    const model = new ScriptedChatModel(['Hello']);
    const stream = model.stream.bind(model);
    let calls = 0;
    model.stream = (prompt) => {
      if (++calls === 1) throw failing.error;
      return stream(prompt);
    };
    return model;
  };

  /** What an observer is told of a stream, and the text of the stream. */
  async function watch(model: ChatModel, retries: number, subscriptions = 1) {
    const { told, chain, request } = watched(model, retries);
    const stream = chain.nextStream(request);
    const answer = await lastValueFrom(stream.pipe(retry(subscriptions - 1))).catch((error: unknown) => error);
    return { told, answer };
  }

  it('is told of an error that stream() throws at once', async () => {
    const { told, answer } = await watch(failingOnce(), 0);
    expect(answer).toBe(failing.error);
    expect(told).toEqual(['asked', failing.error]);
  });

  it('is told the answer of a model that is asked again after such an error', async () => {
    const { told } = await watch(failingOnce(), 1);
    expect(told).toEqual(['asked', 'Hello', 'complete']);
  });

  it('is told of each try of an advisor that subscribes again', async () => {
    const { told } = await watch(new ScriptedChatModel([failing, 'Hello']), 0, 2);
    expect(told).toEqual(['asked', failing.error, 'asked', 'Hello', 'complete']);
  });
});
