import { type Message, type ToolResponse, ToolResponseMessage } from '@nestor-ai/core';
import { estimateTokensOf, READ_TOOL_RESULT } from '@nestor-ai/core/internal';

/**
 * What happens to the old results of a tool: they stay, or they are removed. `repeat`: the model
 * reads that it may call the tool again.
 */
export type ResultFate = 'keep' | 'remove' | 'repeat';

/** When to remove tool results, and which. */
export interface Clearing {
  /** The tokens of messages above which results are removed. */
  readonly at: number;
  /** How many of the newest results stay. */
  readonly keep: number;
  /** How many tokens to remove at a time. */
  readonly clear: number;
  fateOf(toolName: string): ResultFate;
}

interface Removable {
  readonly result: ToolResponse;
  readonly replacement: ToolResponse;
  readonly saved: number;
}

/**
 * The messages without old tool results. It decides as if each message had been sent when it came, so
 * that a longer conversation has the same results removed as it had before, and some more.
 */
export function clearResults(messages: readonly Message[], clearing: Clearing): readonly Message[] {
  const replaced = replacementsIn(messages, clearing);
  if (replaced.size === 0) return messages;
  return messages.map((message) => {
    if (message.role !== 'tool' || !message.responses.some((result) => replaced.has(result))) return message;
    const { metadata } = message;
    const responses = message.responses.map((result) => replaced.get(result) ?? result);
    return new ToolResponseMessage({ responses, ...(metadata && { metadata }) });
  });
}

function replacementsIn(
  messages: readonly Message[],
  { at, keep, clear, fateOf }: Clearing,
): ReadonlyMap<ToolResponse, ToolResponse> {
  const replaced = new Map<ToolResponse, ToolResponse>();
  const results: Removable[] = [];
  let size = 0;
  /** How many of the results the model has not read yet. */
  let unread = 0;
  for (const message of messages) {
    size += estimateTokensOf([message]);
    if (message.role === 'assistant') {
      unread = 0;
      continue;
    }
    if (message.role === 'tool') {
      for (const result of message.responses) results.push(removable(result, fateOf(result.name)));
      unread += message.responses.length;
    }
    const staying = Math.max(keep, unread);
    const old = results.slice(0, Math.max(0, results.length - staying));
    if (size <= at || old.reduce((sum, { saved }) => sum + saved, 0) < clear) continue;
    while (size > at - clear && results.length > staying) {
      const { result, replacement, saved } = results.shift()!;
      if (saved > 0) replaced.set(result, replacement);
      size -= saved;
    }
  }
  return replaced;
}

function removable(result: ToolResponse, fate: ResultFate): Removable {
  if (fate === 'keep') return { result, replacement: result, saved: 0 };
  const sizeOf = (one: ToolResponse): number => estimateTokensOf([new ToolResponseMessage({ responses: [one] })]);
  const replacement = withoutText(result, fate === 'repeat');
  return { result, replacement, saved: Math.max(0, sizeOf(result) - sizeOf(replacement)) };
}

/** The end of a result that was cut into pages. */
const PAGED = new RegExp(String.raw`${READ_TOOL_RESULT} with \{"id":"([0-9a-f]{8})","offset":\d+\}\]$`);

/** The result with a text that only says how to get it back. Its labels stay. */
function withoutText(
  { content: _content, value: _value, ...result }: ToolResponse,
  isRepeatable: boolean,
): ToolResponse {
  const id = result.name === READ_TOOL_RESULT ? undefined : PAGED.exec(result.responseData.slice(-100))?.[1];
  return { ...result, responseData: `This result was removed to save space. ${remedyFor(id, isRepeatable)}` };
}

function remedyFor(id: string | undefined, isRepeatable: boolean): string {
  if (id !== undefined) return `If you need it, call ${READ_TOOL_RESULT} with ${JSON.stringify({ id })}.`;
  return isRepeatable ? 'If you need it, call the tool again.' : 'Do not call the tool again only to read it.';
}
