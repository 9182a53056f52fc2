import { ChatMemory } from '../memory/chat-memory.js';
import { fromMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn } from '../memory/suspended-turn.repository.js';
import { AssistantMessage, type Message, ToolResponseMessage } from '../model/messages.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnContext } from '../model/turn-context.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { ToolApprovalException } from './tool-approval.exception.js';

/** @throws ToolApprovalException when the approvals do not fit the turn, or the request another conversation */
export function checkFits(
  { id, pending, context, messages }: SuspendedTurn,
  approvals: readonly ToolApproval[],
  request: ChatClientRequest,
): void {
  const conversation = request.context[ChatMemory.CONVERSATION_ID];
  const held = context[ChatMemory.CONVERSATION_ID];
  if (conversation !== undefined && held !== undefined && conversation !== held) {
    throw new ToolApprovalException(`The turn '${id}' belongs to another conversation than the request.`);
  }
  const known = new Set<string>();
  for (const { toolCallId, approved } of approvals) {
    if (pending.length === 0 && !(approved && hasAnswered(messages, toolCallId))) {
      throw new ToolApprovalException(
        `The tools of the turn '${id}' have run. Go on with it with toolApprovals([], { turnId }), where nothing is to be decided.`,
      );
    }
    if (pending.length > 0 && !pending.some((call) => call.id === toolCallId)) {
      const waiting = pending.map((call) => `'${call.id}' (${call.name})`).join(', ');
      throw new ToolApprovalException(
        `No tool call '${toolCallId}' waits for approval in the turn '${id}'. Waiting: ${waiting}.`,
      );
    }
    if (known.has(toolCallId)) throw new ToolApprovalException(`The tool call '${toolCallId}' is decided twice.`);
    known.add(toolCallId);
  }
}

/** The conversation of a turn whose tools were interrupted: what has ended, and what may have run. */
export function interrupted(held: SuspendedTurn, { progress }: TurnContext): readonly Message[] {
  const all = held.messages.map(fromMessageJson);
  const { toolCalls } = all.at(-2) as AssistantMessage;
  const known = new Map((all.at(-1) as ToolResponseMessage).responses.map((response) => [response.id, response]));
  for (const { id, name } of toolCalls) {
    if (known.has(id) || !progress?.has(id)) continue;
    known.set(id, progress.get(id) ?? { id, name, responseData: `${INTERRUPTED} '${name}'.`, isError: true });
  }
  const responses = toolCalls.flatMap(({ id }) => known.get(id) ?? []);
  return [...all.slice(0, -1), new ToolResponseMessage({ responses })];
}

const INTERRUPTED = 'It is not known whether this call has run, since it was interrupted. Find out before you repeat';

function hasAnswered(messages: SuspendedTurn['messages'], toolCallId: string): boolean {
  const { responses } = messages.at(-1) as unknown as ToolResponseMessage;
  return responses.some(({ id }) => id === toolCallId);
}
