import { BadRequestException } from '@nestjs/common';
import { ResponseCacheAdvisor } from '@nestor-ai/advisors';
import {
  AroundAdvisor,
  AssistantMessage,
  type ChatClientRequest,
  type ChatClientRequestSpec,
  type ChatClientResponse,
  type ChatOptions,
  ChatResponse,
  deriveToolCallback,
  type Message,
  type NextHandler,
  type ToolCall,
  type ToolCallback,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { instructionsOf } from '../view/instructions.js';
import { SETTINGS, settingsOf } from '../view/turn-view.js';

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
      return { id, name, responseData: textOf(results, id, 'result') };
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

/**
 * The answer of a model with other arguments of its tool calls.
 *
 * @param called the calls as they ran: the loop gives ids to those that have none of their own
 * @throws BadRequestException if arguments are no text, or belong to no call
 */
export function withArguments(
  answer: ChatResponse | undefined,
  called: readonly ToolCall[],
  changed: Readonly<Record<string, unknown>>,
): ChatResponse {
  const { toolCalls: asked = [], ...said } = answer?.result?.output ?? {};
  const toolCalls = called.length === asked.length ? called : asked;
  const left = Object.keys(changed).filter((id) => !toolCalls.some((call) => call.id === id));
  if (left.length > 0) throw new BadRequestException(`This model call did not ask for ${left.join(', ')}.`);
  const output = new AssistantMessage({
    ...said,
    toolCalls: toolCalls.map((call) =>
      Object.hasOwn(changed, call.id) ? { ...call, arguments: textOf(changed, call.id, 'arguments') } : call,
    ),
  });
  return new ChatResponse({ results: [{ output }], metadata: { model: 'changed by you' } });
}

/**
 * What a model call was asked with, for another one. Its model is left out: the id may belong to
 * another provider than the client's.
 */
export function keptSettings(options: ChatOptions): ChatOptions {
  const { model: _model, ...kept } = settingsOf(options);
  return { ...kept, ...(options.outputSchema && { outputSchema: options.outputSchema }) };
}

/** @throws BadRequestException for what is no setting */
export function checkedSettings(given: Readonly<Record<string, unknown>>): ChatOptions {
  const unknown = Object.keys(given).find((key) => !(SETTINGS as readonly string[]).includes(key));
  if (unknown === undefined) return given;
  throw new BadRequestException(`'${unknown}' is no setting. There are ${SETTINGS.join(', ')}.`);
}

/** Answers in place of the model, once. */
export class AnswerFirst extends AroundAdvisor {
  readonly name = 'Inspector';
  /** Before a cache, which must neither answer instead nor keep the answer. */
  override readonly order: number = ResponseCacheAdvisor.DEFAULT_ORDER - 1;
  #answer: ChatResponse | undefined;

  constructor(answer: ChatResponse) {
    super();
    this.#answer = answer;
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const chatResponse = this.#answer;
    this.#answer = undefined;
    return chatResponse ? { chatResponse, context: request.context } : next.handle(request);
  }
}

function textOf(changes: Readonly<Record<string, unknown>>, id: string, what: string): string {
  const text = changes[id];
  if (typeof text === 'string') return text;
  throw new BadRequestException(`The ${what} of '${id}' must be a text.`);
}

/** The tool as it is, or one that needs approval because it may change something. */
export function confirmedFirst(tool: ToolCallback): ToolCallback {
  return tool.toolMetadata.effect === 'read' ? tool : deriveToolCallback(tool, { needsApproval: true });
}
