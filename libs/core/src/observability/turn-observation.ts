import { type Attributes, SpanKind } from '@opentelemetry/api';
import { errorTypeOf, OTHER } from '../model/error-type.js';
import type { ToolCall } from '../model/messages.js';
import type { ToolCallEnd, ToolCallOutcome } from '../model/tool-call-outcome.js';
import type { Turn } from '../model/turn.js';
import type { TurnOutcome } from '../model/turn-ending.js';
import type { ToolCallRun, TurnObserver } from '../model/turn-observer.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { ObservedToolCall } from './observation-convention.js';
import type { Failure, ObservedSpan } from './observed-span.js';
import type { RequestObservation } from './request-observation.js';

const NO_FAILURE: ReadonlySet<ToolCallOutcome> = new Set([
  'ok',
  'pending_approval',
  'input_required',
  'deferred',
  'denied',
  'aborted',
]);

/** Observes a turn: the spans and measurements of its tool calls, including guards, interceptors and policies, and its rounds. */
export class TurnObservation implements TurnObserver {
  readonly #ends = new Map<ToolCallRun, (end: ToolCallEnd) => void>();

  /** @param observation of the request */
  constructor(
    turn: Turn,
    private readonly observation: RequestObservation,
  ) {
    observation.turn = turn;
  }

  around(run: ToolCallRun, enter: () => void): void {
    const { toolCall, toolDefinition, isResumed } = run;
    const begun = { toolCall: isResumed ? { ...toolCall, arguments: run.arguments } : toolCall, toolDefinition };
    const span = this.observation.begin(SpanKind.INTERNAL, (convention) => convention.toolSpan(begun));
    const ended = (end: ToolCallEnd): void => {
      if (run.toolDefinition && !toolDefinition) this.#identify(span, { ...begun, toolDefinition: run.toolDefinition });
      this.#ended(span, { ...begun, toolDefinition: run.toolDefinition }, end);
    };
    span.giveUp = () => ended({ outcome: 'aborted' });
    this.#ends.set(run, (end) => span.end(() => ended(end)));
    span.enter(enter);
  }

  toolEnded(run: ToolCallRun, end: ToolCallEnd): void {
    this.#ends.get(run)?.(end);
    this.#ends.delete(run);
  }

  turnEnded(outcome: TurnOutcome): void {
    if (outcome.status !== 'failed') this.observation.turnEnded(outcome);
  }

  #ended(span: ObservedSpan, { toolCall, toolDefinition }: ObservedToolCall, end: ToolCallEnd): void {
    const { observation } = this;
    const { outcome, error, approval } = end;
    const failure = NO_FAILURE.has(outcome) ? undefined : this.#failureOf(end, toolCall.name);
    let told: Attributes | undefined = failure && { [GEN_AI.errorType]: failure.errorType };
    if (outcome === 'aborted') told = observation.abort(span, error === undefined ? undefined : errorTypeOf(error));
    if (observation.instruments) {
      // A name that the model made up would create its own time series.
      const attributes = {
        [GEN_AI.toolName]: toolDefinition?.name ?? OTHER,
        [NESTOR.toolCallOutcome]: outcome,
        ...told,
      };
      observation.instruments.toolCalls.add(1, attributes);
      observation.instruments.toolCallDuration.record(span.seconds, attributes);
    }
    span.setOne(NESTOR.toolCallOutcome, outcome);
    if (approval) span.setOne(NESTOR.toolCallApproval, approval.modelArguments === undefined ? 'unchanged' : 'changed');
    this.#show(span, toolCall, end);
    if (failure) span.fail(failure);
  }

  /** The class of the thrown error, or the reason why the tool did not run. */
  #failureOf({ error, response, outcome }: ToolCallEnd, toolName: string): Failure {
    const { write, options } = this.observation;
    const { errorType, message, stack } = this.observation.failureOf(error);
    const told = options.includeContent && response ? write(response.responseData, 'error', toolName) : message;
    return { errorType: error === undefined ? outcome : errorType, message: told, stack };
  }

  /** Adds the attributes of a tool that was found later. */
  #identify(span: ObservedSpan, call: ObservedToolCall): void {
    const found = this.observation.ask((convention) => convention.toolSpan(call));
    if (!found) return;
    span.rename(found.name);
    span.set(found.attributes);
  }

  #show(span: ObservedSpan, toolCall: ToolCall, { response, changed = toolCall, approval }: ToolCallEnd): void {
    const { write, options } = this.observation;
    if (!options.includeContent || !span.isRecording) return;
    span.set({
      // Empty arguments mean an empty object.
      [GEN_AI.toolCallArguments]: write(changed.arguments || '{}', 'arguments', changed.name),
      ...(approval?.approver !== undefined && { [NESTOR.toolCallApprover]: approval.approver }),
      ...(approval?.modelArguments !== undefined && {
        [NESTOR.toolCallModelArguments]: write(approval.modelArguments, 'arguments', changed.name),
      }),
      ...(response && {
        [GEN_AI.toolCallResult]: write(response.responseData, response.isError ? 'error' : 'result', changed.name),
      }),
    });
  }
}
