import type { ProviderToolCall } from '@nestor-ai/core';
import { assertEqual, fail } from './assertions.js';
import { answerOf, askBothWays, assertMessage, callOf, outputOf } from './contract-checks.js';
import type { CaseDefinition, ContractAnswer, ContractContent, ContractFeature } from './contract-harness.js';

const PARIS = callOf('call_1', 'weather', { city: 'Paris' });
const ROME = callOf('call_2', 'weather', { city: 'Rome' });

const SEARCH: ProviderToolCall = {
  id: 'search_1',
  name: 'web_search',
  arguments: '{"query":"weather"}',
  result: [{ type: 'web_search_result', url: 'https://example.com/weather', title: 'Weather' }],
};

const PICTURE = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };

/** A case that wants the same message in one piece and as a stream. */
const message = (
  name: string,
  content: readonly (string | ContractContent)[],
  needs: readonly ContractFeature[] = [],
): CaseDefinition => ({
  name: `${name} is the same message in one piece and as a stream`,
  needs,
  async run(harness) {
    const answer = answerOf('What is it like?', content);
    assertMessage(await askBothWays(harness, answer), answer);
  },
});

/** A case about why an answer ends. */
const finish = (
  finishReason: ContractAnswer['finishReason'],
  needs: readonly ContractFeature[] = [],
): CaseDefinition => ({
  name: `the finish reason ${finishReason} is on the answer, and on the last chunk only`,
  needs,
  async run(harness) {
    const content = finishReason === 'tool-calls' ? [PARIS] : ['It is sunny in Paris.'];
    const { called, chunks } = await askBothWays(harness, answerOf('Why does it end?', content, { finishReason }));
    assertEqual(called.finishReason, finishReason, 'call() gives the finish reason');
    const reasons = chunks.map((chunk) => chunk.finishReason);
    const wanted = chunks.map((_, at) => (at === chunks.length - 1 ? finishReason : undefined));
    assertEqual(reasons, wanted, 'The last chunk of stream() gives the finish reason, and no other chunk does');
  },
});

/** What an answer contains. */
export const ANSWER_CASES: readonly CaseDefinition[] = [
  message('text', ['It is sunny in Paris, and the wind is light.']),
  message('a tool call with its id, name and arguments as JSON text', [PARIS]),
  message('a message with text and several tool calls, in order,', ['Let me look.', PARIS, ROME]),
  message('text between tool calls', [PARIS, 'And the other one.', ROME], ['interleavedToolCalls']),
  message('reasoning', [{ type: 'reasoning', text: 'The user asks about Paris.' }, 'It is sunny.'], ['reasoning']),
  message(
    'a call of a tool that the provider ran',
    [{ type: 'provider-tool-call', call: SEARCH }, 'It is sunny.'],
    ['providerToolCalls'],
  ),
  message(
    'a source',
    [
      'It is sunny.',
      { type: 'source', source: { type: 'url', id: 's1', url: 'https://example.com/weather', title: 'Weather' } },
    ],
    ['sources'],
  ),
  message('a picture', ['Here it is.', { type: 'media', media: PICTURE }], ['media']),
  finish('stop'),
  finish('tool-calls'),
  finish('length', ['length']),
  finish('content-filter', ['contentFilter']),
  {
    name: 'the usage is the same in one piece and as a stream, and counted once',
    needs: ['usage'],
    async run(harness) {
      const answer = answerOf('How much?', ['One two three.']);
      const { called, streamed, chunks } = await askBothWays(harness, answer);
      const tokens = ({ promptTokens, completionTokens, totalTokens }: ContractAnswer['usage']): object => ({
        promptTokens,
        completionTokens,
        totalTokens,
      });
      const { usage } = called.metadata;
      assertEqual(usage && tokens(usage), tokens(answer.usage), 'call() gives the tokens of the answer');
      const sum = streamed.metadata.usage;
      assertEqual(sum && tokens(sum), tokens(answer.usage), 'The chunks of stream() give the tokens of the answer');
      const totals = chunks.map((chunk) => chunk.metadata.usage?.totalTokens ?? 0);
      const limit = answer.usage.totalTokens;
      if (totals.reduce((a, b) => a + b, 0) > limit) fail('The chunks report each token once', limit, totals);
    },
  },
  {
    name: 'the warnings of the provider are in the metadata',
    needs: ['warnings'],
    async run(harness) {
      const warnings = [{ type: 'unsupported', feature: 'seed', message: 'seed is ignored' }];
      const { called, streamed } = await askBothWays(harness, answerOf('Which seed?', ['None.'], { warnings }));
      assertEqual(called.metadata.warnings, warnings, 'call() gives the warnings in its metadata');
      assertEqual(streamed.metadata.warnings, warnings, 'A chunk of stream() gives the warnings in its metadata');
    },
  },
  {
    name: 'the headers of the response are in the metadata',
    needs: ['headers'],
    async run(harness) {
      const answer = answerOf('Which request?', ['This one.'], { headers: { 'x-request-id': 'req-1' } });
      const { called, streamed } = await askBothWays(harness, answer);
      assertEqual(called.metadata.headers?.['x-request-id'], 'req-1', 'call() gives the headers in its metadata');
      assertEqual(
        streamed.metadata.headers?.['x-request-id'],
        'req-1',
        'A chunk of stream() gives the headers in its metadata',
      );
    },
  },
  {
    name: 'the arguments of a tool call are streamed while the model writes them',
    needs: ['toolInput'],
    async run(harness) {
      const { called, chunks, streamed } = await askBothWays(harness, answerOf('Where?', [PARIS, ROME]));
      for (const { id, arguments: args } of outputOf(streamed).toolCalls) {
        const deltas = chunks.flatMap(({ result }) => (result?.toolInput?.id === id ? [result.toolInput.delta] : []));
        assertEqual(deltas.join(''), args, `The deltas of call ${id} make its arguments`);
        const lastDelta = chunks.findLastIndex(({ result }) => result?.toolInput?.id === id);
        const complete = chunks.findIndex(({ result }) => result?.output.toolCalls.some((call) => call.id === id));
        if (complete < lastDelta)
          fail(`The complete call ${id} follows its deltas`, `after chunk ${lastDelta}`, complete);
      }
      assertEqual(called.result?.toolInput, undefined, 'call() gives complete tool calls and no deltas');
    },
  },
];
