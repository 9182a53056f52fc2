import { afterAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  AssistantMessage,
  AroundAdvisor,
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  ChatModel,
  ChatResponse,
  FunctionToolCallback,
  type NextHandler,
  type Prompt,
  type StreamAdvisorChain,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, Observable, timeout, toArray } from 'rxjs';
import { until } from '../until.js';

const started: INestApplication[] = [];
afterAll(async () => {
  for (const app of started) await app.close();
});
async function clientOf(chatModel: ChatModel): Promise<{ app: INestApplication; client: ChatClient }> {
  const module = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel, properties: { shutdown: { drainTimeout: 20 } } })],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  started.push(app);
  return { app, client: app.get(ChatClient) };
}

const answer = (text: string): ChatResponse => new ChatResponse({ results: [{ output: new AssistantMessage(text) }] });
const wait = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));
const before = ToolCallingAdvisor.DEFAULT_ORDER - 10;
const cooler = ({ prompt, ...request }: ChatClientRequest): ChatClientRequest => ({
  ...request,
  prompt: prompt.with({ options: { ...prompt.options, temperature: 0 } }),
});

describe('the signal of a model', () => {
  it('is aborted for a model that looks at it between chunks, when the subscriber leaves', async () => {
    let ended = '';
    class Polling extends ChatModel {
      call(): Promise<ChatResponse> {
        return Promise.resolve(answer('x'));
      }
      stream({ options }: Prompt): Observable<ChatResponse> {
        return new Observable((subscriber) => {
          const run = async (): Promise<void> => {
            for (let at = 0; at < 8 && ended === ''; at++) {
              subscriber.next(answer(`${at} `));
              await wait(5);
              if (options?.signal?.aborted) ended = 'aborted';
            }
            ended ||= 'ran to its end';
          };
          void run();
        });
      }
    }
    const { client } = await clientOf(new Polling());
    for await (const _text of client.prompt('Go').stream().content()) break;
    await until(() => ended);
    expect(ended).toBe('aborted');
  });

  it.each([
    ['before', before],
    ['behind', ToolCallingAdvisor.DEFAULT_ORDER + 10],
  ])('is aborted at shutdown also where an advisor %s the loop spreads the options', async (_where, order) => {
    let begin: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    class Waiting extends ChatModel {
      call({ options }: Prompt): Promise<ChatResponse> {
        begin?.();
        return new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new Error('heard')));
        });
      }
      stream(): never {
        throw new Error('not asked');
      }
    }
    const spreading = {
      name: 'spreading',
      order,
      adviseCall: (request: ChatClientRequest, chain: CallAdvisorChain) => chain.nextCall(cooler(request)),
    };
    const { app, client } = await clientOf(new Waiting());
    const asked = client.prompt('Go').advisors(spreading).call().content();
    const outcome = asked.then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await begun;
    await app.close();
    expect(await outcome).toMatch(/heard|shut/i);
  });

  it('is another one when an advisor gives a slow stream up and asks again', async () => {
    let asked = 0;
    class Slow extends ChatModel {
      call(): Promise<ChatResponse> {
        return Promise.resolve(answer('x'));
      }
      stream({ options }: Prompt): Observable<ChatResponse> {
        const { signal } = options ?? {};
        return new Observable((subscriber) => {
          if (++asked === 1) return;
          subscriber.next(answer(signal?.aborted ? 'aborted' : 'second'));
          subscriber.complete();
        });
      }
    }
    const impatient = {
      name: 'impatient',
      order: before,
      adviseStream: (request: ChatClientRequest, chain: StreamAdvisorChain) =>
        chain.nextStream(request).pipe(timeout({ first: 20, with: () => chain.nextStream(cooler(request)) })),
    };
    const { client } = await clientOf(new Slow());
    const chunks = await lastValueFrom(client.prompt('Go').advisors(impatient).stream().content().pipe(toArray()));
    expect(chunks).toEqual(['second']);
  });
});

describe('an advisor that asks another client with the prompt of its request', () => {
  it('hands the request of the caller on to its tools', async () => {
    const users: unknown[] = [];
    const whoami = new FunctionToolCallback({
      name: 'whoami',
      toolFunction: (_input, { turn }) => {
        users.push((turn.request as { user: string }).user);
        return 'known';
      },
    });
    const inner = ChatClient.create(new ScriptedChatModel([{ toolCalls: [toolCall('whoami')] }, 'done']));
    class Delegating extends AroundAdvisor {
      readonly name = 'delegating';
      override readonly order = before;
      around({ prompt }: ChatClientRequest) {
        return inner.prompt(prompt).tools(whoami).call().chatClientResponse();
      }
    }
    const { client } = await clientOf(new ScriptedChatModel([]));
    await client.prompt('Go').request({ user: 'ada' }).advisors(new Delegating()).call().content();
    expect(users).toEqual(['ada']);
  });
});

describe('an advisor that asks twice and returns the first answer', () => {
  it('sends it once', async () => {
    class Comparing extends AroundAdvisor {
      readonly name = 'comparing';
      override readonly order = before;
      async around(request: ChatClientRequest, next: NextHandler) {
        const first = await next.handle(request);
        await next.handle(request).catch(() => undefined);
        return first;
      }
    }
    const { client } = await clientOf(new ScriptedChatModel(['first', { error: new Error('down') }]));
    const texts = lastValueFrom(client.prompt('Go').advisors(new Comparing()).stream().content().pipe(toArray()));
    expect(await texts).toEqual(['first']);
  });
});
