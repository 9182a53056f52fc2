import { ToolCallLimitExceededException } from '../execution/tool-call-limit-exceeded.exception.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { type ChatOptions, TOOL_CALLING_MANAGER } from '../model/chat-options.js';
import type { Generation } from '../model/chat-response.js';
import { type AssistantMessage, type Message, withoutToolCalls } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { TURN_BEGUN, type TurnContext } from '../model/turn-context.js';
import { TurnStop } from '../model/turn-stop.js';
import { withTurn } from '../model/turn-options.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { forNextRound, withoutTools } from './loop-options.js';
import { RepeatedCalls } from './repeated-calls.js';
import type { ToolExecutionEligibilityChecker } from './tool-execution-eligibility-checker.js';
import { toAnswer } from './stopped-answer.js';
import { endOfRounds, type TurnEnd, turnEnd } from './turn-end.js';
import type { KeptTurn, TurnSuspension } from './turn-suspension.js';
import { UsageAccumulator } from './usage-accumulator.js';

/** The places at which an advisor takes part in the loop. */
export interface LoopHooks {
  readonly initialize: (request: ChatClientRequest) => Awaitable<ChatClientRequest>;
  readonly before: (request: ChatClientRequest) => Awaitable<ChatClientRequest>;
  readonly after: (response: ChatClientResponse) => Awaitable<ChatClientResponse>;
  nextInstructions(
    request: ChatClientRequest,
    response: ChatClientResponse,
    result: ToolExecutionResult,
  ): Awaitable<readonly Message[]>;
  /** Sees the request of a turn that goes on, before its tools are run. */
  join(request: ChatClientRequest): Awaitable<void>;
  /** Whether what `nextInstructions` returns is the history of the turn, or only what is sent next. */
  isHistoryEnabled(): boolean;
}

/** One request to the model within a turn. */
export interface Round {
  /** Counted from 0. */
  readonly index: number;
  readonly request: ChatClientRequest;
  /** The last one, asked without tools because there were too many. */
  readonly isLast: boolean;
  /** The usage of the rounds before this one. */
  readonly usage: UsageAccumulator;
}

/** What a {@link ToolLoop} works with. */
export interface ToolLoopSettings {
  /** Default: that of the client's surroundings, or one without further settings. */
  readonly toolCallingManager: ToolCallingManager | undefined;
  readonly eligibilityChecker: ToolExecutionEligibilityChecker;
  readonly maxRounds: number;
  readonly suspension: TurnSuspension;
}

/**
 * The loop: model, tools, model, until there is an answer. It exists once; whether a round is answered in
 * one piece or in chunks is the business of whoever passes `ask`.
 */
export class ToolLoop {
  #default: ToolCallingManager | undefined;

  constructor(readonly settings: ToolLoopSettings) {}

  #managerOf(options: ChatOptions): ToolCallingManager {
    const given = this.settings.toolCallingManager ?? options[TOOL_CALLING_MANAGER];
    return (given as ToolCallingManager | undefined) ?? (this.#default ??= new DefaultToolCallingManager());
  }

  /** @throws the reason of the abort when the turn is aborted between two steps */
  async run(
    request: ChatClientRequest,
    turn: TurnContext,
    hooks: LoopHooks,
    ask: (round: Round) => Promise<ChatClientResponse>,
  ): Promise<TurnEnd> {
    const { eligibilityChecker, maxRounds, suspension } = this.settings;
    const { toolApprovals } = request.prompt.options ?? {};
    let resumed = toolApprovals && (await suspension.find(request, toolApprovals, turn));
    turn.throwIfAborted();
    // By now a turn that goes on has its own id again.
    request.prompt.options?.[TURN_BEGUN]?.(turn);
    const first = resumed?.request ?? request;
    const { messages } = first.prompt;
    const initializing = hooks.initialize({
      ...first,
      prompt: Prompt.of(messages, withTurn(first.prompt.options, turn)),
    });
    const initialized = isPromise(initializing) ? await initializing : initializing;
    let options = withTurn(initialized.prompt.options, turn);
    // What is sent next, as long as hooks do not change it.
    let next = isAsSent(initialized, options) ? initialized : withOptions(initialized, options);
    let history = initialized.prompt.messages;
    const usage = new UsageAccumulator(resumed?.held.usageByRound);
    const repeated = new RepeatedCalls();
    let response: ChatClientResponse = resumed?.response ?? { context: initialized.context };
    let index = resumed?.held.round ?? 0;
    /** What the model has said while its tools run. */
    let saying: AssistantMessage | undefined;
    /** A turn that has to be kept if it fails, and what its tools have done by then. */
    let kept: KeptTurn | undefined;

    try {
      if (resumed) {
        await suspension.claim(resumed);
        turn.progress = new Map();
        kept = { resumed, turn };
        await hooks.join(next);
      }
      for (; ; index++) {
        let asking: ChatClientRequest;
        if (resumed) {
          asking = next;
        } else {
          turn.history = history;
          const isLast = index === maxRounds;
          const before = turn.isSurrounded ? inside(turn, hooks.before, next) : hooks.before(next);
          asking = isPromise(before) ? await before : before;
          turn.throwIfAborted();
          options = withTurn(asking.prompt.options, turn);
          const offered = isLast ? withoutTools(options) : options;
          const request = offered === asking.prompt.options ? asking : withOptions(asking, offered);
          const answer = await ask({ index, isLast, usage, request });
          const after = turn.isSurrounded ? inside(turn, hooks.after, answer) : hooks.after(answer);
          response = isPromise(after) ? await after : after;
          turn.throwIfAborted();
          usage.add(response.chatResponse);
          if (!response.chatResponse) return turnEnd('answer', response, usage, history, index);
          if (isLast) return turnEnd('rounds', response, usage, history, index, endOfRounds(response.chatResponse));
          if (!eligibilityChecker.isToolExecutionRequired(response.chatResponse)) {
            return turnEnd('answer', response, usage, history, index, response.chatResponse);
          }
        }

        const chatResponse = response.chatResponse!;
        saying = chatResponse.result?.output;
        let executed: Executed;
        try {
          const { prompt } = asking;
          const isSent = prompt.messages === history && prompt.options === options;
          executed = await this.#managerOf(options).executeToolCalls(
            isSent ? prompt : Prompt.of(history, options),
            chatResponse,
          );
        } catch (error) {
          executed = asLimited(error);
        }
        if (executed.pendingApprovals) {
          const byRound = usage.byRound;
          const suspended = { request: asking, response, executed, round: index, usageByRound: byRound };
          const pending = await suspension.suspend(turn, suspended);
          return turnEnd('suspended', response, usage, history, index, pending);
        }
        if (kept) kept = { ...kept, executed: executed.conversationHistory, round: index, usageByRound: usage.byRound };
        turn.throwIfAborted();
        if (executed.returnDirect) {
          history = executed.conversationHistory;
          const results = generationsOf(executed);
          return turnEnd('loop', response, usage, history, index, chatResponse.with({ results }));
        }
        saying = undefined;
        const told = repeated.remark(executed);
        const context =
          response.context === asking.context ? asking.context : { ...asking.context, ...response.context };
        const instructing = turn.isSurrounded
          ? turn.run(nextInstructions(hooks, asking, response, told))
          : hooks.nextInstructions(asking, response, told);
        const instructions = isPromise(instructing) ? await instructing : instructing;
        history = hooks.isHistoryEnabled() ? instructions : told.conversationHistory;
        options = forNextRound(options);
        next = { prompt: Prompt.of(instructions, options), context };
        resumed = undefined;
      }
    } catch (error) {
      if (error instanceof TurnStop && error === turn.stopReason) {
        // What was decided and has not run may still be wanted.
        if (kept && !kept.executed) await suspension.putBack(kept, true);
        if (saying?.text) history = [...history, withoutToolCalls(saying)];
        return turnEnd('stopped', response, usage, history, index, toAnswer(error));
      }
      if (kept) await suspension.putBack(kept);
      throw error;
    }
  }
}

/** What came of the tools. A limit that was hit ends the turn like results that are returned directly. */
interface Executed extends ToolExecutionResult {
  readonly breach?: ToolCallLimitExceededException;
}

/** @throws whatever is no limit that was hit */
function asLimited(error: unknown): Executed {
  if (!(error instanceof ToolCallLimitExceededException)) throw error;
  return { ...error.partialResult, returnDirect: true, breach: error };
}

function generationsOf({ breach, ...result }: Executed): Generation[] {
  return breach ? [breach.buildGeneration()] : ToolExecutionResult.buildGenerations(result);
}

/** Whatever holds the turn, such as its conversation, holds the hooks as well. */
function inside<Given, T>(turn: TurnContext, hook: (given: Given) => Awaitable<T>, given: Given): Promise<T> {
  return turn.run(async () => hook(given));
}

function nextInstructions(
  hooks: LoopHooks,
  ...given: Parameters<LoopHooks['nextInstructions']>
): () => Promise<readonly Message[]> {
  return async () => hooks.nextInstructions(...given);
}

/** Whether a hook has left the request such that it can be sent as it is: it may have made one of its own. */
function isAsSent({ prompt }: ChatClientRequest, options: ChatOptions): boolean {
  return prompt instanceof Prompt && prompt.options === options;
}

function withOptions(request: ChatClientRequest, options: ChatOptions): ChatClientRequest {
  return { ...request, prompt: Prompt.of(request.prompt.messages, options) };
}
