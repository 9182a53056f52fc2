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
 * @param mayBeTool whether a tool of this name may be found elsewhere
 * @returns the same message if there is nothing to repair
 */
export function repairCalls(
  message: AssistantMessage,
  callbacks: readonly ToolCallback[] | undefined,
  ids: string[],
  mayBeTool: (call: ToolCall) => boolean,
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
    const known = findTool(callbacks, call.name)?.toolDefinition.name ?? findToolAlike(callbacks, call.name);
    const name = known ?? (mayBeTool(call) ? call.name : acceptable(call.name));
    const isOwn = typeof call.id === 'string' && call.id !== '' && !ids.includes(call.id);
    // Mistral only accepts ids like this, and OpenAI none with more than 40 characters.
    const id = isOwn ? call.id : crypto.randomUUID().replaceAll('-', '').slice(0, 9);
    ids.push(id);
    const given = typeof call.arguments === 'string' ? call.arguments : toInputText(call.arguments);
    if (name === call.name && isOwn && given === call.arguments) continue;
    (repaired ??= [...toolCalls])[at] = { ...call, id, name, arguments: given };
  }
  return repaired ? withToolCalls(message, repaired) : message;
}

/** Providers refuse other names in the history. */
function acceptable(name: unknown): string {
  const text = String(name ?? '').slice(0, 64);
  return text.replace(/[^\w-]+/g, '_') || 'unknown';
}

/** The message with other tool calls. */
export function withToolCalls(message: AssistantMessage, toolCalls: readonly ToolCall[]): AssistantMessage {
  return new AssistantMessage(Object.assign({}, message, { toolCalls }));
}
