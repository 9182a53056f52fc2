import { type Message, type ToolResponse, ToolResponseMessage } from '@nestor-ai/core';
import { estimateTokensOf, READ_TOOL_RESULT } from '@nestor-ai/core/internal';

/** When to clear tool results, and which. All numbers are tokens, except `keep`. */
export interface Clearing {
  /** The size of the messages above which results are cleared. */
  readonly at: number;
  /** How many of the newest results stay. */
  readonly keep: number;
  /** How much to clear at a time. */
  readonly clear: number;
  /** Whether the results of a tool always stay. */
  isKept(toolName: string): boolean;
}

interface Clearable {
  readonly result: ToolResponse;
  readonly saved: number;
}

/**
 * The messages without old tool results. It decides as if each message had been sent when it came, so
 * that a longer conversation has the same results cleared as it had before, and some more.
 */
export function clearResults(messages: readonly Message[], clearing: Clearing): readonly Message[] {
  const cleared = resultsToClear(messages, clearing);
  if (cleared.size === 0) return messages;
  return messages.map((message) => {
    if (message.role !== 'tool' || !message.responses.some((result) => cleared.has(result))) return message;
    const { metadata } = message;
    const responses = message.responses.map((result) => (cleared.has(result) ? withoutText(result) : result));
    return new ToolResponseMessage({ responses, ...(metadata && { metadata }) });
  });
}

function resultsToClear(
  messages: readonly Message[],
  { at, keep, clear, isKept }: Clearing,
): ReadonlySet<ToolResponse> {
  const cleared = new Set<ToolResponse>();
  const results: Clearable[] = [];
  let size = 0;
  for (const message of messages) {
    size += estimateTokensOf([message]);
    if (message.role === 'tool') {
      for (const result of message.responses)
        results.push({ result, saved: isKept(result.name) ? 0 : savedBy(result) });
    }
    // The model has not read the results of this message yet.
    const staying = Math.max(keep, message.role === 'tool' ? message.responses.length : 0);
    const old = results.slice(0, Math.max(0, results.length - staying));
    if (size <= at || old.reduce((sum, { saved }) => sum + saved, 0) < clear) continue;
    while (size > at - clear && results.length > staying) {
      const { result, saved } = results.shift()!;
      if (saved > 0) cleared.add(result);
      size -= saved;
    }
  }
  return cleared;
}

function savedBy(result: ToolResponse): number {
  const sizeOf = (one: ToolResponse): number => estimateTokensOf([new ToolResponseMessage({ responses: [one] })]);
  return Math.max(0, sizeOf(result) - sizeOf(withoutText(result)));
}

const PAGED = new RegExp(String.raw`${READ_TOOL_RESULT} with \{"id":"([\w-]+)"`);

/** The result, of which the model only reads how to get it back. Its labels stay. */
function withoutText({ content: _content, value: _value, ...result }: ToolResponse): ToolResponse {
  const id = PAGED.exec(result.responseData.slice(-500))?.[1];
  const remedy = id === undefined ? 'call the tool again' : `call ${READ_TOOL_RESULT} with ${JSON.stringify({ id })}`;
  return { ...result, responseData: `This result was removed to save space. If you need it, ${remedy}.` };
}
