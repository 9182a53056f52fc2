import { ToolCallLimitExceededException } from '../execution/tool-call-limit-exceeded.exception.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import type { ChatOptions } from '../model/chat-options.js';
import { type AssistantMessage, type Message, withoutToolCalls } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { TurnControl } from '../model/turn-control.js';
import { TurnStop } from '../model/turn-stop.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { forNextRound, nextMessages, withoutTools, withToolsOfTurn } from './loop-options.js';
import { RepeatedCalls } from './repeated-calls.js';
import { inScopeOf } from './run-turn.js';
import { StoredTurn } from './stored-turn.js';
import type { AskModel, LoopHooks, Round, ToolLoopSettings } from './loop-contract.js';
import { endOfRounds, toAnswer, type TurnEnd } from './turn-end.js';
import { markedIn } from './untrusted-answers.js';
import { UsageAccumulator } from './usage-accumulator.js';

/**
 * The result of running the tools. A limit that was exceeded ends the turn like results that are
 * returned directly.
 */
interface Executed extends ToolExecutionResult {
  readonly breach?: ToolCallLimitExceededException;
}

/** One turn in the loop, of a call or a stream: the state so far and the next request. */
export class LoopRun {
  readonly #manager: ToolCallingManager;
  readonly #stored: StoredTurn;
  readonly #repeated = new RepeatedCalls();
  #usage: UsageAccumulator | undefined;
  /** The next request, before hooks change it. */
  #next!: ChatClientRequest;
  #options!: ChatOptions;
  /** All messages of the turn, even if only part of them is sent. */
  #history!: readonly Message[];
  #newFrom = 0;
  #response!: ChatClientResponse;
  #round = 0;
  /** The message whose tool calls run now. */
  #pendingAnswer: AssistantMessage | undefined;

  constructor(
    private readonly settings: ToolLoopSettings,
    private readonly turn: TurnControl,
    private readonly hooks: LoopHooks,
    private readonly ask: AskModel,
  ) {
    this.#manager = settings.managerOf(turn);
    this.#stored = new StoredTurn(turn, settings.suspendedTurns);
  }

  /** @throws the reason of the abort if the turn is aborted between two steps */
  async run(request: ChatClientRequest): Promise<TurnEnd> {
    const { turn, hooks } = this;
    const stored = this.#stored;
    const scoped = inScopeOf(turn, withToolsOfTurn(request, this.#manager));
    this.#options = scoped.prompt.options!;
    const beginning = stored.begin(scoped);
    const begun = isPromise(beginning) ? await turn.untilAborted(beginning) : beginning;
    turn.throwIfAborted();
    // A resumed turn has its original id again by now.
    turn.findObservers();
    this.#start(hooks.initialize ? await hooks.initialize(begun) : begun);
    try {
      const starting = stored.resumption
        ? stored.claim(this.#next, this.#manager, hooks.joining())
        : stored.start(this.#next);
      if (isPromise(starting)) {
        await starting;
        turn.throwIfAborted();
      }
      if (stored.resumption?.held.phase === 'answered') return this.#end('answer');
      for (;;) {
        if (!stored.runsHeldTools) {
          const round = this.#roundOf(hooks.before ? await this.#runHook(hooks.before, this.#next) : this.#next);
          const answer = await this.ask(round);
          const end = this.#endAfter(hooks.after ? await this.#runHook(hooks.after, answer) : answer, round.isLast);
          if (end) return end;
        }
        stored.runsTools(this.#response.chatResponse!, this.#next, this.#round, this.#usage!.byRound);
        let executed: Executed;
        try {
          executed = await this.#manager.executeToolCalls(this.#promptOfTools(), this.#response.chatResponse!);
        } catch (error) {
          executed = asLimited(error);
        }
        if (executed.pendingApprovals) return await this.#suspend(executed);
        if (stored.recorder) stored.toolsHaveRun(executed.conversationHistory);
        const end = this.#endAfterTools(executed);
        if (end) return end;
        const result = this.#repeated.remark(executed);
        this.#pendingAnswer = undefined;
        this.#prepareNext(
          hooks.nextInstructions
            ? await this.#instruct(hooks.nextInstructions, result)
            : nextMessages(this.#next, result, hooks.isHistoryEnabled),
          result,
        );
      }
    } catch (error) {
      return this.#endEarly(error);
    }
  }

  #start(initialized: ChatClientRequest): void {
    const { resumption } = this.#stored;
    // A hook may return a new request: add the scope to its options.
    this.#next = this.#scoped(initialized);
    this.#options = this.#next.prompt.options!;
    this.#history = this.#next.prompt.messages;
    // The calls before the suspension and their results were already reported.
    this.#newFrom = resumption?.messages.length ?? this.#history.length;
    this.#usage = new UsageAccumulator(resumption?.held.usageByRound);
    this.#response = resumption?.response ?? { context: initialized.context };
    this.#pendingAnswer = resumption?.response.chatResponse?.result?.output;
    this.#round = resumption?.held.round ?? 0;
    this.turn.history = this.#history;
  }

  /** Applies the request that the hooks returned. */
  #roundOf(request: ChatClientRequest): Round {
    this.turn.throwIfAborted();
    this.#next = this.#scoped(request);
    this.#options = this.#next.prompt.options!;
    const isLast = this.#round === this.settings.maxRounds;
    const asked = isLast ? withOptions(request, withoutTools(this.#options)) : this.#next;
    return { index: this.#round, isLast, usage: this.#usage!, request: asked };
  }

  #scoped(request: ChatClientRequest): ChatClientRequest {
    const { prompt } = request;
    // Usually the hooks leave the options unchanged.
    return prompt instanceof Prompt && prompt.options === this.#options ? request : inScopeOf(this.turn, request);
  }

  /** The end of the turn, unless tools must run. */
  #endAfter(given: ChatClientResponse, isLast: boolean): TurnEnd | undefined {
    const response = markedIn(this.turn.scope, given);
    const { chatResponse } = response;
    this.#response = response;
    this.turn.throwIfAborted();
    this.#usage!.add(chatResponse);
    if (!chatResponse) return this.#end('answer');
    if (isLast) return this.#end('rounds', endOfRounds(chatResponse, this.settings.maxRounds));
    const { eligibilityChecker } = this.settings;
    return eligibilityChecker.isToolExecutionRequired(chatResponse) ? undefined : this.#end('answer', chatResponse);
  }

  #promptOfTools(): Prompt {
    const { prompt } = this.#next;
    this.#pendingAnswer = this.#response.chatResponse!.result?.output;
    const isSent = prompt.messages === this.#history && prompt.options === this.#options;
    return isSent ? prompt : Prompt.of(this.#history, this.#options);
  }

  async #suspend(executed: Executed): Promise<TurnEnd> {
    const answer = await this.#stored.suspend({
      request: this.#next,
      response: this.#response,
      executed,
      round: this.#round,
      usageByRound: this.#usage!.byRound,
    });
    return this.#end('suspended', answer);
  }

  /** The end of the turn, unless the results go to the model. */
  #endAfterTools(executed: Executed): TurnEnd | undefined {
    const { conversationHistory, returnDirect, breach } = executed;
    this.turn.throwIfAborted();
    if (!returnDirect) return undefined;
    this.#history = conversationHistory;
    const results = breach ? [breach.buildGeneration()] : ToolExecutionResult.buildGenerations(executed);
    return this.#end(breach ? 'limit' : 'loop', this.#response.chatResponse!.with({ results }));
  }

  #instruct(
    hook: NonNullable<LoopHooks['nextInstructions']>,
    result: ToolExecutionResult,
  ): Promise<readonly Message[]> {
    return this.turn.inside(async () => hook(this.#next, this.#response, result));
  }

  #prepareNext(instructions: readonly Message[], { conversationHistory }: ToolExecutionResult): void {
    const { context } = this.#next;
    this.#history = this.hooks.isHistoryEnabled ? instructions : conversationHistory;
    this.turn.history = this.#history;
    this.#options = forNextRound(this.#options, this.#manager, this.turn);
    this.#next = {
      prompt: Prompt.of(instructions, this.#options),
      context: this.#response.context === context ? context : { ...context, ...this.#response.context },
    };
    this.#round++;
  }

  /** The end of a turn that was stopped early. */
  async #endEarly(error: unknown): Promise<TurnEnd> {
    if (!(error instanceof TurnStop) || error !== this.turn.stopReason) {
      await this.#stored.failed(error);
      throw error;
    }
    await this.#stored.stopped();
    if (this.#pendingAnswer?.text) this.#history = [...this.#history, withoutToolCalls(this.#pendingAnswer)];
    return this.#end('stopped', toAnswer(error), true);
  }

  /** @param answer takes the place of the model's response */
  #end(
    reason: TurnEnd['reason'],
    answer?: ChatClientResponse['chatResponse'],
    isTold = reason === 'suspended',
  ): TurnEnd {
    if (!isTold) this.#stored.answered();
    const usage = this.#usage!;
    const chatResponse = answer && usage.stamp(answer);
    const isSame = !chatResponse || chatResponse === this.#response.chatResponse;
    const response = isSame ? this.#response : markedIn(this.turn.scope, { ...this.#response, chatResponse });
    // Results that are the answer are stored as results.
    if (!isTold && reason !== 'loop' && this.#stored.recorder && response.chatResponse)
      this.#stored.concludes(this.#history, response.chatResponse, this.#round, usage.byRound);
    return { response, usage, reason, messages: this.#history, newFrom: this.#newFrom, round: this.#round };
  }

  /**
   * Runs a hook in the async context of the turn's tools, such as its conversation lock. A method of
   * its own: V8 allocates a context on each call of a function with closures.
   */
  #runHook<Given, T>(hook: (given: Given) => Awaitable<T>, given: Given): Promise<T> {
    return this.turn.inside(async () => hook(given));
  }
}

function withOptions(request: ChatClientRequest, options: ChatOptions): ChatClientRequest {
  return { ...request, prompt: Prompt.of(request.prompt.messages, options) };
}

/** @throws every error except that of an exceeded limit */
function asLimited(error: unknown): Executed {
  if (!(error instanceof ToolCallLimitExceededException)) throw error;
  return { ...error.partialResult, returnDirect: true, breach: error };
}
