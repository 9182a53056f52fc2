import { BadRequestException } from '@nestjs/common';
import type { Media } from '../../model/content-part.js';
import {
  AssistantMessage,
  type Message,
  type ToolCall,
  type ToolResponse,
  ToolResponseMessage,
  UserMessage,
} from '../../model/messages.js';
import type { ToolApproval } from '../../model/tool-approval.js';
import { toJsonText } from '../../tool/result/to-json-text.js';
import { turnOfApproval } from './approval-id.js';

/** A message as the AI SDK's front ends have it. Checked when it is read: it comes from a browser. */
export interface UIMessageInput {
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

/** What a front end has sent, as a `ChatClient` takes it. */
export interface UIConversation {
  readonly messages: readonly Message[];
  /** What the user has said of calls that wait for approval; the turn goes on with them instead of a new question. */
  readonly approvals: readonly ToolApproval[];
  /** The turn that the calls wait in. */
  readonly turnId?: string;
}

/**
 * Reads the messages that `useChat()` sends.
 *
 * Instructions are the application's: a message of the role `system` is refused.
 *
 * @throws BadRequestException saying which message is none, and why
 */
export function fromUIMessages(messages: readonly UIMessageInput[]): UIConversation {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new BadRequestException('messages has to be a list of UI messages, with at least one of them.');
  }
  const read = messages.flatMap((message: unknown, at) => readMessage(message, at));
  return { messages: read, ...approvalsOf(messages.at(-1)) };
}

type Part = Readonly<Record<string, unknown>>;

function readMessage(message: unknown, at: number): Message[] {
  const { role, parts } = (message ?? {}) as { role?: unknown; parts?: unknown };
  const place = `messages[${at}]`;
  if (!Array.isArray(parts)) throw new BadRequestException(`${place} has no list of parts.`);
  for (const part of parts as unknown[]) {
    if (typeof (part as Part | null)?.['type'] !== 'string') {
      throw new BadRequestException(`${place} has a part without a type.`);
    }
  }
  if (role === 'user') return [readUser(parts as Part[], place)];
  if (role === 'assistant') return readAssistant(parts as Part[], place);
  if (role === 'system')
    throw new BadRequestException(`${place} has the role 'system': instructions are set on the server.`);
  throw new BadRequestException(`${place} has to have the role 'user' or 'assistant'.`);
}

function readUser(parts: readonly Part[], place: string): UserMessage {
  const media = parts.filter(({ type }) => type === 'file').map((part) => readFile(part, place));
  return new UserMessage({ text: textOf(parts, place), ...(media.length > 0 && { media }) });
}

/** A file as `useChat()` sends it: a data URL, or one that can be fetched. */
function readFile({ url, mediaType, filename }: Part, place: string): Media {
  if (typeof url !== 'string' || typeof mediaType !== 'string' || !URL.canParse(url)) {
    throw new BadRequestException(`${place} has a file without a url and a mediaType.`);
  }
  const data = new URL(url);
  if (!['data:', 'https:', 'http:'].includes(data.protocol)) {
    throw new BadRequestException(
      `${place} has a file whose url is of the kind ${data.protocol}; allowed are data:, https: and http:.`,
    );
  }
  return { mimeType: mediaType, data, ...(typeof filename === 'string' && { name: filename }) };
}

/** A message of a front end has all steps of a turn; the model is sent each by itself, with the answers of its tools. */
function readAssistant(parts: readonly Part[], place: string): Message[] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part['type'] === 'step-start') steps.push([]);
    else steps.at(-1)!.push(part);
  }
  return steps.flatMap((step) => {
    const tools = step.filter(isTool).map((part) => readTool(part, place));
    const text = textOf(step, place);
    if (text === '' && tools.length === 0) return [];
    const responses = tools.flatMap(({ response }) => response ?? []);
    const said = new AssistantMessage({ text, toolCalls: tools.map(({ call }) => call) });
    return responses.length > 0 ? [said, new ToolResponseMessage({ responses })] : [said];
  });
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

function readTool(part: Part, place: string): { readonly call: ToolCall; readonly response?: ToolResponse } {
  const { type, toolCallId: id, toolName, state, input, output, errorText } = part;
  const name = type === 'dynamic-tool' ? toolName : (type as string).slice(TOOL.length);
  if (typeof id !== 'string' || typeof name !== 'string' || name === '') {
    throw new BadRequestException(`${place} has a tool call without a name and a toolCallId.`);
  }
  const call: ToolCall = { id, name, arguments: typeof input === 'string' ? input : toJsonText(input ?? {}) };
  if (state === 'output-available') {
    const responseData = typeof output === 'string' ? output : toJsonText(output);
    return { call, response: { id, name, responseData } };
  }
  if (state === 'output-error' || state === 'output-denied') {
    const responseData = typeof errorText === 'string' ? errorText : 'The call was not run.';
    return { call, response: { id, name, responseData, isError: true } };
  }
  return { call };
}

/** What the user has decided: it stands in the last message, which is then the model's. */
function approvalsOf(message: unknown): Pick<UIConversation, 'approvals' | 'turnId'> {
  const { role, parts } = (message ?? {}) as { role?: unknown; parts?: readonly Part[] };
  const answered =
    role === 'assistant' ? parts!.filter((part) => isTool(part) && part['state'] === 'approval-responded') : [];
  let turnId: string | undefined;
  const approvals = answered.map(({ toolCallId, approval }): ToolApproval => {
    const { id, approved, reason } = (approval ?? {}) as Part;
    turnId ??= turnOfApproval(String(id), toolCallId as string);
    return {
      toolCallId: toolCallId as string,
      approved: approved === true,
      ...(typeof reason === 'string' && { reason }),
    };
  });
  return { approvals, ...(turnId !== undefined && { turnId }) };
}
