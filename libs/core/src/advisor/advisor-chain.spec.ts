import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, of, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { Prompt } from '../model/prompt.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import {
  type Advisor,
  type CallAdvisor,
  type CallAdvisorChain,
  type StreamAdvisor,
  type StreamAdvisorChain,
  ToolAdvisor,
} from './advisor.js';
import { DefaultAdvisorChain } from './advisor-chain.js';
import { BaseAdvisor } from './base-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { Ordered } from './ordered.js';

const request: ChatClientRequest = { prompt: new Prompt('Hi'), context: {} };
const log: string[] = [];

class Logged extends BaseAdvisor {
  constructor(
    readonly name: string,
    override readonly order = 0,
  ) {
    super();
  }
  override before(given: ChatClientRequest): ChatClientRequest {
    log.push(`+${this.name}`);
    return { ...given, context: { ...given.context, [this.name]: 'down' } };
  }
  override after(response: ChatClientResponse): ChatClientResponse {
    log.push(`-${this.name}`);
    return { ...response, context: { ...response.context, last: this.name } };
  }
}

const end: CallAdvisor & StreamAdvisor = {
  name: 'end',
  order: 0,
  adviseCall: async ({ context }) => ({ context }),
  adviseStream: ({ context }) => of({ context }, { context }),
};

const chainOf = (...advisors: Advisor[]): DefaultAdvisorChain => DefaultAdvisorChain.of(advisors, end);

describe('the advisor chain', () => {
  it('runs lower orders first, equal orders as registered, and passes the context both ways', async () => {
    log.length = 0;
    const { context } = await chainOf(new Logged('c', 5), new Logged('a'), new Logged('b')).nextCall(request);
    expect(log).toEqual(['+a', '+b', '+c', '-c', '-b', '-a']);
    expect(context).toEqual({ a: 'down', b: 'down', c: 'down', last: 'a' });
  });

  it('passes the context with every chunk of a stream', async () => {
    const responses = await lastValueFrom(chainOf(new Logged('a')).nextStream(request).pipe(toArray()));
    expect(responses.map(({ context }) => context)).toEqual([
      { a: 'down', last: 'a' },
      { a: 'down', last: 'a' },
    ]);
  });

  it('runs an advisor with the lowest precedence', async () => {
    log.length = 0;
    await chainOf(new Logged('lowest', Ordered.LOWEST_PRECEDENCE)).nextCall(request);
    expect(log).toEqual(['+lowest', '-lowest']);
  });

  it('serves any number of requests', async () => {
    const chain = chainOf(new Logged('a'));
    const answer = { context: { a: 'down', last: 'a' } };
    expect(await chain.nextCall(request)).toEqual(answer);
    expect(await chain.nextCall(request)).toEqual(answer);
    expect(chain.advisors.map(({ name }) => name)).toEqual(['a', 'end']);
  });

  it('lets an advisor call the rest of the chain repeatedly', async () => {
    log.length = 0;
    const twice: CallAdvisor = {
      name: 'twice',
      order: 1,
      async adviseCall(given, chain: CallAdvisorChain) {
        const rest = chain.copy(this);
        await rest.nextCall(given);
        return rest.nextCall(given);
      },
    };
    await chainOf(new Logged('outer'), twice, new Logged('inner', 2)).nextCall(request);
    expect(log).toEqual(['+outer', '+inner', '-inner', '+inner', '-inner', '-outer']);
  });

  it('keeps the order of equal advisors in copies', async () => {
    const [a, b, c] = [new Logged('a'), new Logged('b'), new Logged('c')];
    log.length = 0;
    await chainOf(a, b, c).copy(a).nextCall(request);
    expect(log).toEqual(['+b', '+c', '-c', '-b']);
  });

  it('fails after its end', async () => {
    const empty = chainOf().copy(end);
    await expect(empty.nextCall(request)).rejects.toThrow('No CallAdvisors available to execute');
    await expect(lastValueFrom(empty.nextStream(request))).rejects.toThrow('No StreamAdvisors available to execute');
  });

  it('skips advisors for calls when streaming, and advisors for streams in calls', async () => {
    const [called, streamed]: string[][] = [[], []];
    const callOnly: CallAdvisor = {
      name: 'call',
      order: 0,
      adviseCall(given, chain) {
        called!.push(this.name);
        return chain.nextCall(given);
      },
    };
    const streamOnly: StreamAdvisor = {
      name: 'stream',
      order: 0,
      adviseStream(given, chain) {
        streamed!.push(this.name);
        return chain.nextStream(given);
      },
    };
    const chain = chainOf(callOnly, streamOnly);
    expect(await chain.nextCall(request)).toEqual({ context: {} });
    expect({ called, streamed }).toEqual({ called: ['call'], streamed: [] });
    expect(await lastValueFrom(chain.nextStream(request))).toEqual({ context: {} });
    expect({ called, streamed }).toEqual({ called: ['call'], streamed: ['stream'] });
  });

  it('refuses values that are no advisors, a copy after an unknown advisor, and two tool advisors', () => {
    const stranger = new Logged('stranger');
    expect(() => chainOf(undefined as never)).toThrow('must not contain null elements');
    expect(() => chainOf({ name: 'odd', order: 0 })).toThrow(/'odd' is not an advisor/);
    expect(() => chainOf().copy(stranger)).toThrow('The specified advisor is not part of the chain: stranger');
    expect(() => chainOf().copy(undefined as never)).toThrow('The after advisor must not be null');
    const loop = (name: string, order: number): Advisor & ToolAdvisor => ({
      ...end,
      name,
      order,
      [ToolAdvisor]: true,
    });
    expect(() => chainOf(loop('one', 1), loop('two', 2))).toThrow(
      'At most one ToolAdvisor is allowed in the advisor chain, but found 2: [one (order=1), two (order=2)]',
    );
  });
});

describe('an advisor of a client that drops the options of the request', () => {
  const forgetful = {
    name: 'Forgetful',
    order: 0,
    adviseCall: (request: ChatClientRequest, chain: CallAdvisorChain) =>
      chain.nextCall({ ...request, prompt: new Prompt(request.prompt.messages, { temperature: 0 }) }),
    adviseStream: (request: ChatClientRequest, chain: StreamAdvisorChain) =>
      chain.nextStream({ ...request, prompt: new Prompt(request.prompt.messages, { temperature: 0 }) }),
  };

  it('is named in the error, with the remedy', async () => {
    const client = ChatClient.builder(new ScriptedChatModel(['Hi']))
      .defaultAdvisors(forgetful)
      .build();
    const message = /The advisor 'Forgetful' replaced the options of the request.* Spread them: prompt\.with\(/;
    await expect(client.prompt('Hi').call().content()).rejects.toThrow(message);
    await expect(lastValueFrom(client.prompt('Hi').stream().content())).rejects.toThrow(message);
  });
});

describe('two concurrent turns of one request', () => {
  it('have separate turns', async () => {
    const ids = new Set<string>();
    const twice = {
      name: 'Twice',
      order: Ordered.HIGHEST_PRECEDENCE,
      adviseCall: async (asked: ChatClientRequest, chain: CallAdvisorChain) => {
        const [first] = await Promise.all([chain.nextCall(asked), chain.nextCall(asked)]);
        return first!;
      },
    };
    const noting = new FunctionToolCallback({
      name: 'note',
      toolFunction: (_input, { turn }) => {
        ids.add(turn.id);
        return 'noted';
      },
    });
    const calling = { toolCalls: [toolCall('note')] };
    const model = new ScriptedChatModel([calling, calling, 'done', 'done']);
    const client = ChatClient.builder(model).defaultTools(noting).defaultAdvisors(twice).build();
    expect(await client.prompt('Go').call().content()).toBe('done');
    expect(ids.size).toBe(2);
  });
});
