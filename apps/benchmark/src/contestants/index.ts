import type { Contestant } from '../work.js';

const peer = (file: string): string => new URL(`../../peers/${file}.mjs`, import.meta.url).href;

/** Where each contestant is. Loaded one to a process, so that none has to carry another. */
const CONTESTANTS: Readonly<Record<string, () => Promise<Contestant>>> = {
  bare: async () => (await import('./bare.js')).contestant,
  nestor: async () => (await import('./nestor.js')).contestant,
  'nestor-over-ai-sdk': () => peerOf('nestor-over-ai-sdk'),
  'ai-sdk': () => peerOf('ai-sdk'),
  'ai-sdk-wrapped': () => peerOf('ai-sdk', 'wrapped'),
  langchain: () => peerOf('langchain'),
  mastra: () => peerOf('mastra'),
  'openai-agents': () => peerOf('openai-agents'),
  genkit: () => peerOf('genkit'),
};

export const CONTESTANT_IDS: readonly string[] = Object.keys(CONTESTANTS);

export function loadContestant(id: string): Promise<Contestant> {
  const load = CONTESTANT_IDS.includes(id) ? CONTESTANTS[id] : undefined;
  if (!load) throw new Error(`There is no contestant '${id}', only: ${CONTESTANT_IDS.join(', ')}.`);
  return load();
}

async function peerOf(file: string, name = 'contestant'): Promise<Contestant> {
  return ((await import(peer(file))) as Record<string, Contestant>)[name]!;
}
