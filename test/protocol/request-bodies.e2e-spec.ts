import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { compareTurn } from './bodies/compare.js';
import { Explained, type Explanation } from './bodies/explained.js';
import { PROVIDER_NAMES, type ProviderName } from './bodies/providers.js';
import { type TurnName, TURNS } from './bodies/turns.js';

const ANTHROPIC: readonly ProviderName[] = ['Anthropic', 'Anthropic v4'];
const V4 = PROVIDER_NAMES.filter((name) => name.endsWith('v4'));
const V3 = PROVIDER_NAMES.filter((name) => !V4.includes(name));
/** The providers that take no pictures in the results of tools. */
const WORDS_ONLY: readonly ProviderName[] = [
  'OpenAI chat',
  'OpenAI chat v4',
  'Azure chat',
  'Mistral',
  'xAI chat',
  'Groq',
  'DeepSeek',
  'OpenAI-compatible',
  'Ollama',
];
/** The tool choice `auto` of each API. */
const AUTO = ['auto', { type: 'auto' }, { auto: {} }, { functionCallingConfig: { mode: 'AUTO' } }];

/** The differences that are meant. */
const MEANT: readonly Explanation[] = [
  {
    turns: 'all',
    providers: 'all',
    when: ({ nestor, aiSdk }) => nestor === undefined && AUTO.some((auto) => isDeepStrictEqual(auto, aiSdk)),
    reason: 'The AI SDK names the tool choice of every request with tools. Nestor leaves out the default of the APIs.',
  },
  {
    turns: ['a tool that fails'],
    providers: V3,
    when: ({ nestor, aiSdk }) => nestor === `Error: ${String(aiSdk)}`,
    reason: 'Most APIs have no flag for errors of tools, so the text says it. So does version 7 of the AI SDK.',
  },
  {
    turns: ['a tool that gives a picture'],
    providers: WORDS_ONLY,
    when: ({ nestor }) => String(nestor).endsWith('[image/png, 16 bytes; not shown]'),
    reason: 'The AI SDK sends the bytes as text to models that cannot see them. Nestor describes the picture.',
  },
  {
    turns: ['a tool that gives nothing'],
    providers: PROVIDER_NAMES,
    when: ({ nestor }) => nestor === 'Done',
    reason: 'A tool that returns undefined has done its work. The AI SDK sends null, which reads like a missing value.',
  },
  {
    turns: ['a call of an unknown tool'],
    providers: PROVIDER_NAMES,
    when: ({ nestor }) => String(nestor).includes("Error: Unknown tool 'whether'. Did you mean 'weather'?"),
    reason: 'Nestor names the nearest tool.',
  },
  {
    turns: ['a call with wrong arguments'],
    providers: PROVIDER_NAMES,
    when: ({ nestor }) => !nestor || nestor === true || String(nestor).includes('Error: Invalid arguments: '),
    reason: 'Nestor validates against every schema. The AI SDK does not validate against a schema that is plain JSON.',
  },
  {
    turns: ['a strict tool'],
    providers: PROVIDER_NAMES.filter((name) => !/Google|DeepSeek|Anthropic|Bedrock/.test(name)),
    when: ({ nestor }) => nestor === 'days' || isDeepStrictEqual(nestor, ['integer', 'null']),
    reason: 'Strict mode needs every property to be required. Nestor sends what is optional as nullable.',
  },
  {
    turns: ['a strict tool'],
    providers: [...ANTHROPIC, 'Amazon Bedrock'],
    when: ({ nestor, path }) => nestor === undefined && path.endsWith('.minimum'),
    reason: 'The strict mode of Claude refuses limits of numbers. Nestor checks them itself.',
  },
  {
    turns: ['a tool that gives an object', 'a tool that gives null', 'a tool that gives a number'],
    providers: ['Google', 'Google v4'],
    paths: ['body.contents[].parts[].functionResponse.response.content'],
    when: ({ nestor, aiSdk }) => nestor === JSON.stringify(aiSdk),
    reason: 'The result converter of a tool gives the text that a model reads. Gemini reads JSON as text too.',
  },
];

const turnNames = Object.keys(TURNS) as TurnName[];
const turnsOf = (provider: ProviderName): TurnName[] =>
  turnNames.filter((name) => TURNS[name].only?.includes(provider) ?? true);
const meant = new Explained(MEANT);

const unexplained = async (provider: ProviderName, turn: TurnName, streaming: boolean): Promise<object[]> =>
  (await compareTurn(provider, TURNS[turn], streaming)).filter((difference) => !meant.has(provider, turn, difference));

beforeAll(() => {
  Logger.overrideLogger(false);
  // The AI SDK prints the warnings of providers.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
});
describe.each(PROVIDER_NAMES)('the requests to %s are those of the AI SDK', (provider) => {
  it.each(turnsOf(provider))('%s', async (turn) => {
    const inOnePiece = await unexplained(provider, turn, false);
    const streaming = TURNS[turn].streamed ? await unexplained(provider, turn, true) : [];
    expect({ inOnePiece, streaming }).toEqual({ inOnePiece: [], streaming: [] });
  });
});

describe('the differences that are meant', () => {
  it('still differ', () => {
    expect(meant.unused).toEqual([]);
  });
});
