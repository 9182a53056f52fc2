import type { Message } from '../model/messages.js';
import { estimateMessageTokens, estimateTokensOf } from '../model/message-tokens.js';

export const isSystem = ({ role }: Message): boolean => role === 'system';

/** How much of a conversation the model sees. */
export interface WindowSize {
  readonly messages: number;
  /** As estimated; Infinity for no limit. */
  readonly tokens: number;
}

/** The messages with new ones behind them. System messages replace the earlier ones. */
export function withAdded(known: readonly Message[], added: readonly Message[]): Message[] {
  return [...(added.some(isSystem) ? known.filter((message) => !isSystem(message)) : known), ...added];
}

/** Whether the window has room for all these messages. */
export function fits(messages: readonly Message[], { messages: most, tokens }: WindowSize): boolean {
  return messages.length <= most && (tokens === Infinity || estimateTokensOf(messages) <= tokens);
}

/** The newest messages: all system messages, and then whole turns. */
export function windowOf(messages: readonly Message[], size: WindowSize): readonly Message[] {
  if (fits(messages, size)) return messages;
  const spoken = messages.filter(({ role }) => role !== 'system');
  const system = messages.filter(isSystem);
  const room = besides(system, size);
  const from = firstThatFits(spoken, room);
  return [...system, ...(from >= 0 ? spoken.slice(from) : lastTurn(spoken, room))];
}

/** The room that messages leave. */
export function besides(messages: readonly Message[], size: WindowSize): WindowSize {
  const tokens = size.tokens === Infinity ? Infinity : size.tokens - estimateTokensOf(messages);
  return { messages: size.messages - messages.length, tokens };
}

/** Where the oldest turn begins that fits together with all after it; -1 if not even the last one fits. */
function firstThatFits(spoken: readonly Message[], room: WindowSize): number {
  let from = -1;
  let { tokens } = room;
  for (let at = spoken.length - 1; at >= Math.max(0, spoken.length - room.messages); at--) {
    if (tokens !== Infinity) tokens -= estimateMessageTokens(spoken[at]!);
    if (tokens < 0) break;
    if (spoken[at]!.role === 'user') from = at;
  }
  return from;
}

/** The part to keep of a turn that does not fit. */
function lastTurn(spoken: readonly Message[], room: WindowSize): readonly Message[] {
  const turn = spoken.slice(spoken.findLastIndex(({ role }) => role === 'user'));
  const last = turn.at(-1);
  if (turn[0]?.role !== 'user') return [];
  if (last?.role !== 'assistant' || last.toolCalls?.length > 0) return turn;
  const [asked, ...steps] = turn;
  while (steps.length > 0 && !fits([asked, ...steps], room)) {
    steps.shift();
    while (steps[0]?.role === 'tool') steps.shift();
  }
  return steps.length > 0 ? [asked, ...steps] : [];
}
