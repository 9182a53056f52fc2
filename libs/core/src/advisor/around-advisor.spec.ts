import { describe, expect, it } from '@jest/globals';
import { concat, lastValueFrom, NEVER, Observable, of, Subject, throwError, toArray } from 'rxjs';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { TurnAbort } from '../model/turn-abort.js';
import { DefaultAdvisorChain } from './advisor-chain.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { NextHandler } from './next-handler.js';

const request: ChatClientRequest = { prompt: new Prompt('Hi'), context: {} };
const said = (text: string, context = {}): ChatClientResponse => ({
  chatResponse: new ChatResponse({ results: [{ output: new AssistantMessage(text) }] }),
  context,
});

class Around extends AroundAdvisor {
  readonly name = 'around';

  constructor(
    override readonly around: (request: ChatClientRequest, next: NextHandler) => Promise<ChatClientResponse>,
  ) {
    super();
  }
}

/** A chain whose last advisor records the messages it gets and answers in these chunks. */
function chainOf(around: AroundAdvisor['around'], ...answers: (readonly string[] | Error)[]): DefaultAdvisorChain {
  const next = (): Observable<ChatClientResponse> => {
    const answer = answers.shift()!;
    return answer instanceof Error ? throwError(() => answer) : of(...answer.map((text) => said(text)));
  };
  return DefaultAdvisorChain.of([new Around(around)], {
    name: 'end',
    order: 0,
    adviseCall: async () => {
      const chunks = await lastValueFrom(next().pipe(toArray()));
      return said(chunks.map(({ chatResponse }) => chatResponse!.text).join(''));
    },
    adviseStream: next,
  } as never);
}

const modes = [
  ['call', async (chain: DefaultAdvisorChain) => [(await chain.nextCall(request)).chatResponse?.text]],
  ['stream', async (chain: DefaultAdvisorChain) => textsOf(chain.nextStream(request))],
] as const;

async function textsOf(stream: Observable<ChatClientResponse>): Promise<(string | undefined)[]> {
  const chunks = await lastValueFrom(stream.pipe(toArray()));
  return chunks.map(({ chatResponse }) => chatResponse?.text);
}

describe.each(modes)('an AroundAdvisor (%s)', (how, ask) => {
  it('has the whole response after next.handle()', async () => {
    let whole: string | undefined;
    const chain = chainOf(
      async (given, next) => {
        const response = await next.handle(given);
        whole = response.chatResponse?.text;
        return response;
      },
      ['Hel', 'lo'],
    );
    expect((await ask(chain)).join('')).toBe('Hello');
    expect(whole).toBe('Hello');
  });

  it('may answer by itself', async () => {
    expect(await ask(chainOf(async () => said('mine')))).toEqual(['mine']);
  });

  it('may try again', async () => {
    const chain = chainOf(
      async (given, next) => next.handle(given).catch(() => next.handle(given)),
      new Error('down'),
      ['Hello'],
    );
    expect(await ask(chain)).toEqual(['Hello']);
  });

  it('may answer by itself after a failure', async () => {
    const chain = chainOf(async (given, next) => next.handle(given).catch(() => said('Sorry')), new Error('down'));
    expect(await ask(chain)).toEqual(['Sorry']);
  });

  it('fails with its own error', async () => {
    const chain = chainOf(
      async (given, next) => {
        await next.handle(given);
        throw new Error('cannot be kept');
      },
      ['Hello'],
    );
    await expect(ask(chain)).rejects.toThrow('cannot be kept');
  });

  it('may call another chain', async () => {
    const other = chainOf(async (given, next) => next.handle(given), ['from there']);
    expect(await ask(chainOf(async (given, next) => next.handle(given, { chain: other })))).toEqual(['from there']);
  });

  it('may end the answer', async () => {
    const turn = new TurnAbort(undefined);
    const end = { name: 'end', order: 0, adviseCall: () => new Promise(() => undefined), adviseStream: () => NEVER };
    const hanging = new Around(async (given, next) => next.handle(given, { until: turn }));
    const answer = ask(DefaultAdvisorChain.of([hanging], end as never));
    turn.abort(new Error('time is up'));
    await expect(answer).rejects.toThrow('time is up');
  });

  it('knows what has been received', async () => {
    const received: unknown[] = [];
    const chain = chainOf(
      async (given, next) => {
        received.push(next.received);
        const response = await next.handle(given);
        received.push(next.received?.text);
        return response;
      },
      ['Hel', 'lo'],
    );
    await ask(chain);
    expect(received).toEqual([undefined, 'Hello']);
  });

  it('has the signal of the caller', async () => {
    const caller = new AbortController();
    let signal: AbortSignal | undefined;
    const chain = chainOf(async (_given, next) => {
      signal = next.signal;
      caller.abort('enough');
      return said('mine');
    });
    const asked = { ...request, prompt: new Prompt('Hi', { signal: caller.signal }) };
    await (how === 'call' ? chain.nextCall(asked) : lastValueFrom(chain.nextStream(asked)));
    expect(signal?.reason).toBe('enough');
  });
});

describe('a streamed answer', () => {
  it('is sent as it arrives, and only once', async () => {
    const source = new Subject<ChatClientResponse>();
    const end = { name: 'end', order: 0, adviseStream: () => source };
    const changing = new Around(async (given, next) => ({ ...(await next.handle(given)), context: { changed: true } }));
    const heard: (string | undefined)[] = [];
    const ended = new Promise<void>((complete) =>
      DefaultAdvisorChain.of([changing], end)
        .nextStream(request)
        .subscribe({ next: ({ chatResponse }) => heard.push(chatResponse?.text), complete }),
    );
    source.next(said('Hel'));
    expect(heard).toEqual(['Hel']);
    source.next(said('lo'));
    source.complete();
    await ended;
    expect(heard).toEqual(['Hel', 'lo']);
  });

  it('has begun once content was sent, even if it then fails', async () => {
    const seen: unknown[] = [];
    const facts = { chatResponse: new ChatResponse({ results: [], metadata: { id: 'r1' } }), context: {} };
    const cut = (...chunks: ChatClientResponse[]) =>
      concat(
        of(...chunks),
        throwError(() => new Error('cut')),
      );
    const answers = [cut(facts), cut(facts, said('so far'))];
    const end = { name: 'end', order: 0, adviseStream: () => answers.shift()! };
    const around = new Around(async (given, next) => {
      seen.push(next.hasBegun);
      await next.handle(given).catch(() => seen.push(next.hasBegun, next.received?.text));
      await next.handle(given).catch(() => seen.push(next.hasBegun, next.received?.text));
      return said('.');
    });
    await lastValueFrom(DefaultAdvisorChain.of([around], end).nextStream(request));
    expect(seen).toEqual([false, false, '', true, 'so far']);
  });

  it('ends the model call, aborts the signal and lets the advisor clean up after an unsubscribe', async () => {
    const source = new Subject<ChatClientResponse>();
    const seen: unknown[] = [];
    const around = new Around(async (given, next) => {
      const { signal } = next;
      try {
        return await next.handle(given);
      } finally {
        seen.push(source.observed, signal?.aborted);
      }
    });
    const end = { name: 'end', order: 0, adviseStream: () => source };
    DefaultAdvisorChain.of([around], end).nextStream(request).subscribe().unsubscribe();
    await new Promise(setImmediate);
    expect(seen).toEqual([false, true]);
  });

  it('is not sent again after an unsubscribe, even if the advisor asks again', async () => {
    let asked = 0;
    const around = new Around(async (given, next) => next.handle(given).catch(async () => next.handle(given)));
    const adviseStream = (): Observable<ChatClientResponse> =>
      new Observable(() => {
        asked++;
      });
    const end = { name: 'end', order: 0, adviseStream };
    const chain = DefaultAdvisorChain.of([around], end);
    chain.nextStream(request).subscribe().unsubscribe();
    await new Promise(setImmediate);
    expect(asked).toBe(1);
  });

  it('has the context of all its chunks', async () => {
    let context: unknown;
    const around = new Around(async (given, next) => {
      const response = await next.handle(given);
      ({ context } = response);
      return response;
    });
    const end = { name: 'end', order: 0, adviseStream: () => of(said('a', { first: 1 }), said('b', { second: 2 })) };
    await lastValueFrom(DefaultAdvisorChain.of([around], end).nextStream(request));
    expect(context).toEqual({ first: 1, second: 2 });
  });
});
