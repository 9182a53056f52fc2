import { BadRequestException } from '@nestjs/common';
import {
  type ChatClientRequestSpec,
  deriveToolCallback,
  type Message,
  type ToolCallback,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { instructionsOf } from '../view/instructions.js';

/**
 * Gives a request the messages of a turn, in place of the instructions of its client.
 *
 * @param instructions in place of those of the turn
 */
export function withHistory(
  request: ChatClientRequestSpec,
  history: readonly Message[],
  instructions: string = instructionsOf(history),
): ChatClientRequestSpec {
  if (instructions !== '') request.system(instructions);
  return request.messages(history.filter(({ role }) => role !== 'system'));
}

/**
 * The messages with other results of tool calls.
 *
 * @throws BadRequestException if a result is no text, or belongs to no call
 */
export function withResults(
  history: readonly Message[],
  results: Readonly<Record<string, unknown>>,
): readonly Message[] {
  const left = new Set(Object.keys(results));
  const changed = history.map((message) => {
    if (message.role !== 'tool' || !message.responses.some(({ id }) => left.has(id))) return message;
    const responses = message.responses.map((response) => {
      const { id, name } = response;
      if (!left.delete(id)) return response;
      const text = results[id];
      if (typeof text !== 'string') throw new BadRequestException(`The result of '${id}' must be a text.`);
      return { id, name, responseData: text };
    });
    return new ToolResponseMessage({ responses, ...(message.metadata && { metadata: message.metadata }) });
  });
  if (left.size > 0)
    throw new BadRequestException(`There is no result of ${[...left].join(', ')} before this model call.`);
  return changed;
}

/** The messages with another question: the last that the user has said. */
export function withQuestion(history: readonly Message[], question: string): readonly Message[] {
  const at = history.findLastIndex(({ role }) => role === 'user');
  return history.map((message, index) => {
    if (index !== at || message.role !== 'user') return message;
    const { role: _role, ...said } = message;
    return new UserMessage({ ...said, text: question });
  });
}

/** The tool as it is, or one that needs approval because it may change something. */
export function confirmedFirst(tool: ToolCallback): ToolCallback {
  return tool.toolMetadata.effect === 'read' ? tool : deriveToolCallback(tool, { needsApproval: true });
}
