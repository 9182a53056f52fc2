import { BadRequestException } from '@nestjs/common';
import { readApprovalId, toJsonText } from '@nestor-ai/core/internal';
import {
  AssistantMessage,
  type Message,
  type MessageMetadata,
  type ToolApproval,
  type ToolCall,
  type ToolResponse,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { UIFileReader } from './file-reader.js';
import { DEFAULT_FILE_RULES, fileRulesOf, type UiFileRules } from './file-rules.js';

/** A UI message of the AI SDK. It comes from a browser, so it is validated when it is read. */
export interface UIMessageInput {
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

/** The contents of UI messages, for a `ChatClient`. */
export interface UIConversation {
  readonly messages: readonly Message[];
  /**
   * The user's decisions about calls that wait for approval, or about the last calls of a turn that has
   * failed after them. The request resumes their turn instead of sending a new message.
   */
  readonly approvals: readonly ToolApproval[];
  /** The turn of these calls. */
  readonly turnId?: string;
}

/**
 * Reads all messages that `useChat()` sends. They come from the browser and may be forged.
 * `withUIMessages()` reads only those that can be trusted.
 *
 * A message with the role `system` is refused, since instructions belong to the application.
 *
 * @param options which files to accept, instead of the defaults
 * @throws BadRequestException that names the invalid message and the reason
 * @throws TypeError for invalid rules
 */
export function fromUIMessages(
  messages: readonly UIMessageInput[],
  { files }: { readonly files?: Partial<UiFileRules> } = {},
): UIConversation {
  const decisions = readDecisions(messages);
  return { messages: readUIMessages(messages, fileRulesOf(files, DEFAULT_FILE_RULES)), ...decisions };
}

/**
 * The messages of a conversation.
 *
 * @param from the index of the first message to read
 */
export function readUIMessages(messages: readonly UIMessageInput[], rules: UiFileRules, from = 0): readonly Message[] {
  const files = new UIFileReader(rules);
  const read = messages
    .slice(from)
    .flatMap((message: unknown, at) => readMessage(message, `messages[${from + at}]`, files));
  if (read.length === 0) throw new BadRequestException('messages has no message that a model could answer.');
  return read;
}

/** The user's decisions. They are in the last message, which then has the role `assistant`. */
export function readDecisions(messages: readonly UIMessageInput[]): Pick<UIConversation, 'approvals' | 'turnId'> {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new BadRequestException('messages has to be a list of UI messages, with at least one of them.');
  }
  const last: unknown = messages.at(-1);
  const place = `messages[${messages.length - 1}]`;
  const parts = partsOf(last, place);
  return (last as UIMessageInput).role === 'assistant' ? approvalsOf(parts, place) : NOTHING_DECIDED;
}

const NOTHING_DECIDED = Object.freeze({ approvals: [] });

type Part = Readonly<Record<string, unknown>>;

function partsOf(message: unknown, place: string): readonly Part[] {
  const { parts } = (message ?? {}) as { parts?: unknown };
  if (!Array.isArray(parts)) throw new BadRequestException(`${place} has no list of parts.`);
  for (const part of parts as unknown[]) {
    if (typeof (part as Part | null)?.['type'] !== 'string') {
      throw new BadRequestException(`${place} has a part without a type.`);
    }
  }
  return parts as Part[];
}

function readMessage(message: unknown, place: string, files: UIFileReader): Message[] {
  const parts = partsOf(message, place);
  const { role } = message as { role?: unknown };
  if (role === 'user') return [readUser(parts, place, files)];
  if (role === 'assistant') return readAssistant(parts, place);
  if (role === 'system')
    throw new BadRequestException(`${place} has the role 'system': instructions are set on the server.`);
  throw new BadRequestException(`${place} has to have the role 'user' or 'assistant'.`);
}

function readUser(parts: readonly Part[], place: string, files: UIFileReader): UserMessage {
  const media = parts.filter(({ type }) => type === 'file').map((part) => files.read(part, place));
  const text = textOf(parts, place);
  if (text.trim() === '' && media.length === 0)
    throw new BadRequestException(`${place} has neither a text nor a file.`);
  return new UserMessage({ text, ...(media.length > 0 && { media }) });
}

/**
 * Earlier answers and results come from a browser and may be forged, so the messages are marked as
 * untrusted.
 */
const BY_BROWSER: MessageMetadata = Object.freeze({ untrusted: true });

/**
 * A UI message contains all steps of a turn. The model needs a message for each step, with the
 * results of its tools. Of an earlier answer, only texts and calls of your tools are read: what
 * the provider or the model made, such as search results, sources and pictures, cannot be verified.
 */
function readAssistant(parts: readonly Part[], place: string): Message[] {
  return stepsOf(parts).flatMap((step) => {
    const tools = step.filter(isCompleteCall).map((part) => readTool(part, place));
    const text = textOf(step, place);
    if (text === '' && tools.length === 0) return [];
    const responses = tools.flatMap(({ response }) => response ?? []);
    const said = new AssistantMessage({ text, toolCalls: tools.map(({ call }) => call), metadata: BY_BROWSER });
    return responses.length > 0 ? [said, new ToolResponseMessage({ responses })] : [said];
  });
}

function stepsOf(parts: readonly Part[]): readonly Part[][] {
  const starts = parts.flatMap(({ type }, at) => (type === 'step-start' ? [at] : []));
  return [0, ...starts].map((from, at) => parts.slice(from, starts[at]));
}

function textOf(parts: readonly Part[], place: string): string {
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => text);
  if (!texts.every((text) => typeof text === 'string')) {
    throw new BadRequestException(`${place} has a part of the type 'text' without a text.`);
  }
  return texts.join('');
}

const TOOL = 'tool-';

function isTool({ type }: Part): boolean {
  return type === 'dynamic-tool' || (type as string).startsWith(TOOL);
}

/** Whether a part is a call of your tools whose arguments the model has completed. */
function isCompleteCall(part: Part): boolean {
  return isTool(part) && part['state'] !== 'input-streaming' && part['providerExecuted'] !== true;
}

function readTool(part: Part, place: string): { readonly call: ToolCall; readonly response?: ToolResponse } {
  const { type, toolCallId: id, toolName, state, input, output, errorText } = part;
  const name = type === 'dynamic-tool' ? toolName : (type as string).slice(TOOL.length);
  if (typeof id !== 'string' || typeof name !== 'string' || name === '') {
    throw new BadRequestException(`${place} has a tool call without a name and a toolCallId.`);
  }
  const call: ToolCall = { id, name, arguments: toText(input ?? {}, place) };
  // Output before the final result is not a result.
  if (state === 'output-available' && part['preliminary'] !== true) {
    return { call, response: { id, name, responseData: toText(output, place), untrusted: true } };
  }
  if (state === 'output-error' || state === 'output-denied') {
    const { reason } = (part['approval'] ?? {}) as Part;
    const [text] = [errorText, reason].filter((given) => typeof given === 'string');
    const responseData = text ?? 'The call was not run.';
    return { call, response: { id, name, responseData, isError: true, untrusted: true } };
  }
  return { call };
}

function toText(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  try {
    return toJsonText(value);
  } catch {
    throw new BadRequestException(`${place} has a tool call with a value that is too large or nested too deep.`);
  }
}

/** Whether a part is a call that this application has asked its user about, with the answer. */
function isDecided(part: Part): boolean {
  const { id, approved } = (part['approval'] ?? {}) as Part;
  return isTool(part) && approved !== undefined && readApprovalId(id) !== undefined;
}

function approvalsOf(parts: readonly Part[], place: string): Pick<UIConversation, 'approvals' | 'turnId'> {
  const open = parts.filter((part) => isTool(part) && part['state'] === 'approval-responded');
  // If the turn has failed after the calls, the same decisions continue it.
  const decided = stepsOf(parts).map((step) => step.filter(isDecided));
  const answered = open.length > 0 ? open : (decided.findLast(({ length }) => length > 0) ?? []);
  const turns = new Set<string>();
  const approvals = answered.map(({ toolCallId, approval }): ToolApproval => {
    const { id, approved, reason } = (approval ?? {}) as Part;
    // The approval id proves that the user has seen the turn wait. The id of a call alone is easy
    // to guess.
    const known = readApprovalId(id);
    if (!known || known.toolCallId !== toolCallId)
      throw new BadRequestException(`${place} decides about a call without the id of its approval.`);
    if (typeof approved !== 'boolean')
      throw new BadRequestException(`${place} has a decision whose approved is neither true nor false.`);
    turns.add(known.turnId);
    return {
      toolCallId: known.toolCallId,
      approved,
      ...(known.seal && { token: id as string }),
      ...(typeof reason === 'string' && { reason }),
    };
  });
  if (turns.size > 1) throw new BadRequestException(`${place} decides about calls of several turns.`);
  const [turnId] = turns;
  return { approvals, ...(turnId !== undefined && { turnId }) };
}
