import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatModel, type ChatResponse, Prompt } from '@nestor-ai/core';
import { assertEqual, fail } from './assertions.js';
import { answerOf, errorOf, modelOf, readStream } from './contract-checks.js';
import type { CaseDefinition, ContractHarness } from './contract-harness.js';

const QUESTION = 'Tell a long story';
const STORY = 'Once upon a time there was a counsellor who had much to tell, and took his time.';
const SLOW = answerOf(QUESTION, [STORY], { failure: { type: 'slow' } });

/** How long a model may take to abort its request, in milliseconds. */
const PATIENCE = 5000;

/** How a slow answer is asked for, and aborted while it is on its way. */
const WAYS = [
  ['call()', (model: ChatModel, prompt: Prompt): Promise<unknown> => model.call(prompt)],
  ['stream()', (model: ChatModel, prompt: Prompt): Promise<unknown> => readStream(model.stream(prompt))],
] as const;

const abortCases = WAYS.flatMap(([way, ask]): CaseDefinition[] => [
  {
    name: `${way} with a signal that is already aborted fails with its reason`,
    async run(harness) {
      const reason = new Error('no longer needed');
      const prompt = new Prompt(QUESTION, { signal: AbortSignal.abort(reason) });
      const error = await errorOf(ask(await modelOf(harness, [SLOW]), prompt), `${way} fails when it is aborted`);
      assertReason(error, reason, way);
    },
  },
  {
    name: `${way} that is aborted on its way fails with the reason of the signal`,
    async run(harness) {
      const reason = new Error('no longer needed');
      const caller = new AbortController();
      const asked = ask(await modelOf(harness, [SLOW]), new Prompt(QUESTION, { signal: caller.signal }));
      // The error is checked below, and must not count as unhandled until then.
      asked.catch(() => undefined);
      await sleep(50);
      caller.abort(reason);
      assertReason(await errorOf(asked, `${way} fails when it is aborted`), reason, way);
    },
  },
]);

function assertReason(error: unknown, reason: Error, way: string): void {
  if (error !== reason) fail(`An aborted ${way} fails with the reason of the signal itself`, reason, error);
}

function assertModelError(error: unknown, wanted: object, way: string): void {
  const { name, httpStatus, isRetryable } = (error ?? {}) as Record<string, unknown>;
  const given = 'httpStatus' in wanted ? { name, httpStatus, isRetryable } : { name };
  assertEqual(given, { name: 'ChatModelException', ...wanted }, `A failed ${way} gives a ChatModelException`);
}

const refusal = (httpStatus: number, isRetryable: boolean): CaseDefinition => ({
  name: `status ${httpStatus} of the provider is a ChatModelException that is ${isRetryable ? '' : 'not '}retryable`,
  async run(harness) {
    const failure = { type: 'refused', httpStatus, isRetryable } as const;
    const model = await modelOf(harness, [answerOf(QUESTION, [], { failure })]);
    for (const [way, ask] of WAYS) {
      const error = await errorOf(ask(model, new Prompt(QUESTION)), `${way} fails when the provider refuses`);
      assertModelError(error, { httpStatus, isRetryable }, way);
    }
  },
});

/** Subscribes, and unsubscribes at the first chunk. Resolves when that has happened. */
function leaveAtFirstChunk(model: ChatModel): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = model.stream(new Prompt(QUESTION)).subscribe({
      next: () => {
        queueMicrotask(() => {
          subscription.unsubscribe();
          resolve();
        });
      },
      error: reject,
      complete: () => reject(new Error('The stream was complete before it could be left.')),
    });
  });
}

async function untilAborted(harness: ContractHarness, model: ChatModel): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(10)) {
    if (harness.requests!(model).at(-1)?.isAborted) return;
  }
  fail('Leaving a stream aborts its request', 'an aborted request', harness.requests!(model));
}

/** How answers end other than with success. */
export const ENDING_CASES: readonly CaseDefinition[] = [
  ...abortCases,
  {
    name: 'leaving a stream aborts its request',
    needs: ['abortedRequests'],
    readsRequests: true,
    async run(harness) {
      const model = await modelOf(harness, [SLOW]);
      await leaveAtFirstChunk(model);
      await untilAborted(harness, model);
    },
  },
  refusal(429, true),
  refusal(400, false),
  {
    name: 'a stream whose connection is lost fails after its chunks, and does not complete',
    needs: ['brokenStreams'],
    async run(harness) {
      const model = await modelOf(harness, [answerOf(QUESTION, [STORY], { failure: { type: 'broken' } })]);
      const chunks: ChatResponse[] = [];
      const read = model.stream(new Prompt(QUESTION)).forEach((chunk) => void chunks.push(chunk));
      const error = await errorOf(read, 'A broken stream fails and does not complete');
      assertModelError(error, {}, 'stream()');
      const text = chunks.map((chunk) => chunk.text ?? '').join('');
      if (text === '' || !STORY.startsWith(text)) fail('A broken stream passes on what came before', STORY, text);
      const reasons = chunks.flatMap(({ finishReason }) => finishReason ?? []);
      assertEqual(reasons, [], 'A broken stream has no finish reason');
    },
  },
];
