import { Inject, Optional } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import type { Awaitable } from '../model/awaitable.js';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import type { Message } from '../model/messages.js';
import type { TurnControl } from '../model/turn-control.js';
import {
  type Advisor,
  type CallAdvisor,
  type CallAdvisorChain,
  isMemoryAdvisor,
  type StreamAdvisor,
  type StreamAdvisorChain,
  ToolAdvisor,
} from './advisor.js';
import { indexOfAdvisor } from './advisor-chain.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { asCallChain, isForLoop, joiningAdvisors } from './loop-entry.js';
import { checkAdvisorOrder } from './ordered.js';
import { answerOf, beginTurn, runTurn, StreamedRounds } from './run-turn.js';
import {
  DEFAULT_ORDER,
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from './tool-calling-advisor.options.js';
import type { LoopHooks, Round, ToolLoopSettings } from './loop-contract.js';
import { nextMessages } from './loop-options.js';
import { LoopRun } from './loop-run.js';
import { toLoopSettings } from './loop-settings.js';

/** The hook of a stream, by the one of a call. */
const OF_STREAM = {
  doInitializeLoop: 'doInitializeLoopStream',
  doBeforeCall: 'doBeforeStream',
  doAfterCall: 'doAfterStream',
  doGetNextInstructionsForToolCall: 'doGetNextInstructionsForToolCallStream',
} as const;

type Hook = keyof typeof OF_STREAM;

interface HooksOfChain {
  readonly isStream: boolean;
  readonly chain: object;
  readonly hooks: LoopHooks;
}

/**
 * Runs the tool loop: asks the model, runs the tools it asks for, and asks again with their
 * results, until the model answers.
 *
 * A subclass can override any `do…` hook, which may be asynchronous. By default, each hook for
 * streams calls the one for calls.
 */
export class ToolCallingAdvisor implements CallAdvisor, StreamAdvisor, ToolAdvisor {
  static readonly DEFAULT_ORDER = DEFAULT_ORDER;

  readonly [ToolAdvisor] = true as const;
  readonly name: string = 'Tool Calling Advisor';
  readonly order: number;
  readonly #settings: ToolLoopSettings;
  readonly #conversationHistoryEnabled: boolean | undefined;
  readonly #streamToolCallResponses: boolean;
  #hooks: HooksOfChain | undefined;

  /**
   * @throws RangeError if the order is not between the bounds, maxRounds is not a positive whole
   *   number, or a timer cannot wait for turnLease
   */
  constructor(@Optional() @Inject(TOOL_CALLING_ADVISOR_OPTIONS) options: ToolCallingAdvisorOptions = {}) {
    this.order = checkAdvisorOrder(options.order ?? options.advisorOrder ?? DEFAULT_ORDER);
    this.#conversationHistoryEnabled = options.disableInternalConversationHistory
      ? false
      : options.conversationHistoryEnabled;
    this.#settings = toLoopSettings(options);
    this.#streamToolCallResponses = options.streamToolCallResponses ?? false;
  }

  /** A builder for the options. Called on a subclass, it builds that subclass. */
  static builder<Class extends MadeOfOptions<ToolCallingAdvisor>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    if (!isForLoop(request)) return chain.nextCall(request);
    const rest = chain.copy(this);
    const turn = beginTurn(request);
    const ask = ({ request: asked }: Round): Promise<ChatClientResponse> => turn.untilAborted(rest.nextCall(asked));
    return runTurn(
      turn,
      () => new LoopRun(this.#settings, turn, this.#hooksOf(rest, false), ask).run(request),
      (end) => this.doFinalizeLoop(answerOf(end), rest),
    );
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    if (!isForLoop(request)) return chain.nextStream(request);
    const rest = chain.copy(this);
    const rounds = new Observable<ChatClientResponse>((subscriber) => {
      const turn = beginTurn(request);
      // After an unsubscribe, don't wait for a tool that ignores its signal.
      turn.isAbortable = true;
      let ended = false;
      const end = (tell: () => void): void => {
        ended = true;
        tell();
      };
      this.#streamTurn(request, turn, rest, subscriber).then(
        () => end(() => subscriber.complete()),
        (error: unknown) => end(() => subscriber.error(error)),
      );
      return () =>
        ended ? turn.release() : turn.abort(new DOMException('The stream was unsubscribed.', 'AbortError'));
    });
    return this.doFinalizeLoopStream(rounds, rest);
  }

  #streamTurn(
    request: ChatClientRequest,
    turn: TurnControl,
    rest: StreamAdvisorChain,
    subscriber: Subscriber<ChatClientResponse>,
  ): Promise<ChatClientResponse> {
    const rounds = new StreamedRounds(subscriber, turn, this.#streamToolCallResponses);
    const ask = (round: Round): Promise<ChatClientResponse> => rounds.ask(round, rest.nextStream(round.request));
    return runTurn(
      turn,
      () => new LoopRun(this.#settings, turn, this.#hooksOf(rest, true), ask).run(request),
      (end) => {
        rounds.finish(end);
        // A subclass that overrides the hook for streams has the whole stream. Otherwise the hook
        // for calls gets the answer.
        const isOverridden = this.doFinalizeLoopStream !== ToolCallingAdvisor.prototype.doFinalizeLoopStream;
        return isOverridden ? end.response : this.doFinalizeLoop(end.response, asCallChain(rest));
      },
    );
  }

  /** Receives the request before the first round and returns the request to use. */
  protected doInitializeLoop(request: ChatClientRequest, _chain: CallAdvisorChain): Awaitable<ChatClientRequest> {
    return request;
  }

  /**
   * Receives the request of each round and returns the request to send. Changed options also apply
   * to the following rounds.
   */
  protected doBeforeCall(request: ChatClientRequest, _chain: CallAdvisorChain): Awaitable<ChatClientRequest> {
    return request;
  }

  /** Receives the response of each round before its tool calls run. */
  protected doAfterCall(response: ChatClientResponse, _chain: CallAdvisorChain): Awaitable<ChatClientResponse> {
    return response;
  }

  /** Receives the answer of the turn and returns the one for the caller. */
  protected doFinalizeLoop(response: ChatClientResponse, _chain: CallAdvisorChain): Awaitable<ChatClientResponse> {
    return response;
  }

  /** Returns the messages of the next round, after tools have run. */
  protected doGetNextInstructionsForToolCall(
    request: ChatClientRequest,
    _response: ChatClientResponse,
    result: ToolExecutionResult,
    chain: CallAdvisorChain,
  ): Awaitable<readonly Message[]> {
    return nextMessages(request, result, this.#isHistoryEnabled(chain));
  }

  /** Like {@link doInitializeLoop}, for streams. */
  protected doInitializeLoopStream(
    request: ChatClientRequest,
    chain: StreamAdvisorChain,
  ): Awaitable<ChatClientRequest> {
    return this.doInitializeLoop(request, asCallChain(chain));
  }

  /** Like {@link doBeforeCall}, for streams. */
  protected doBeforeStream(request: ChatClientRequest, chain: StreamAdvisorChain): Awaitable<ChatClientRequest> {
    return this.doBeforeCall(request, asCallChain(chain));
  }

  /**
   * Like {@link doAfterCall}, for streams. Receives the whole response of a round; its chunks were
   * already sent.
   */
  protected doAfterStream(response: ChatClientResponse, chain: StreamAdvisorChain): Awaitable<ChatClientResponse> {
    return this.doAfterCall(response, asCallChain(chain));
  }

  /**
   * Wraps the whole stream of the turn. Default: unchanged. {@link doFinalizeLoop} then receives
   * the answer at the end, but its result cannot change the chunks that were sent.
   */
  protected doFinalizeLoopStream(
    responses: Observable<ChatClientResponse>,
    _chain: StreamAdvisorChain,
  ): Observable<ChatClientResponse> {
    return responses;
  }

  /** Like {@link doGetNextInstructionsForToolCall}, for streams. */
  protected doGetNextInstructionsForToolCallStream(
    request: ChatClientRequest,
    response: ChatClientResponse,
    result: ToolExecutionResult,
    chain: StreamAdvisorChain,
  ): Awaitable<readonly Message[]> {
    return this.doGetNextInstructionsForToolCall(request, response, result, asCallChain(chain));
  }

  /** Whether each round sends the whole history: the option decides, or a memory further inside. */
  #isHistoryEnabled(chain: { readonly advisors: readonly Advisor[] }): boolean {
    if (this.#conversationHistoryEnabled !== undefined) return this.#conversationHistoryEnabled;
    const { advisors } = chain;
    const own = indexOfAdvisor(advisors, this);
    for (let at = advisors.length - 1; at > own; at--) {
      if (isMemoryAdvisor(advisors[at]!)) return false;
    }
    return true;
  }

  /**
   * The hooks that a subclass overrides. Cached for the chain that nearly every request uses. By
   * default, the hooks of a stream call those of a call.
   */
  #hooksOf(chain: CallAdvisorChain | StreamAdvisorChain, isStream: boolean): LoopHooks {
    if (this.#hooks?.chain === chain && this.#hooks.isStream === isStream) return this.#hooks.hooks;
    const hook = <Given extends unknown[], T>(ofCall: Hook): ((...given: Given) => Awaitable<T>) | undefined => {
      const name = isStream ? OF_STREAM[ofCall] : ofCall;
      const { prototype } = ToolCallingAdvisor;
      if (this[ofCall] === prototype[ofCall] && this[name] === prototype[name]) return undefined;
      return (...given) => (this[name] as (...of: unknown[]) => Awaitable<T>).call(this, ...given, chain);
    };
    const hooks: LoopHooks = {
      initialize: hook('doInitializeLoop'),
      before: hook('doBeforeCall'),
      after: hook('doAfterCall'),
      nextInstructions: hook('doGetNextInstructionsForToolCall'),
      joining: () => joiningAdvisors(this, chain.advisors),
      isHistoryEnabled: this.#isHistoryEnabled(chain),
    };
    this.#hooks = { chain, isStream, hooks };
    return hooks;
  }
}
