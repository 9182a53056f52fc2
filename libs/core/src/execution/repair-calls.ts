import { AssistantMessage, type ToolCall } from '../model/messages.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { findTool } from '../model/find-tool.js';
import { toInputText } from './call-approvals.js';
import { findToolAlike } from './tool-lookup.js';

/**
 * Repairs a message without asking the model again: names that differ from a tool's name only in
 * case, separators or a prefix, ids that are missing or not unique, and arguments that are no text.
 *
 * @param ids the ids in use; the ids of the message are added
 * @returns the same message if there is nothing to repair
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
    if (call.providerApprovalId !== undefined) {
      // The provider knows the call by its name and id.
      ids.push(call.id);
      continue;
    }
    const name = findTool(callbacks, call.name) ? call.name : (findToolAlike(callbacks, call.name) ?? call.name);
    const isOwn = typeof call.id === 'string' && call.id !== '' && !ids.includes(call.id);
    const id = isOwn ? call.id : `call_${crypto.randomUUID()}`;
    ids.push(id);
    const isText = typeof call.arguments === 'string';
    if (name === call.name && name !== undefined && isOwn && isText) continue;
    const given = isText ? call.arguments : toInputText(call.arguments);
    (repaired ??= [...toolCalls])[at] = { ...call, id, name: name ?? '', arguments: given };
  }
  return repaired ? withToolCalls(message, repaired) : message;
}

/** The message with other tool calls. */
export function withToolCalls(message: AssistantMessage, toolCalls: readonly ToolCall[]): AssistantMessage {
  const { toolCalls: _calls, ...rest } = message;
  return new AssistantMessage({ ...rest, toolCalls });
}
