import type { ContentPart, Media } from './content-part.js';
import type { ProviderOptions } from './provider-options.js';
import type { ProviderToolCall, Source } from './provider-tool-call.js';
import type { ShownInputRequest } from './tool-input-request.js';

/**
 * Custom data attached to a message. It is not sent to the model as text. `untrusted: true` marks
 * a message that may contain text from strangers, see {@link asUntrusted}.
 */
export type MessageMetadata = Readonly<Record<string, unknown>>;

/** The model's request to call a tool. */
export interface ToolCall {
  /** Links the call to its {@link ToolResponse}. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments that the model wrote: JSON text, possibly invalid. */
  readonly arguments: string;
  /**
   * The position among the calls of a streamed message. Fragments with the same index belong
   * together.
   */
  readonly index?: number;
  /** Opaque provider data that must be sent back with the call. */
  readonly providerMetadata?: Readonly<Record<string, unknown>>;
  /**
   * The provider's id of the approval, if the provider runs the call after a human has approved
   * it. Nestor asks for the approval and never runs the call.
   */
  readonly providerApprovalId?: string;
  /**
   * What the tool asks its user for, if the call waits for input. Models and the history never
   * have it.
   */
  readonly inputRequest?: ShownInputRequest;
  /** Whether the call waits for its result, which comes from outside. It cannot be approved. */
  readonly deferred?: true;
}

/** A tool's answer to a {@link ToolCall}. */
export interface ToolResponse {
  /** The id of the {@link ToolCall}. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The text that the model reads. */
  readonly responseData: string;
  /** The tool failed. `responseData` contains the reason. */
  readonly isError?: boolean;
  /** A human denied the call. */
  readonly isDenied?: true;
  /** Images and files in addition to the text, for models that support them. */
  readonly content?: readonly ContentPart[];
  /** The value before it was converted to text. Never sent to the model. */
  readonly value?: unknown;
  /** The tool returns text that strangers may have written. */
  readonly untrusted?: boolean;
  /** The decision about a call that the provider runs, instead of a result. */
  readonly providerApproval?: ProviderApproval;
  /** Options for one provider about this result. */
  readonly providerOptions?: ProviderOptions;
}

/** The decision about a call that the provider runs, see {@link ToolCall.providerApprovalId}. */
export interface ProviderApproval {
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** Instructions from the application to the model. */
export class SystemMessage {
  readonly role = 'system' as const;
  readonly text: string;
  readonly metadata?: MessageMetadata;
  /** Options for one provider about this message. */
  readonly providerOptions?: ProviderOptions;

  constructor(init: string | { text: string; metadata?: MessageMetadata; providerOptions?: ProviderOptions }) {
    if (typeof init === 'string') {
      this.text = init;
      return;
    }
    this.text = init.text;
    if (init.metadata) this.metadata = init.metadata;
    if (init.providerOptions) this.providerOptions = init.providerOptions;
  }
}

/** The user's text and attachments. */
export class UserMessage {
  readonly role = 'user' as const;
  readonly text: string;
  readonly media?: readonly Media[];
  readonly metadata?: MessageMetadata;
  /** Options for one provider about this message. */
  readonly providerOptions?: ProviderOptions;

  constructor(
    init:
      | string
      | { text: string; media?: readonly Media[]; metadata?: MessageMetadata; providerOptions?: ProviderOptions },
  ) {
    if (typeof init === 'string') {
      this.text = init;
      return;
    }
    this.text = init.text;
    if (init.media) this.media = init.media;
    if (init.metadata) this.metadata = init.metadata;
    if (init.providerOptions) this.providerOptions = init.providerOptions;
  }
}

/** Returns the message with text added at the end. */
export function withAddedText({ text, ...rest }: UserMessage, added: string): UserMessage {
  return new UserMessage({ ...rest, text: text === '' ? added : `${text}\n${added}` });
}

/** The options of {@link AssistantMessage}. */
export interface AssistantMessageInit {
  text?: string;
  toolCalls?: readonly ToolCall[];
  /** The pictures and files that the model made. */
  media?: readonly Media[];
  /** The model's reasoning, if the provider returns it. */
  reasoning?: string;
  /** The calls of tools that the provider has run. */
  providerToolCalls?: readonly ProviderToolCall[];
  /** The sources that the answer is based on. */
  sources?: readonly Source[];
  metadata?: MessageMetadata;
  /** Options for one provider about this message. */
  providerOptions?: ProviderOptions;
}

const NO_TOOL_CALLS: readonly ToolCall[] = Object.freeze([]);

/** The model's text and the tool calls that it asks for. */
export class AssistantMessage {
  readonly role = 'assistant' as const;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** The pictures and files that the model made. */
  readonly media?: readonly Media[];
  /** The model's reasoning, if the provider returns it. */
  readonly reasoning?: string;
  /** The calls of tools that the provider has run, in the order of their results. */
  readonly providerToolCalls?: readonly ProviderToolCall[];
  /** The sources that the answer is based on. */
  readonly sources?: readonly Source[];
  readonly metadata?: MessageMetadata;
  /** Options for one provider about this message. */
  readonly providerOptions?: ProviderOptions;

  constructor(init: string | AssistantMessageInit = {}) {
    if (typeof init === 'string') {
      this.text = init;
      this.toolCalls = NO_TOOL_CALLS;
      return;
    }
    this.text = init.text ?? '';
    this.toolCalls = init.toolCalls ?? NO_TOOL_CALLS;
    if (init.media) this.media = init.media;
    if (init.reasoning !== undefined) this.reasoning = init.reasoning;
    if (init.providerToolCalls) this.providerToolCalls = init.providerToolCalls;
    if (init.sources) this.sources = init.sources;
    if (init.metadata) this.metadata = init.metadata;
    if (init.providerOptions) this.providerOptions = init.providerOptions;
  }
}

/** Returns the message without its tool calls. */
export function withoutToolCalls(message: AssistantMessage): AssistantMessage {
  if (!(message.toolCalls?.length > 0)) return message;
  const { toolCalls: _calls, ...rest } = message;
  return new AssistantMessage(rest);
}

/** The answers to the tool calls of one {@link AssistantMessage}, in the order of the calls. */
export class ToolResponseMessage {
  readonly role = 'tool' as const;
  /** Never set, so that you can read the `text` of any message. `responses` have the texts. */
  declare readonly text?: undefined;
  readonly responses: readonly ToolResponse[];
  readonly metadata?: MessageMetadata;

  constructor(init: { responses: readonly ToolResponse[]; metadata?: MessageMetadata }) {
    this.responses = init.responses;
    if (init.metadata) this.metadata = init.metadata;
  }
}

/**
 * A message of a conversation. Its `role` tells you which kind. Plain JSON of the same shape is
 * accepted too.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResponseMessage;

/** A {@link Message} or its JSON. */
export type MessageInput = Message | ({ readonly role: 'assistant' } & Readonly<AssistantMessageInit>);

/**
 * Validates a message from outside and adds the fields that its JSON left out.
 *
 * @throws TypeError that names the problem, for anything that is not a message
 */
export function toMessage(input: MessageInput): Message {
  const role: unknown = (input as { role?: unknown } | null | undefined)?.role;
  switch (role) {
    case 'system':
    case 'user':
      requireText(input, role);
      return input as Message;
    case 'assistant':
      return Array.isArray((input as AssistantMessage).toolCalls) &&
        typeof (input as AssistantMessage).text === 'string'
        ? (input as AssistantMessage)
        : new AssistantMessage(input as AssistantMessageInit);
    case 'tool':
      if (!Array.isArray((input as ToolResponseMessage).responses)) {
        throw new TypeError("A message with role 'tool' needs an array 'responses'.");
      }
      return input as ToolResponseMessage;
    default:
      throw new TypeError(
        `The role of a message must be 'system', 'user', 'assistant' or 'tool', but is ${JSON.stringify(role)}.`,
      );
  }
}

function requireText(input: { text?: unknown }, role: string): void {
  if (typeof input.text !== 'string') {
    throw new TypeError(`A message with role '${role}' needs a string 'text'.`);
  }
}

/** A copy of a message with more metadata. What is undefined is removed. */
export function withMetadata<M extends Message>(message: M, added: Readonly<Record<string, unknown>>): M {
  const all = Object.entries({ ...message.metadata, ...added }).filter(([, value]) => value !== undefined);
  const metadata = all.length === 0 ? undefined : Object.fromEntries(all);
  return Object.assign(Object.create(Object.getPrototypeOf(message) as object) as M, message, { metadata });
}
