import { type AssistantMessage, type Message, type ToolResponse, ToolResponseMessage } from './messages.js';

const UNANSWERED = 'This call was not answered: the conversation was interrupted before the tool had a result.';

/**
 * Repairs a history so that providers accept it: each tool call is followed directly by its
 * response, and each response has its call. A call without a response gets one that says so. A
 * response without a call is removed, except at the beginning of the history, because the receiver
 * may know the call.
 *
 * @returns the same list if there is nothing to repair
 */
export function repairHistory(messages: readonly Message[]): readonly Message[] {
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === 'tool' && (message.responses.length === 0 || !isAtBeginning(messages, at)))
      return repair(messages);
    if (message.role !== 'assistant' || !(message.toolCalls?.length > 0)) continue;
    if (!answers(messages[at + 1], message)) return repair(messages);
    at++;
  }
  return messages;
}

function isAtBeginning(messages: readonly Message[], at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const { role } = messages[before]!;
    if (role !== 'system' && role !== 'tool') return false;
  }
  return true;
}

/** Whether a message answers exactly the calls of another message. */
function answers(message: Message | undefined, { toolCalls }: AssistantMessage): boolean {
  if (message?.role !== 'tool' || message.responses.length !== toolCalls.length) return false;
  for (let at = 0; at < toolCalls.length; at++) {
    if (message.responses[at]!.id !== toolCalls[at]!.id) return false;
  }
  return true;
}

function repair(messages: readonly Message[]): readonly Message[] {
  const repaired: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    // The responses that belong to a call were already added with it.
    if (message.role === 'tool' && (message.responses.length === 0 || !isAtBeginning(messages, at))) continue;
    repaired.push(message);
    if (message.role !== 'assistant' || !(message.toolCalls?.length > 0)) continue;
    if (answers(messages[at + 1], message)) repaired.push(messages[at + 1]!);
    else repaired.push(new ToolResponseMessage({ responses: responsesTo(message, messages, at + 1) }));
  }
  return repaired;
}

/**
 * Finds the responses to the calls of a message, in the order of the calls. Searches the tool
 * messages that directly follow it.
 */
function responsesTo({ toolCalls }: AssistantMessage, messages: readonly Message[], from: number): ToolResponse[] {
  const found: ToolResponse[] = [];
  for (let at = from; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role !== 'tool') break;
    found.push(...message.responses);
  }
  return toolCalls.map(({ id, name }) => {
    const at = found.findIndex((response) => response.id === id);
    return at < 0 ? { id, name, responseData: UNANSWERED, isError: true } : found.splice(at, 1)[0]!;
  });
}
