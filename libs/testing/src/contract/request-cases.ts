import {
  FunctionToolCallback,
  type Message,
  Prompt,
  SystemMessage,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { toMessage } from '@nestor-ai/core/internal';
import { isPlainObject } from '@nestor-ai/schema';
import { assertEqual, fail } from './assertions.js';
import {
  answerOf,
  askBoth,
  assertMessage,
  callOf,
  messageOf,
  modelOf,
  outputOf,
  readStream,
} from './contract-checks.js';
import type { CaseDefinition } from './contract-harness.js';

const QUESTION = 'What is the weather?';
const PARIS = callOf('call_1', 'weather', { city: 'Paris' });
const ROME = callOf('call_2', 'weather', { city: 'Rome' });

/** A tool that fails the case when it runs. */
const weather = (onRun: () => void): FunctionToolCallback =>
  new FunctionToolCallback({
    name: 'weather',
    description: 'The weather of a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    toolFunction: onRun,
  });

const HISTORY: readonly Message[] = [
  new SystemMessage('You tell the weather.'),
  new UserMessage('Hello'),
  messageOf([{ type: 'text', text: 'Hello.' }]),
  new UserMessage(QUESTION),
  messageOf([{ type: 'text', text: 'Let me look.' }, PARIS, ROME]),
  new ToolResponseMessage({
    responses: [
      { id: 'call_1', name: 'weather', responseData: '{"temperature":21}' },
      { id: 'call_2', name: 'weather', responseData: 'Rome is unknown.', isError: true },
    ],
  }),
];

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const isMessage = typeof (value as { role?: unknown }).role === 'string';
  if (!isMessage && !Array.isArray(value) && !isPlainObject(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

/** What a model does with requests. */
export const REQUEST_CASES: readonly CaseDefinition[] = [
  {
    name: 'a stream sends no request before it is subscribed to, and one for each subscription',
    readsRequests: true,
    async run(harness) {
      const answer = answerOf(QUESTION, ['It is sunny.']);
      const model = await modelOf(harness, [answer]);
      const stream = model.stream(new Prompt(QUESTION));
      assertEqual(harness.requests!(model).length, 0, 'A stream without a subscriber sends no request');
      const { streamed: first } = await readStream(stream);
      const { streamed: second } = await readStream(stream);
      assertEqual(harness.requests!(model).length, 2, 'Each subscription sends a request of its own');
      assertMessage({ called: first, streamed: second, chunks: [] }, answer);
    },
  },
  {
    name: 'the model asks for tools and never runs them',
    async run(harness) {
      let runs = 0;
      const answer = answerOf(QUESTION, [PARIS]);
      const model = await modelOf(harness, [answer]);
      const prompt = new Prompt(QUESTION, { toolCallbacks: [weather(() => ++runs)] });
      assertMessage(await askBoth(model, prompt), answer);
      assertEqual(runs, 0, 'A model leaves running tools to its caller');
    },
  },
  {
    name: 'the prompt is not changed',
    async run(harness) {
      const answer = answerOf(QUESTION, ['It is sunny in Paris.']);
      const model = await modelOf(harness, [answer]);
      const prompt = new Prompt(HISTORY, {
        toolCallbacks: [weather(() => fail('A model leaves running tools to its caller', 0, 1))],
        maxTokens: 100,
        stopSequences: ['END'],
        providerOptions: { acme: { trace: true } },
      });
      const before = JSON.stringify(prompt.messages);
      deepFreeze(prompt.messages);
      deepFreeze(prompt.options);
      assertMessage(await askBoth(model, prompt), answer);
      assertEqual(JSON.stringify(prompt.messages), before, 'The messages of the prompt stay as they were');
    },
  },
  {
    name: 'requests at the same time each get their own answer',
    async run(harness) {
      const cities = ['Paris', 'Rome', 'Oslo', 'Bern'];
      const answers = cities.map((city, at) =>
        answerOf(`Weather in ${city}?`, [`It is sunny in ${city}. `, callOf(`call_${at}`, 'weather', { city })]),
      );
      const model = await modelOf(harness, answers);
      const both = answers.map(async (answer) => {
        const prompt = new Prompt(answer.question);
        const [called, streamed] = await Promise.all([model.call(prompt), readStream(model.stream(prompt))]);
        assertMessage({ called, ...streamed }, answer);
      });
      await Promise.all(both);
    },
  },
  {
    name: 'default options are part of the request, and options of the request override them',
    needs: ['defaultOptions'],
    readsRequests: true,
    async run(harness) {
      const model = await modelOf(harness, [answerOf(QUESTION, ['Yes.'])], { temperature: 0.25, maxTokens: 100 });
      assertEqual(model.defaultOptions.maxTokens, 100, 'defaultOptions of the model are the given ones');
      await askBoth(model, new Prompt(QUESTION, { maxTokens: 200 }));
      const sent = harness.requests!(model).map(({ temperature, maxTokens }) => ({ temperature, maxTokens }));
      const wanted = { temperature: 0.25, maxTokens: 200 };
      assertEqual(sent, [wanted, wanted], 'Requests of call() and stream() contain the merged options');
    },
  },
  {
    name: 'a history with tool calls, results and failed results is accepted',
    async run(harness) {
      const answer = answerOf(QUESTION, ['It is 21 degrees in Paris.']);
      const model = await modelOf(harness, [answer]);
      assertMessage(await askBoth(model, new Prompt(HISTORY, { toolCallbacks: [weather(() => undefined)] })), answer);
    },
  },
  {
    name: 'an answer that was stored as JSON is sent back like the original',
    async run(harness) {
      const reasoned = harness.supports?.reasoning !== false;
      const reasoning = { type: 'reasoning', text: 'The user asks about Paris.' } as const;
      const asked = answerOf('Which weather?', reasoned ? [reasoning, 'Let me look.', PARIS] : ['Let me look.', PARIS]);
      const model = await modelOf(harness, [asked, answerOf('Go on', ['It is sunny.'])]);
      const { called, streamed } = await askBoth(model, new Prompt(asked.question));
      for (const response of [called, streamed]) {
        const original = outputOf(response);
        const stored = toMessage(JSON.parse(JSON.stringify(original)) as Message);
        assertEqual(JSON.stringify(stored), JSON.stringify(original), 'A message is the same after it was JSON');
        const history = (message: Message): Prompt =>
          new Prompt([
            new UserMessage(asked.question),
            message,
            new ToolResponseMessage({ responses: [{ id: 'call_1', name: 'weather', responseData: 'sunny' }] }),
            new UserMessage('Go on'),
          ]);
        assertEqual(
          (await model.call(history(original))).text,
          'It is sunny.',
          'The model goes on with its own answer',
        );
        assertEqual((await model.call(history(stored))).text, 'It is sunny.', 'The model goes on with a stored answer');
        const [first, second] = harness.requests?.(model).slice(-2) ?? [];
        assertEqual(second?.body, first?.body, 'The request with the stored answer is the one with the original');
      }
    },
  },
];
