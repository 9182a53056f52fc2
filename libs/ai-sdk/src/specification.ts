/*
 * The part of the AI SDK's provider specification that this package speaks, versions 3 and 4, written down
 * structurally: models of either generation fit, and nobody has to install a package for its types.
 * `specification.spec.ts` holds it against the real ones.
 */

/** Options or metadata of providers, by their names. */
// The specification says JSON; whoever gives it to us has said less.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ProviderData = Record<string, Record<string, any>>;

export interface TextPart {
  type: 'text';
  text: string;
  providerOptions?: ProviderData;
}

/**
 * The data of a file: bytes, base64 or a URL in version 3; `{ type: 'data', data }` or `{ type: 'url', url }` in version
 * 4. No type is both, so it is told apart at run time.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type FileData = any;

export interface FilePart {
  type: 'file';
  mediaType: string;
  data: FileData;
  filename?: string;
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
  providerOptions?: ProviderData;
}

/** A piece of a tool's result beside text; version 3 has the first four, version 4 the first and the last. */
export type ToolResultItem =
  | { type: 'text'; text: string }
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'image-url' | 'file-url'; url: string }
  | { type: 'file'; data: FileData; mediaType: string; filename?: string };

export type ToolResultOutput =
  | { type: 'text' | 'error-text'; value: string }
  | {
      type: 'content';
      /** {@link ToolResultItem}s of the version that the model speaks. */
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      value: any[];
    };

export interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: ToolResultOutput;
}

export type SpecificationMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | FilePart | ReasoningPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] };

export interface FunctionTool {
  type: 'function';
  name: string;
  description?: string;
  inputSchema: object;
}

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
  tools?: FunctionTool[];
  toolChoice?: SpecificationToolChoice;
  abortSignal?: AbortSignal;
  providerOptions?: ProviderData;
}

export interface SpecificationUsage {
  inputTokens: { total: number | undefined; cacheRead: number | undefined; cacheWrite: number | undefined };
  outputTokens: { total: number | undefined };
  raw?: unknown;
}

export interface FinishReason {
  unified: string;
  raw: string | undefined;
}

/** A piece of what a model answered. Kinds that are not listed are of no concern here. */
export interface ContentItem {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** JSON text of the arguments, possibly broken. */
  readonly input?: string;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: object | undefined;
}

export interface GenerateResult {
  content: readonly ContentItem[];
  finishReason: FinishReason;
  usage: SpecificationUsage;
  providerMetadata?: object | undefined;
  response?: { id?: string | undefined; modelId?: string | undefined } | undefined;
}

/** An event of a stream: which of the fields are there depends on its type. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string | undefined;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: string;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: object | undefined;
  readonly modelId?: string | undefined;
  readonly finishReason?: FinishReason;
  readonly usage?: SpecificationUsage;
  readonly error?: unknown;
}

/** A language model of any AI SDK provider package, of version 3 or 4 of the specification. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: CallOptions): PromiseLike<GenerateResult>;
  doStream(options: CallOptions): PromiseLike<{ stream: ReadableStream<StreamPart> }>;
}

/** An embedding model of any AI SDK provider package, of version 3 or 4 of the specification. */
export interface AiSdkEmbedder {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
    providerOptions?: ProviderData;
  }): PromiseLike<{ embeddings: number[][] }>;
}
