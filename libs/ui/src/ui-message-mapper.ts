import { type FinishEvent, FinishReason, type PublicEvent } from '@nestor-ai/core';
import { toApprovalId } from '@nestor-ai/core/internal';
import { asValue, toInputChunk, toOutputChunk, toSourceChunk } from './ui-chunk-parts.js';
import { UI_FINISH_REASONS, type UIFinishReason, type UIMessageChunk } from './ui-message-chunk.js';

type Block = 'text' | 'reasoning';
type Of<Type extends PublicEvent['type']> = Extract<PublicEvent, { readonly type: Type }>;

/** Converts the events of one answer to the chunks of one message. */
export class UIMessageMapper {
  #block: { readonly kind: Block; readonly id: string } | undefined;
  #blocks = 0;
  #isInStep = false;
  /** The round of the current step, if a text event contained it. */
  #round: number | undefined;
  /** The calls of the step without a result. */
  readonly #open = new Set<string>();
  #hasCalls = false;
  readonly #announced = new Set<string>();
  /** The calls of the step whose arguments the model writes or has written. */
  readonly #growing = new Set<string>();

  constructor(private readonly emit: (chunk: UIMessageChunk) => void) {}

  begin(messageId: string | undefined): void {
    this.emit({ type: 'start', ...(messageId !== undefined && { messageId }) });
  }

  next(event: PublicEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return this.#say(event.type, event.text, event.round);
      case 'tool-call':
        return this.#call(event.toolCall);
      case 'tool-progress': {
        const { toolCall, value } = event;
        return this.emit({
          type: 'tool-output-available',
          toolCallId: toolCall.id,
          output: value,
          preliminary: true,
        });
      }
      case 'tool-result':
        return this.#answer(event.toolCall.id, {
          type: 'tool-output-available',
          toolCallId: event.toolCall.id,
          output: asValue(event.response.responseData),
        });
      case 'tool-error':
        if (event.isDenied) {
          return this.#answer(event.toolCall.id, { type: 'tool-output-denied', toolCallId: event.toolCall.id });
        }
        return this.#answer(event.toolCall.id, {
          type: 'tool-output-error',
          toolCallId: event.toolCall.id,
          errorText: event.response.responseData,
        });
      case 'provider-tool-call':
        return this.#callOfProvider(event);
      case 'provider-tool-result':
        this.#enter(event.round);
        return this.emit(toOutputChunk(event));
      case 'tool-input-delta':
        return this.#writeInput(event);
      case 'source':
        this.#enter(event.round);
        return this.emit(toSourceChunk(event.source));
      case 'file':
        this.#enter(event.round);
        return this.emit({ type: 'file', url: event.media.data, mediaType: event.media.mimeType });
      case 'usage':
        return undefined;
      case 'finish':
        return this.#finish(event);
    }
  }

  /** The events of the current step are void and follow again. A front end cannot remove them by itself. */
  restart(): void {
    this.#endStep();
    this.emit({ type: 'data-restart', data: {}, transient: true });
  }

  fail(errorText: string): void {
    this.#endStep();
    this.emit({ type: 'error', errorText });
  }

  #say(kind: Block, text: string, round: number): void {
    this.#enter(round);
    if (this.#block?.kind !== kind) {
      this.#endBlock();
      this.#block = { kind, id: `${kind}-${this.#blocks++}` };
      this.emit({ type: `${kind}-start`, id: this.#block.id });
    }
    this.emit({ type: `${kind}-delta`, id: this.#block.id, delta: text });
  }

  /** Continues the step of a round, or starts the next one. */
  #enter(round: number): void {
    if (this.#isAnswered || (this.#round !== undefined && round !== this.#round)) this.#endStep();
    this.#beginStep();
    this.#round = round;
  }

  /** After all results of a step, the model continues in the next step. */
  get #isAnswered(): boolean {
    return this.#hasCalls && this.#open.size === 0;
  }

  #call({ id, name, arguments: text }: { id: string; name: string; arguments: string }): void {
    if (this.#isAnswered) this.#endStep();
    this.#beginStep();
    this.#endBlock();
    this.#hasCalls = true;
    this.#open.add(id);
    this.#announced.add(id);
    this.emit(toInputChunk(id, name, text));
  }

  /** The result belongs to the same step, so that the call is not open. */
  #callOfProvider({ toolCall: { id, name, arguments: text }, round }: Of<'provider-tool-call'>): void {
    this.#enter(round);
    this.#endBlock();
    this.#announced.add(id);
    this.emit({ ...toInputChunk(id, name, text), providerExecuted: true });
  }

  #writeInput({ toolCall: { id, name }, delta, isProviderExecuted, round }: Of<'tool-input-delta'>): void {
    // The call gets another id when a model uses an id twice, and the front end would take this for
    // the call that it has.
    if (this.#announced.has(id)) return;
    this.#enter(round);
    this.#endBlock();
    if (!this.#growing.has(id)) {
      this.#growing.add(id);
      const executed = isProviderExecuted && { providerExecuted: true };
      this.emit({ type: 'tool-input-start', toolCallId: id, toolName: name, ...executed });
    }
    if (delta !== '') this.emit({ type: 'tool-input-delta', toolCallId: id, inputTextDelta: delta });
  }

  #answer(id: string, chunk: UIMessageChunk): void {
    // The result of a call that waited for approval belongs to the step that the front end already
    // has.
    this.#open.delete(id);
    this.emit(chunk);
  }

  #finish({ finishReason, pendingApprovals, turnId, approvalTokens }: FinishEvent): void {
    for (const { id, name, arguments: text, inputRequest, deferred } of pendingApprovals ?? []) {
      const isKnown = this.#announced.has(id);
      // The front end has the call as decided, and would send the decision with that about another call.
      if (deferred && !isKnown) this.emit(toInputChunk(id, name, text));
      // The front end already knows a call that was waiting, but not what it asks for now.
      if (deferred || turnId === undefined || !(isKnown || inputRequest)) continue;
      const approvalId = approvalTokens?.[id] ?? toApprovalId(turnId, id);
      if (inputRequest) {
        const data = { toolCallId: id, approvalId, ...inputRequest };
        this.emit({ type: 'data-tool-input-request', id, data });
      }
      this.emit({ type: 'tool-approval-request', approvalId, toolCallId: id });
    }
    this.#endStep();
    this.emit({ type: 'finish', ...(finishReason !== undefined && { finishReason: toUIReason(finishReason) }) });
  }

  #beginStep(): void {
    if (this.#isInStep) return;
    this.#isInStep = true;
    this.emit({ type: 'start-step' });
  }

  #endStep(): void {
    this.#endBlock();
    if (this.#isInStep) this.emit({ type: 'finish-step' });
    this.#isInStep = false;
    this.#hasCalls = false;
    this.#round = undefined;
    this.#open.clear();
    this.#growing.clear();
  }

  #endBlock(): void {
    if (this.#block) this.emit({ type: `${this.#block.kind}-end`, id: this.#block.id });
    this.#block = undefined;
  }
}

/** The protocol has finish reasons of models, but not of tool loops. */
function toUIReason(finishReason: string): UIFinishReason {
  const known = UI_FINISH_REASONS.find((reason) => reason === finishReason);
  if (known) return known;
  if (finishReason === FinishReason.RETURN_DIRECT) return 'stop';
  return finishReason === FinishReason.TOOL_APPROVAL_REQUIRED ? 'tool-calls' : 'other';
}
