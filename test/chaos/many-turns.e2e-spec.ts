import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  ChatClient,
  ChatModel,
  ChatResponse,
  AssistantMessage,
  FunctionToolCallback,
  type Prompt,
} from '@nestor-ai/core';
import { Observable } from 'rxjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const answer = (text: string, call?: string): ChatResponse =>
  new ChatResponse({
    results: [
      {
        output: new AssistantMessage({
          text,
          ...(call !== undefined && { toolCalls: [{ id: call, name: 'add', arguments: '{"a":1,"b":2}' }] }),
        }),
      },
    ],
    metadata: { usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
  });

/** Asks for a tool twice, then answers. */
class ThreeRounds extends ChatModel {
  async call({ messages }: Prompt): Promise<ChatResponse> {
    return messages.length < 5 ? answer('', `call_${messages.length}`) : answer('3');
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      void this.call(prompt).then((response) => {
        subscriber.next(response);
        subscriber.complete();
      });
    });
  }
}

const add = new FunctionToolCallback({
  name: 'add',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  toolFunction: (input) => {
    const { a, b } = input as { a: number; b: number };
    return a + b;
  },
});

// Printing 20,000 log lines would take longer than the turns.
beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(new Logger()));

describe('many turns', () => {
  it('leave the heap where it was: 5,000 of three rounds, called and streamed', async () => {
    const client = ChatClient.builder(new ThreeRounds()).defaultTools(add).build();
    const run = async (turns: number): Promise<number> => {
      const signal = new AbortController().signal;
      for (let at = 0; at < turns; at++) {
        const spec = client.prompt('1 + 2?').options({ signal });
        if (at % 2 === 0) await spec.call().content();
        else for await (const _event of spec.stream().events());
      }
      collectGarbage();
      await new Promise(setImmediate);
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const early = await run(1500);
    const late = await run(3500);
    // In bytes per turn. Not as a part of the heap: other test files may have filled it.
    expect((late - early) / 3500).toBeLessThan(300);
  }, 120_000);

  it('stream at the same time without a lost or reordered chunk: 1,000 of them', async () => {
    class Counting extends ChatModel {
      async call(): Promise<ChatResponse> {
        return answer('');
      }
      stream({ messages }: Prompt): Observable<ChatResponse> {
        const last = messages.at(-1)!;
        return new Observable((subscriber) => {
          const send = async (): Promise<void> => {
            if (last.role === 'user') subscriber.next(answer(`${last.text}:`, 'c'));
            else {
              for (let at = 0; at < 20; at++) {
                if (at % 5 === 0) await new Promise(setImmediate);
                subscriber.next(answer(`${at},`));
              }
            }
            subscriber.complete();
          };
          void send();
        });
      }
    }
    const client = ChatClient.builder(new Counting()).defaultTools(add).build();
    const turns = Array.from({ length: 1000 }, async (_, turn) => {
      let text = '';
      for await (const piece of client.prompt(`turn ${turn}`).stream().content()) text += piece;
      return text;
    });
    const expected = Array.from({ length: 20 }, (_, at) => `${at},`).join('');
    expect(await Promise.all(turns)).toEqual(Array.from({ length: 1000 }, (_, turn) => `turn ${turn}:${expected}`));
  }, 60_000);
});
