import { AssistantMessage, type ToolCall } from '../model/messages.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { findTool } from '../model/find-tool.js';
import { findToolAlike } from './tool-lookup.js';

/**
 * The message with what can be put right without asking the model again: a name that is that of a tool but for case, separators
 * or a prefix, and ids that are missing or the same.
 *
 * @param ids those that are taken; those of the message are added
 * @returns the same message when there is nothing to put right
 */
export function repairCalls(
  message: AssistantMessage,
  callbacks: readonly ToolCallback[] | undefined,
  ids: string[],
): AssistantMessage {
  const { toolCalls } = message;
  let repaired: ToolCall[] | undefined;
  for (let at = 0; at < toolCalls.length; at++) {
    const call = toolCalls[at]!;
    const name = findTool(callbacks, call.name) ? call.name : (findToolAlike(callbacks, call.name) ?? call.name);
    const isOwn = typeof call.id === 'string' && call.id !== '' && !ids.includes(call.id);
    const id = isOwn ? call.id : `call_${crypto.randomUUID()}`;
    ids.push(id);
    if (name === call.name && isOwn) continue;
    (repaired ??= [...toolCalls])[at] = { ...call, id, name: name ?? '' };
  }
  return repaired ? withToolCalls(message, repaired) : message;
}

/** The message with other calls in the place of its own. */
export function withToolCalls(message: AssistantMessage, toolCalls: readonly ToolCall[]): AssistantMessage {
  const { text, media, reasoning, metadata } = message;
  return new AssistantMessage({
    text,
    toolCalls,
    ...(media && { media }),
    ...(reasoning !== undefined && { reasoning }),
    ...(metadata && { metadata }),
  });
}
