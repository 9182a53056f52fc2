import type { ReasoningEffort } from '@nestor-ai/core';

/*
 * The part of the AI SDK's provider specification (versions 3 and 4) that this package uses, as
 * structural types. They match models of both versions and need no package with types.
 * `specification.spec.ts` checks them against the real ones.
 */

/** The version of the specification that a model implements. */
export type SpecificationVersion = 'v3' | 'v4';

/** Options or metadata of providers, keyed by their names. The specification requires JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ProviderData = Record<string, Record<string, any>>;

/** An object of JSON values. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type JsonObject = Record<string, any>;

export interface TextPart {
  type: 'text';
  text: string;
  providerOptions?: ProviderData;
}

/**
 * The data of a file. Version 3: bytes, base64 or a URL. Version 4: `{ type: 'data', data }` or
 * `{ type: 'url', url }`. No type covers both, so the code checks the version at run time.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type FileData = any;

export interface FilePart {
  type: 'file';
  mediaType: string;
  data: FileData;
  filename?: string;
  providerOptions?: ProviderData;
}

export interface ReasoningPart {
  type: 'reasoning';
  text: string;
  providerOptions?: ProviderData;
}

export interface ToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
  /** Whether the provider runs the call. */
  providerExecuted?: boolean;
  providerOptions?: ProviderData;
}

/** A part of a tool result. Version 3 has the first four, version 4 the first and the last. */
export type ToolResultItem = { providerOptions?: ProviderData } & (
  | { type: 'text'; text: string }
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'image-url' | 'file-url'; url: string }
  | { type: 'file'; data: FileData; mediaType: string; filename?: string }
);

export type ToolResultOutput =
  | { type: 'text' | 'error-text'; value: string }
  /** The specification requires JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  | { type: 'json' | 'error-json'; value: any }
  | {
      type: 'content';
      /** {@link ToolResultItem}s of the model's version. */
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      value: any[];
    };

export interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: ToolResultOutput;
  providerOptions?: ProviderData;
}

/** The decision about a call that the provider runs. */
export interface ToolApprovalResponsePart {
  type: 'tool-approval-response';
  approvalId: string;
  approved: boolean;
  reason?: string;
}

/** A part of both versions. Version 4 also has `custom` and `reasoning-file` parts. */
export type AssistantPart = TextPart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart;
export type AssistantContent = AssistantPart[];

export type SpecificationMessage = { providerOptions?: ProviderData } & (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: AssistantContent }
  | { role: 'tool'; content: (ToolResultPart | ToolApprovalResponsePart)[] }
);

export interface FunctionTool {
  type: 'function';
  name: string;
  description?: string;
  inputSchema: object;
  strict?: boolean;
  inputExamples?: { input: JsonObject }[];
  providerOptions?: ProviderData;
}

/** A tool that the provider defines, and usually runs. */
export interface SpecificationProviderTool {
  type: 'provider';
  id: `${string}.${string}`;
  name: string;
  args: Record<string, unknown>;
}

export type SpecificationTool = FunctionTool | SpecificationProviderTool;

export type SpecificationToolChoice = { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string };

export interface CallOptions {
  prompt: SpecificationMessage[];
  maxOutputTokens?: number;
  temperature?: number;
  stopSequences?: string[];
  topP?: number;
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  responseFormat?: { type: 'json'; schema: object };
  tools?: SpecificationTool[];
  toolChoice?: SpecificationToolChoice;
  abortSignal?: AbortSignal;
  headers?: Record<string, string>;
  /** Only in version 4. */
  reasoning?: ReasoningEffort;
  providerOptions?: ProviderData;
}

export interface SpecificationUsage {
  inputTokens: { total: number | undefined; cacheRead: number | undefined; cacheWrite: number | undefined };
  outputTokens: { total: number | undefined; reasoning?: number | undefined };
  raw?: unknown;
}

export interface FinishReason {
  unified: string;
  raw: string | undefined;
}

/** What a provider package reports about a request. The fields depend on its type. */
export interface SpecificationWarning {
  readonly type: string;
  /** The feature, for `unsupported` and `compatibility`. */
  readonly feature?: string;
  readonly details?: string | undefined;
  /** The feature, for `deprecated`. */
  readonly setting?: string;
  readonly message?: string;
}

/** A passage of an answer, or of a source, that supports the text. Version 4. */
export interface SpecificationCitation {
  readonly source: ContentItem;
  readonly startIndex?: number | undefined;
  readonly endIndex?: number | undefined;
  readonly citedText?: string | undefined;
}

/** A part of a model's answer. The fields depend on its type. Unknown types are ignored. */
export interface ContentItem {
  readonly type: string;
  readonly text?: string;
  /** The sources that support a text. */
  readonly citations?: readonly SpecificationCitation[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** The JSON text of the arguments, possibly invalid. */
  readonly input?: string;
  readonly providerExecuted?: boolean | undefined;
  /** Whether only the provider knows the tool, as with tools of its MCP servers. */
  readonly dynamic?: boolean | undefined;
  /** The result of a tool that the provider has run. */
  readonly result?: unknown;
  readonly isError?: boolean | undefined;
  /** Whether another result of the same call follows. */
  readonly preliminary?: boolean | undefined;
  /** The id of the approval that a call of the provider needs. */
  readonly approvalId?: string;
  /** The media type of a file or of a document. */
  readonly mediaType?: string;
  readonly data?: FileData;
  readonly sourceType?: string;
  readonly id?: string | undefined;
  readonly url?: string;
  readonly title?: string | undefined;
  readonly filename?: string | undefined;
  /** The kind of a `custom` part. */
  readonly kind?: string;
  readonly providerMetadata?: object | undefined;
}

export interface GenerateResult {
  content: readonly ContentItem[];
  finishReason: FinishReason;
  usage: SpecificationUsage;
  providerMetadata?: object | undefined;
  response?: ResponseInfo | undefined;
  warnings?: readonly SpecificationWarning[];
}

/** What a provider reports about its response. */
export interface ResponseInfo {
  id?: string | undefined;
  modelId?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** An event of a stream. The fields depend on its type. Some events are parts of the answer. */
export interface StreamPart extends ContentItem {
  readonly delta?: string;
  /** Whether the input of a call is written as JSON, which is the default, or as plain text. */
  readonly inputEncoding?: 'json' | 'text';
  readonly modelId?: string | undefined;
  readonly finishReason?: FinishReason;
  readonly usage?: SpecificationUsage;
  readonly warnings?: readonly SpecificationWarning[];
  readonly error?: unknown;
}

export interface StreamResult {
  stream: ReadableStream<StreamPart>;
  response?: { headers?: Readonly<Record<string, string>> | undefined } | undefined;
}
