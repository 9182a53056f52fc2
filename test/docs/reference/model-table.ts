import { isDeepStrictEqual } from 'node:util';
import { ChatModelException } from '@nestor-ai/core';
import { exchange, type SentRequest } from '../../protocol/bodies/exchange.js';
import { inNestor } from '../../protocol/bodies/in-nestor.js';
import { type LanguageModel, type ProviderName, PROVIDERS } from '../../protocol/bodies/providers.js';
import type { Turn } from '../../protocol/bodies/turn.js';
import { markdownTable } from './markdown-table.js';
import { type Feature, FEATURES } from './model-features.js';

/** The columns of the table: the newest major of each package that the tests have. */
const COLUMNS: readonly ProviderName[] = [
  'OpenAI chat v4',
  'OpenAI Responses v4',
  'Azure',
  'Anthropic v4',
  'Google v4',
  'Amazon Bedrock',
  'Mistral',
  'xAI chat',
  'xAI Responses',
  'Groq',
  'DeepSeek',
  'Ollama',
  'OpenAI-compatible',
];

/** What a turn sent, and what the provider package said of it. */
interface Sending {
  readonly last: SentRequest | undefined;
  readonly warnings: number;
}

/** What reaches the model of each provider, as a table. Every cell is measured. */
export async function modelTable(): Promise<string> {
  const rows: string[][] = [];
  for (const feature of FEATURES) {
    const cells = await Promise.all(COLUMNS.map(async (provider) => cellOf(feature, provider)));
    rows.push([feature.title, ...cells]);
  }
  return markdownTable(['', ...COLUMNS.map(titleOf)], rows);
}

function titleOf(provider: ProviderName): string {
  const { modelId } = PROVIDERS[provider].create(fetch);
  return `${provider.replace(/ v4$/, '')}<br>\`${modelId === 'm' ? 'any' : modelId}\``;
}

async function cellOf(feature: Feature, provider: ProviderName): Promise<string> {
  const turn = feature.turn(provider);
  if (!turn) return '–';
  const sending = await send(turn, provider);
  if (!sending) return 'refused';
  if (feature.words?.test(JSON.stringify(promptOf(sending.last)))) return 'in words';
  if (await reaches(feature, sending, provider)) return 'sent';
  return sending.warnings > 0 ? 'left out, with a warning' : 'left out';
}

async function reaches({ mark, without }: Feature, { last }: Sending, provider: ProviderName): Promise<boolean> {
  if (mark) return JSON.stringify(last).search(mark) >= 0;
  return !isDeepStrictEqual(last, without && (await send(without, provider))?.last);
}

/** What the model reads, under the names of all APIs. */
function promptOf(request: SentRequest | undefined): unknown[] {
  const { messages, input, contents, system, systemInstruction } = (request?.body ?? {}) as Record<string, unknown>;
  return [messages, input, contents, system, systemInstruction];
}

/** Makes the turn. Undefined if the provider package refuses a request of it. */
async function send(turn: Turn, provider: ProviderName): Promise<Sending | undefined> {
  const { create, format } = PROVIDERS[provider];
  const { sent, fetch } = exchange(format, turn.answers);
  const model = create(fetch);
  const warnings = countWarnings(model);
  try {
    await inNestor(turn, model, false);
  } catch (error) {
    const isRefused = error instanceof ChatModelException && sent.length < turn.answers.length;
    if (!isRefused) throw error;
    return undefined;
  }
  return { last: sent.at(-1), warnings: warnings() };
}

function countWarnings(model: LanguageModel): () => number {
  let count = 0;
  const doGenerate = model.doGenerate.bind(model) as (options: never) => PromiseLike<{ warnings: readonly unknown[] }>;
  Object.assign(model, {
    doGenerate: async (options: never) => {
      const result = await doGenerate(options);
      count += result.warnings.length;
      return result;
    },
  });
  return () => count;
}
