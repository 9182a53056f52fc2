import type { ChatModelException } from '@nestor-ai/core';
import { exchange, type SentRequest } from './exchange.js';
import { inAiSdk } from './in-ai-sdk.js';
import { inNestor } from './in-nestor.js';
import { PROVIDERS, type ProviderName } from './providers.js';
import type { Turn } from './turn.js';

/** A value that one library sends and the other does not, or sends otherwise. */
export interface Difference {
  /** The keys to the value, with `[]` for a place in a list: `body.messages[].content`. */
  readonly path: string;
  readonly nestor: unknown;
  readonly aiSdk: unknown;
}

/** Makes a turn with both libraries and compares what they sent. */
export async function compareTurn(provider: ProviderName, turn: Turn, streaming: boolean): Promise<Difference[]> {
  const nestor = await requestsOf(provider, turn, streaming, inNestor);
  const aiSdk = await requestsOf(provider, turn, streaming, inAiSdk);
  return differences(nestor, aiSdk, '');
}

/** A provider package refuses what its API cannot do. Any other failure is one of the test. */
const REFUSAL = /functionality not supported|Unsupported file mime type|strict tool calls require a beta base URL/;

async function requestsOf(
  provider: ProviderName,
  turn: Turn,
  streaming: boolean,
  make: typeof inNestor,
): Promise<readonly (SentRequest | 'refused')[]> {
  const { create, format } = PROVIDERS[provider];
  const { sent, fetch } = exchange(format, turn.answers);
  try {
    await make(turn, create(fetch), streaming);
  } catch (error) {
    const { message } = ((error as ChatModelException).providerError ?? error) as Error;
    if (!REFUSAL.test(message)) throw error;
    return [...sent, 'refused'];
  }
  return sent;
}

function differences(nestor: unknown, aiSdk: unknown, path: string): Difference[] {
  if (Object.is(nestor, aiSdk)) return [];
  if (Array.isArray(nestor) && Array.isArray(aiSdk)) {
    const length = Math.max(nestor.length, aiSdk.length);
    return Array.from({ length }, (_, at) => differences(nestor[at], aiSdk[at], `${path}[]`)).flat();
  }
  if (isRecord(nestor) && isRecord(aiSdk)) {
    const keys = new Set([...Object.keys(nestor), ...Object.keys(aiSdk)]);
    return [...keys].flatMap((key) => differences(nestor[key], aiSdk[key], path === '' ? key : `${path}.${key}`));
  }
  return [{ path: path.replace(/^\[\]\.?/, ''), nestor, aiSdk }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
