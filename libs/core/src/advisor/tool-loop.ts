import { ToolCallLimitExceededException } from '../execution/tool-call-limit-exceeded.exception.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ToolExecutionResult } from '../execution/tool-execution-result.js';
import type { Awaitable } from '../model/awaitable.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse, type Generation } from '../model/chat-response.js';
import { AssistantMessage, type Message, withoutToolCalls } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { TURN_CONTEXT, type TurnContext } from '../model/turn-context.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { ToolExecutionEligibilityChecker } from './tool-execution-eligibility-checker.js';
import { UsageAccumulator } from './usage-accumulator.js';

/** The places at which an advisor takes part in the loop. */
export interface LoopHooks {
  initialize(request: ChatClientRequest): Awaitable<ChatClientRequest>;
  before(request: ChatClientRequest): Awaitable<ChatClientRequest>;
  after(response: ChatClientResponse): Awaitable<ChatClientResponse>;
  nextInstructions(
    request: ChatClientRequest,
    response: ChatClientResponse,
    result: ToolExecutionResult,
  ): Awaitable<readonly Message[]>;
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
   * there were too many rounds. `loop`: tool results are returned directly, or a limit is told of.
   */
  readonly reason: 'answer' | 'rounds' | 'loop';
  readonly usage: UsageAccumulator;
}

/** What a {@link ToolLoop} works with. */
export interface ToolLoopSettings {
  readonly toolCallingManager: ToolCallingManager;
  readonly eligibilityChecker: ToolExecutionEligibilityChecker;
  readonly maxRounds: number;
}

/**
 * The loop: model, tools, model, until there is an answer. It exists once; whether a round is answered in
 * one piece or in chunks is the business of whoever passes `ask`.
 */
export class ToolLoop {
  constructor(readonly settings: ToolLoopSettings) {}

  /** @throws the reason of the abort when the turn is aborted between two steps */
  async run(
    request: ChatClientRequest,
    turn: TurnContext,
    hooks: LoopHooks,
    ask: (round: Round) => Promise<ChatClientResponse>,
  ): Promise<TurnEnd> {
    const { toolCallingManager, eligibilityChecker, maxRounds } = this.settings;
    const initialized = await hooks.initialize(request);
    let { context } = initialized;
    let options = withTurn(initialized.prompt.options, turn);
    let instructions = initialized.prompt.messages;
    let history = instructions;
    const usage = new UsageAccumulator();

    for (let index = 0; ; index++) {
      const isLast = index === maxRounds;
      const before = await hooks.before({ prompt: Prompt.of(instructions, options), context });
      turn.throwIfAborted();
      options = withTurn(before.prompt.options, turn);
      const asked = isLast ? withoutTools(options) : options;
      const roundRequest =
        asked === before.prompt.options ? before : { ...before, prompt: before.prompt.with({ options: asked }) };
      const response = await hooks.after(await ask({ index, isLast, usage, request: roundRequest }));
      turn.throwIfAborted();
      const { chatResponse } = response;
      usage.add(chatResponse);
      if (!chatResponse) return { response, usage, reason: 'answer' };
      if (isLast) return { response: replaced(response, endOfRounds(chatResponse), usage), usage, reason: 'rounds' };
      if (!eligibilityChecker.isToolExecutionRequired(chatResponse)) {
        return { response: replaced(response, chatResponse, usage), usage, reason: 'answer' };
      }

      const executed = await executeToolCalls(toolCallingManager, Prompt.of(history, options), chatResponse);
      turn.throwIfAborted();
      if ('generations' in executed) {
        const answer = chatResponse.with({ results: executed.generations });
        return { response: replaced(response, answer, usage), usage, reason: 'loop' };
      }
      context = response.context === before.context ? before.context : { ...before.context, ...response.context };
      instructions = await hooks.nextInstructions(before, response, executed);
      history = hooks.historyEnabled ? instructions : executed.conversationHistory;
      options = withFreeChoice(options);
    }
  }
}

/** Runs the tools; an end of the turn comes back as the generations of its answer. */
async function executeToolCalls(
  manager: ToolCallingManager,
  prompt: Prompt,
  response: ChatResponse,
): Promise<ToolExecutionResult | { generations: Generation[] }> {
  try {
    const result = await manager.executeToolCalls(prompt, response);
    return result.returnDirect ? { generations: ToolExecutionResult.buildGenerations(result) } : result;
  } catch (error) {
    if (error instanceof ToolCallLimitExceededException) return { generations: [error.buildGeneration()] };
    throw error;
  }
}

function withTurn(options: ChatOptions | undefined, turn: TurnContext): ChatOptions {
  return options?.[TURN_CONTEXT] === turn ? options : { ...options, [TURN_CONTEXT]: turn };
}

function withoutTools(options: ChatOptions): ChatOptions {
  return { ...options, offeredToolNames: [], toolChoice: 'none' };
}

/** A tool that had to be called has been: to demand it again would never let the model answer. */
function withFreeChoice(options: ChatOptions): ChatOptions {
  if (options.toolChoice === undefined || options.toolChoice === 'auto' || options.toolChoice === 'none')
    return options;
  const { toolChoice: _made, ...rest } = options;
  return rest;
}

function replaced(
  response: ChatClientResponse,
  chatResponse: ChatResponse,
  usage: UsageAccumulator,
): ChatClientResponse {
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
