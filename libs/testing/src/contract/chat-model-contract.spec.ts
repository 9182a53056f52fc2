import { describe, expect, it } from '@jest/globals';
import { EMPTY, endWith, map, mergeMap, type Observable, of } from 'rxjs';
import { AssistantMessage, type ChatModel, ChatResponse, type Prompt } from '@nestor-ai/core';
import { ScriptedChatModel } from '../scripted-chat-model.js';
import { messageOf } from './contract-checks.js';
import { chatModelContract, type ContractAnswer, type ContractHarness } from './index.js';

/** A model that keeps the contract for answers without failures. Tests break it in one place. */
class GoodModel extends ScriptedChatModel {
  constructor(readonly answers: readonly ContractAnswer[]) {
    super(({ userMessage }) => {
      const { content, finishReason, usage } = answers.find(({ question }) => question === userMessage?.text)!;
      const { text, toolCalls } = messageOf(content);
      return { text, toolCalls, finishReason, usage };
    });
  }
}

const harnessOf = (Model: typeof GoodModel, rest: Partial<ContractHarness> = {}): ContractHarness => ({
  model: (answers) => new Model(answers),
  requests: (model) => (model as GoodModel).prompts.map(() => ({})),
  ...rest,
});

const run = (title: string, harness: ContractHarness): Promise<void> =>
  chatModelContract(harness)
    .find(({ name }) => name.includes(title))!
    .run();

const eager = (model: ChatModel, prompt: Prompt, stream: Observable<ChatResponse>): Observable<ChatResponse> => {
  void model.call(prompt);
  return stream;
};

const withOutput = (response: ChatResponse, change: object): ChatResponse =>
  response.with({
    results: response.results.map(({ output: { ...message }, ...rest }) => ({
      ...rest,
      output: new AssistantMessage({ ...message, ...change }),
    })),
  });

const broken: readonly [string, string, RegExp, typeof GoodModel][] = [
  [
    'loses text in streams',
    'text is the same message',
    /chunks of stream\(\) make the message/,
    class extends GoodModel {
      override stream(prompt: Prompt) {
        return super.stream(prompt).pipe(mergeMap((chunk, at) => (at === 0 ? EMPTY : of(chunk))));
      }
    },
  ],
  [
    'changes the ids of calls',
    'a tool call with its id',
    /call\(\) gives the message that the model wrote.*\n.*call_1/s,
    class extends GoodModel {
      override async call(prompt: Prompt) {
        const response = await super.call(prompt);
        return withOutput(response, {
          toolCalls: response.result!.output.toolCalls.map((call) => ({ ...call, id: 'x' })),
        });
      }
    },
  ],
  [
    'gives parsed arguments',
    'a tool call with its id',
    /arguments of a tool call are JSON text/,
    class extends GoodModel {
      override async call(prompt: Prompt) {
        const response = await super.call(prompt);
        const toolCalls = response.result!.output.toolCalls.map((call) => ({ ...call, arguments: { city: 'Paris' } }));
        return withOutput(response, { toolCalls });
      }
    },
  ],
  [
    'reports usage on every chunk',
    'the usage is the same',
    /report each token once/,
    class extends GoodModel {
      override stream(prompt: Prompt) {
        const { usage } = this.answers[0]!;
        return super.stream(prompt).pipe(map((chunk) => chunk.with({ metadata: { usage } })));
      }
    },
  ],
  [
    'ends before the last chunk',
    'the finish reason stop',
    /last chunk of stream\(\) gives the finish reason, and no other/,
    class extends GoodModel {
      override stream(prompt: Prompt) {
        return super.stream(prompt).pipe(endWith(new ChatResponse({ results: [] })));
      }
    },
  ],
  [
    'sends a request before it is subscribed to',
    'a stream sends no request',
    /without a subscriber sends no request/,
    class extends GoodModel {
      override stream(prompt: Prompt) {
        return eager(this, prompt, super.stream(prompt));
      }
    },
  ],
  [
    'ignores the signal',
    'stream() that is aborted on its way',
    /stream\(\) fails when it is aborted/,
    class extends GoodModel {
      override stream(prompt: Prompt) {
        return super.stream(prompt.with({ options: {} }));
      }
    },
  ],
  ['completes a broken stream', 'whose connection is lost', /broken stream fails and does not complete/, GoodModel],
  ['hides a refusal', 'status 429', /call\(\) fails when the provider refuses/, GoodModel],
  [
    'runs tools',
    'never runs them',
    /leaves running tools to its caller/,
    class extends GoodModel {
      override async call(prompt: Prompt) {
        await prompt.options?.toolCallbacks?.[0]?.call('{"city":"Paris"}');
        return super.call(prompt);
      }
    },
  ],
  [
    'changes the prompt',
    'the prompt is not changed',
    /read only|not extensible/,
    class extends GoodModel {
      override async call(prompt: Prompt) {
        (prompt.messages as unknown[]).push(prompt.messages[0]);
        return super.call(prompt);
      }
    },
  ],
  [
    'mixes requests',
    'requests at the same time',
    /gives the message that the model wrote/,
    class extends GoodModel {
      #answer: Promise<ChatResponse> | undefined;
      override call(prompt: Prompt) {
        return (this.#answer ??= super.call(prompt));
      }
    },
  ],
];

describe('the contract of a ChatModel', () => {
  it.each(broken)('finds a model that %s', async (_what, title, message, Model) => {
    await expect(run(title, harnessOf(Model))).rejects.toThrow(message);
  });

  it('says what it wants and what it was given', async () => {
    const Model = broken[0]![3];
    await expect(run('text is the same message', harnessOf(Model))).rejects.toThrow(
      /The contract wants: .*'It is sunny in Paris, and.*\nIt was given: .*'is sunny in Paris, and/s,
    );
  });

  it('names the cases that it skips, and why', async () => {
    const cases = chatModelContract({ model: () => new ScriptedChatModel([]), supports: { sources: false } });
    const skipped = cases.filter((contractCase) => contractCase.skipped !== undefined).map(({ name }) => name);
    expect(skipped).toEqual([
      'a source is the same message in one piece and as a stream (skipped: the harness does not support sources)',
      'leaving a stream aborts its request (skipped: the harness has no requests())',
      'a stream sends no request before it is subscribed to, and one for each subscription (skipped: the harness has no requests())',
      'default options are part of the request, and options of the request override them (skipped: the harness has no requests())',
    ]);
    await Promise.all(cases.filter((contractCase) => contractCase.skipped).map((contractCase) => contractCase.run()));
  });
});
