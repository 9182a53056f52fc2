import type {
  ChatModel,
  ChatOptions,
  Media,
  ModelWarning,
  ProviderToolCall,
  Source,
  ToolCall,
  Usage,
} from '@nestor-ai/core';

/** A piece of an answer, in the order in which the model writes it. */
export type ContractContent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'provider-tool-call'; readonly call: ProviderToolCall }
  | { readonly type: 'source'; readonly source: Source }
  | { readonly type: 'media'; readonly media: Media };

/**
 * How an answer fails:
 * - `refused`: the provider answers with an HTTP status instead of content.
 * - `broken`: the connection is lost after a stream has sent the content.
 * - `slow`: the stream sends its first piece, and the rest, or the answer in one piece, takes at
 *   least a second.
 */
export type ContractFailure =
  | { readonly type: 'refused'; readonly httpStatus: number; readonly isRetryable: boolean }
  | { readonly type: 'broken' }
  | { readonly type: 'slow' };

/** An answer that a case of the contract wants from the model. */
export interface ContractAnswer {
  /** The last user message of the prompts that get this answer. */
  readonly question: string;
  readonly content: readonly ContractContent[];
  readonly finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls';
  readonly usage: Usage;
  readonly warnings?: readonly ModelWarning[];
  /** HTTP headers of the response, with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly failure?: ContractFailure;
}

/** A request as it left the model. Leave out what you cannot know. */
export interface ContractRequest {
  readonly temperature?: number | undefined;
  /** In tokens. */
  readonly maxTokens?: number | undefined;
  /** The whole request as text. */
  readonly body?: string;
  /** Whether the request has been aborted by now. */
  readonly isAborted?: boolean;
}

/** Something that not every model, or not every test server, can do. */
export type ContractFeature =
  /** Text and tool calls in any order. Without it: text first. */
  | 'interleavedToolCalls'
  | 'reasoning'
  /** The number of tokens of an answer. */
  | 'usage'
  /** The finish reason `length`. */
  | 'length'
  /** The finish reason `content-filter`. */
  | 'contentFilter'
  /** Streams that lose their connection. */
  | 'brokenStreams'
  /** Tools that the provider runs. */
  | 'providerToolCalls'
  | 'sources'
  /** Pictures and files that the model makes. */
  | 'media'
  | 'warnings'
  | 'headers'
  /** The arguments of a tool call while the model writes them. */
  | 'toolInput'
  /** Default options that change the requests. */
  | 'defaultOptions'
  /** Requests that `isAborted` is known of. */
  | 'abortedRequests';

/** Connects the contract with the model under test. */
export interface ContractHarness {
  /**
   * Creates a model that gives these answers, each to its question.
   *
   * @param defaultOptions the default options of the model
   */
  model(answers: readonly ContractAnswer[], defaultOptions: ChatOptions): ChatModel | Promise<ChatModel>;
  /**
   * The requests that a model has sent, in order. Without it, the contract skips the cases that
   * look at requests.
   */
  requests?(model: ChatModel): readonly ContractRequest[];
  /** What the model supports. Default: everything. */
  readonly supports?: Readonly<Partial<Record<ContractFeature, boolean>>>;
}

/** A case before it knows its harness. */
export interface CaseDefinition {
  readonly name: string;
  readonly needs?: readonly ContractFeature[];
  /** Whether the case looks at the requests of the model. */
  readonly readsRequests?: true;
  run(harness: ContractHarness): Promise<void>;
}
