import { ToolCallLimitExceededException } from '../execution/tool-call-limit-exceeded.exception.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { type ChatOptions, TOOL_CALLING_MANAGER } from '../model/chat-options.js';
import { ChatResponse, type Generation } from '../model/chat-response.js';
import { AssistantMessage, type Message, withoutToolCalls } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { TURN_BEGUN, type TurnContext, TurnStop } from '../model/turn-context.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { forNextRound, withoutTools, withTurn } from './loop-options.js';
import { RepeatedCalls } from './repeated-calls.js';
import type { ToolExecutionEligibilityChecker } from './tool-execution-eligibility-checker.js';
import { toAnswer } from './stopped-answer.js';
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
  readonly historyEnabled: boolean;
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

/** How a turn ended. */
export interface TurnEnd {
  readonly response: ChatClientResponse;
  /**
   * `answer`: the model answered, or asked for tools that are not run. `rounds`: it answered without tools, because
   * there were too many rounds. `loop`: tool results are returned directly, or a limit is told of. `suspended`: calls wait for
   * approval. `stopped`: somebody has ended the turn early.
   */
  readonly reason: 'answer' | 'rounds' | 'loop' | 'suspended' | 'stopped';
  readonly usage: UsageAccumulator;
  /** The messages of the turn, up to the answer. */
  readonly messages: readonly Message[];
  /** The index of the last round. */
  readonly round: number;
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
    let { context } = initialized;
    let options = withTurn(initialized.prompt.options, turn);
    let instructions = initialized.prompt.messages;
    let history = instructions;
    const usage = new UsageAccumulator(resumed?.held.usageByRound);
    const repeated = new RepeatedCalls();
    let response: ChatClientResponse = resumed?.response ?? { context };
    let index = resumed?.held.round ?? 0;
    /** What the model has said while its tools run. */
    let saying: AssistantMessage | undefined;
    /** A turn that has to be kept if it fails, and what its tools have done by then. */
    let kept: KeptTurn | undefined;
    const end = (reason: TurnEnd['reason'], answer?: ChatResponse): TurnEnd => ({
      response: replaced(response, answer, usage),
      usage,
      reason,
      messages: history,
      round: index,
    });

    try {
      if (resumed) {
        await suspension.claim(resumed);
        turn.progress = new Map();
        kept = { resumed, turn };
        await hooks.join({ ...initialized, prompt: Prompt.of(history, options) });
      }
      for (; ; index++) {
        let asking: ChatClientRequest;
        if (resumed) {
          asking = { ...initialized, prompt: Prompt.of(history, options) };
        } else {
          turn.history = history;
          const isLast = index === maxRounds;
          const before = inside(turn, hooks.before, { prompt: Prompt.of(instructions, options), context });
          asking = isPromise(before) ? await before : before;
          turn.throwIfAborted();
          options = withTurn(asking.prompt.options, turn);
          const offered = isLast ? withoutTools(options) : options;
          const roundRequest =
            offered === asking.prompt.options
              ? asking
              : { ...asking, prompt: asking.prompt.with({ options: offered }) };
          const answer = await ask({ index, isLast, usage, request: roundRequest });
          const after = inside(turn, hooks.after, answer);
          response = isPromise(after) ? await after : after;
          turn.throwIfAborted();
          usage.add(response.chatResponse);
          if (!response.chatResponse) return end('answer');
          if (isLast) return end('rounds', endOfRounds(response.chatResponse));
          if (!eligibilityChecker.isToolExecutionRequired(response.chatResponse)) {
            return end('answer', response.chatResponse);
          }
        }

        const chatResponse = response.chatResponse!;
        saying = chatResponse.result?.output;
        const executed = await execute(this.#managerOf(options), Prompt.of(history, options), chatResponse);
        if (executed.pendingApprovals) {
          const byRound = usage.byRound;
          const suspended = { request: asking, response, executed, round: index, usageByRound: byRound };
          return end('suspended', await suspension.suspend(turn, suspended));
        }
        if (kept) kept = { ...kept, executed: executed.conversationHistory, round: index, usageByRound: usage.byRound };
        turn.throwIfAborted();
        if (executed.returnDirect) {
          history = executed.conversationHistory;
          return end('loop', chatResponse.with({ results: generationsOf(executed) }));
        }
        saying = undefined;
        const told = repeated.remark(executed);
        context = response.context === asking.context ? asking.context : { ...asking.context, ...response.context };
        const next = turn.isSurrounded
          ? turn.run(nextInstructions(hooks, asking, response, told))
          : hooks.nextInstructions(asking, response, told);
        instructions = isPromise(next) ? await next : next;
        history = hooks.historyEnabled ? instructions : told.conversationHistory;
        options = forNextRound(options);
        resumed = undefined;
      }
    } catch (error) {
      if (error instanceof TurnStop && error === turn.stopReason) {
        // What was decided and has not run may still be wanted.
        if (kept && !kept.executed) await suspension.putBack(kept, true);
        if (saying?.text) history = [...history, withoutToolCalls(saying)];
        return end('stopped', toAnswer(error));
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

async function execute(manager: ToolCallingManager, prompt: Prompt, response: ChatResponse): Promise<Executed> {
  try {
    return await manager.executeToolCalls(prompt, response);
  } catch (error) {
    if (!(error instanceof ToolCallLimitExceededException)) throw error;
    return { ...error.partialResult, returnDirect: true, breach: error };
  }
}

function generationsOf({ breach, ...result }: Executed): Generation[] {
  return breach ? [breach.buildGeneration()] : ToolExecutionResult.buildGenerations(result);
}

/** Whatever holds the turn, such as its conversation, holds the hooks as well. */
function inside<Given, T>(turn: TurnContext, hook: (given: Given) => Awaitable<T>, given: Given): Awaitable<T> {
  return turn.isSurrounded ? turn.run(async () => hook(given)) : hook(given);
}

function nextInstructions(
  hooks: LoopHooks,
  ...given: Parameters<LoopHooks['nextInstructions']>
): () => Promise<readonly Message[]> {
  return async () => hooks.nextInstructions(...given);
}

function replaced(
  response: ChatClientResponse,
  chatResponse: ChatResponse | undefined,
  usage: UsageAccumulator,
): ChatClientResponse {
  if (!chatResponse) return response;
  const stamped = usage.stamp(chatResponse);
  return stamped === response.chatResponse ? response : { ...response, chatResponse: stamped };
}

/** The answer given without tools. A model that still asks for some is not heard. */
function endOfRounds(response: ChatResponse): ChatResponse {
  return response.with({
    results: response.results.map(({ output, metadata }) => ({
      output: withoutToolCalls(output),
      metadata: { ...metadata, finishReason: 'maxRoundsExceeded' },
    })),
  });
}

/** Says why a streamed answer ends, where the model has not said so itself. */
export function endWithoutReason(): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage(), metadata: { finishReason: 'maxRoundsExceeded' } }],
  });
}
