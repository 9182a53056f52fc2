import type { Message } from '../model/messages.js';

/** The messages with new ones behind them. New system messages replace the old ones. */
export function withAdded(known: readonly Message[], added: readonly Message[]): Message[] {
  const texts = new Set(known.flatMap((message) => (message.role === 'system' ? [message.text] : [])));
  const isNew = added.some((message) => message.role === 'system' && !texts.has(message.text));
  return [...(isNew ? known.filter(({ role }) => role !== 'system') : known), ...added];
}

/** The newest messages: whole turns, and all system messages. */
export function windowOf(messages: readonly Message[], maxMessages: number): readonly Message[] {
  if (messages.length <= maxMessages) return messages;
  const spoken = messages.filter(({ role }) => role !== 'system');
  const room = Math.max(0, maxMessages - (messages.length - spoken.length));
  const from = spoken.findIndex(({ role }, at) => at >= spoken.length - room && role === 'user');
  const kept = from >= 0 ? spoken.slice(from) : lastTurn(spoken, room);
  // Keeps the order of system messages and others. The kept ones are the last of the others.
  const cut = positionOf(messages, spoken.length - kept.length);
  return [...messages.slice(0, cut).filter(({ role }) => role === 'system'), ...merged(messages.slice(cut), kept)];
}

/** The position behind this many messages that are not system messages. */
function positionOf(messages: readonly Message[], skipped: number): number {
  let left = skipped;
  let at = 0;
  while (left > 0) if (messages[at++]!.role !== 'system') left--;
  return at;
}

/** Replaces the messages that are not system messages with the kept ones. */
function merged(messages: readonly Message[], kept: readonly Message[]): readonly Message[] {
  let next = 0;
  return messages.map((message) => (message.role === 'system' ? message : kept[next++]!));
}

/** The part to keep of a turn that does not fit. */
function lastTurn(spoken: readonly Message[], room: number): readonly Message[] {
  const turn = spoken.slice(spoken.findLastIndex(({ role }) => role === 'user'));
  const last = turn.at(-1);
  if (turn[0]?.role !== 'user') return [];
  if (last?.role !== 'assistant' || last.toolCalls?.length > 0) return turn;
  const [asked, ...steps] = turn;
  while (steps.length > 0 && steps.length + 1 > room) {
    steps.shift();
    while (steps[0]?.role === 'tool') steps.shift();
  }
  return steps.length > 0 ? [asked, ...steps] : [];
}
