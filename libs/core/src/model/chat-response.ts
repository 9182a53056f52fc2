import type { AnyFinishReason } from './finish-reason.js';
import type { AssistantMessage, ToolCall } from './messages.js';
import type { Usage } from './usage.js';

/** Metadata of one {@link Generation}. */
export interface GenerationMetadata {
  /** Why the answer ended. */
  readonly finishReason?: AnyFinishReason;
  /** The tool calls that wait for approval. */
  readonly pendingApprovals?: readonly ToolCall[];
  readonly [key: string]: unknown;
}

/**
 * The metadata key of a generation whose turn ended early. Its answer then contains the text of
 * all rounds and the reason.
 */
export const ENDED_EARLY = 'endedEarly';

/** A part of a tool call's arguments, while the model writes them. */
export interface ToolInputDelta {
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The text that follows. Empty when the call begins. */
  readonly delta: string;
  /** Whether the provider runs the call. */
  readonly isProviderExecuted?: true;
}

/** One answer of the model. */
export interface Generation {
  readonly output: AssistantMessage;
  readonly metadata?: GenerationMetadata;
  /** In a chunk of a stream: what the model writes of a call. The complete call follows. */
  readonly toolInput?: ToolInputDelta;
}

/** What a provider reports about a request that it answered: an option that it ignored. */
export interface ModelWarning {
  /** For example `unsupported`. */
  readonly type: string;
  /** The option or feature that the warning is about. */
  readonly feature?: string;
  readonly message?: string;
}

/** Metadata of a {@link ChatResponse}. */
export interface ChatResponseMetadata {
  readonly id?: string;
  /** The provider's name of the model that answered. */
  readonly model?: string;
  /** The tokens used. In the answer of a turn: the sum over all rounds. */
  readonly usage?: Usage;
  /** The HTTP headers of the provider's response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the provider reports about the request, such as options that it ignored. */
  readonly warnings?: readonly ModelWarning[];
  /** The usage of each round, if there was more than one. */
  readonly usageByRound?: readonly Usage[];
  /** The turn in which calls wait for approval. */
  readonly turnId?: string;
  /**
   * A token for each waiting call that allows its holder to decide about it. Set if the
   * application signs approvals.
   */
  readonly approvalTokens?: Readonly<Record<string, string>>;
  /** The round of the tool loop that produced this response, starting at 0. */
  readonly round?: number;
  readonly [key: string]: unknown;
}

const NO_CALLS: readonly ToolCall[] = Object.freeze([]);
const NO_METADATA: ChatResponseMetadata = Object.freeze({});

/** The answer of a model, or one chunk of it when streaming. */
export class ChatResponse {
  readonly results: readonly Generation[];
  readonly metadata: ChatResponseMetadata;

  constructor(init: { results: readonly Generation[]; metadata?: ChatResponseMetadata }) {
    this.results = init.results;
    this.metadata = init.metadata ?? NO_METADATA;
  }

  /** The first generation. Usually there is only one. */
  get result(): Generation | undefined {
    return this.results[0];
  }

  /** The text of the first generation. */
  get text(): string | undefined {
    return this.results[0]?.output.text;
  }

  /** Why the first generation ended. A stream sets it on its last chunk only. */
  get finishReason(): AnyFinishReason | undefined {
    return this.results[0]?.metadata?.finishReason;
  }

  /**
   * The id of the turn, if tool calls wait for approval. Resume it with
   * `.toolApprovals(approvals, { turnId })`.
   */
  get turnId(): string | undefined {
    return this.metadata.turnId;
  }

  /** The tool calls that wait for approval; empty if the turn has ended. */
  get pendingApprovals(): readonly ToolCall[] {
    return this.results[0]?.metadata?.pendingApprovals ?? NO_CALLS;
  }

  /** Whether any generation asks for tool calls. */
  hasToolCalls(): boolean {
    for (const { output } of this.results) if (output.toolCalls?.length > 0) return true;
    return false;
  }

  /** Whether any generation ended for one of these reasons. */
  hasFinishReasons(reasons: Iterable<string>): boolean {
    const wanted = new Set(reasons);
    return this.results.some(
      ({ metadata }) => metadata?.finishReason !== undefined && wanted.has(metadata.finishReason),
    );
  }

  /** A copy with other results or metadata. */
  with(changes: { results?: readonly Generation[]; metadata?: ChatResponseMetadata }): ChatResponse {
    return new ChatResponse({
      results: changes.results ?? this.results,
      metadata: changes.metadata ?? this.metadata,
    });
  }
}
