import type { Observer } from 'rxjs';
import type {
  CallApproval,
  ChatOptions,
  ChatResponse,
  Message,
  ToolCall,
  ToolCallEnd,
  ToolResponse,
} from '@nestor-ai/core';
import { ChatResponseAggregation } from '@nestor-ai/core/internal';

/** The options of a request without what belongs to the running application. */
export type RecordedOptions = Omit<ChatOptions, 'signal'>;

/** A call of a model. */
export interface ModelCallRecord {
  /** The prompt as the model received it. */
  readonly messages: readonly Message[];
  /** The messages of the turn, before the advisors inside the loop have changed them. */
  readonly history: readonly Message[];
  readonly options: RecordedOptions;
  readonly isStreamed: boolean;
  readonly provider: string | undefined;
  /** When it began, in milliseconds after the turn. */
  readonly begunAt: number;
  /** In milliseconds. Undefined while it runs. */
  readonly duration: number | undefined;
  /** The answer. Undefined if there is none. */
  readonly response: ChatResponse | undefined;
  readonly error: unknown;
}

/** A call of a tool. */
export interface ToolCallRecord {
  /** As the model wrote it. */
  readonly asked: ToolCall;
  /** As it ran: with repaired or approved arguments. Undefined until it has an answer. */
  readonly ran: ToolCall | undefined;
  /** The index of the model call that asked for it. -1 for a call of a turn that was resumed. */
  readonly modelCall: number;
  /** When it began, in milliseconds after the turn. */
  readonly begunAt: number;
  /** In milliseconds. Undefined while it runs, or waits. */
  readonly duration: number | undefined;
  readonly response: ToolResponse | undefined;
  readonly isError: boolean;
  readonly isDenied: boolean;
  readonly approval: CallApproval | undefined;
  /** What the tool has thrown. */
  readonly error: unknown;
}

type Changing<T> = { -readonly [Key in keyof T]: T[Key] };

/** Records the call of a model. */
export class RecordedModelCall implements Observer<ChatResponse> {
  #chunks: ChatResponseAggregation | undefined;

  /**
   * @param record what is known so far
   * @param turnBegan the time of `performance.now()` at which the turn began
   */
  constructor(
    private readonly record: Changing<ModelCallRecord>,
    private readonly turnBegan: number,
  ) {}

  next(response: ChatResponse): void {
    const { record } = this;
    if (record.isStreamed) (this.#chunks ??= new ChatResponseAggregation()).add(response);
    else record.response = response;
  }

  complete(): void {
    const { record } = this;
    record.duration = performance.now() - this.turnBegan - record.begunAt;
    if (this.#chunks) record.response = this.#chunks.response;
  }

  error(error: unknown): void {
    this.record.error = error;
    this.complete();
  }
}

/** Records a call of a tool. */
export class RecordedToolCall implements ToolCallRecord {
  ran: ToolCall | undefined = undefined;
  begunAt: number;
  duration: number | undefined = undefined;
  response: ToolResponse | undefined = undefined;
  isDenied = false;
  approval: CallApproval | undefined = undefined;
  error: unknown = undefined;

  /** @param turnBegan the time of `performance.now()` at which the turn began */
  constructor(
    readonly asked: ToolCall,
    readonly modelCall: number,
    private turnBegan: number,
  ) {
    this.begunAt = performance.now() - turnBegan;
  }

  get isError(): boolean {
    return this.response?.isError === true;
  }

  /** The call waited for a decision. */
  beginAgain(turnBegan: number): void {
    this.turnBegan = turnBegan;
    this.begunAt = performance.now() - turnBegan;
  }

  answered({ changed = this.asked, response, outcome, approval, error }: ToolCallEnd): void {
    this.ran = changed;
    this.response = response;
    this.isDenied = outcome === 'denied';
    this.approval = approval;
    this.error = error;
    this.duration = performance.now() - this.turnBegan - this.begunAt;
  }
}
