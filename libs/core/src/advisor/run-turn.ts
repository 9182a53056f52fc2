import { type Observable, type Subscriber } from 'rxjs';
import { AssistantMessage, type Message } from '../model/messages.js';
import { RequestScope } from '../model/request-scope.js';
import { callerSignalOf, isScoped, scopeOf, withScope } from '../model/scoped-options.js';
import { TurnControl } from '../model/turn-control.js';
import type { TurnOutcome } from '../model/turn-ending.js';
import { Prompt } from '../model/prompt.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { StreamRound } from './stream-round.js';
import type { Round } from './loop-contract.js';
import { endOfStream, type TurnEnd } from './turn-end.js';
import { OBSERVATION } from '../observability/request-observation.js';
import { TurnObservation } from '../observability/turn-observation.js';

/** Creates the turn of a request. */
export function beginTurn({ prompt }: ChatClientRequest): TurnControl {
  const known = scopeOf(prompt.options);
  // Each further turn of a request has its own scope: options that were made for the first turn
  // still refer to that one.
  const scope = known ? (known.turn ? known.fork() : known) : new RequestScope<TurnControl>();
  const turn = new TurnControl(callerSignalOf(prompt.options), scope);
  scope.turn = turn;
  const observation = scope.get(OBSERVATION);
  if (observation) turn.observe(new TurnObservation(turn, observation));
  return turn;
}

/** The request with the scope of a turn, and with the turn's signal if the caller has set none. */
export function inScopeOf({ scope }: TurnControl, request: ChatClientRequest): ChatClientRequest {
  const { prompt } = request;
  if (prompt instanceof Prompt && isScoped(prompt.options, scope)) return request;
  return { ...request, prompt: Prompt.of(prompt.messages, withScope(prompt.options ?? {}, scope)) };
}

/** Runs a turn and notifies the listeners of its end. */
export function runTurn(
  turn: TurnControl,
  run: () => Promise<TurnEnd>,
  finalize: (end: TurnEnd) => Awaitable<ChatClientResponse>,
): Promise<ChatClientResponse> {
  if (!turn.running) return runToEnd(turn, run, finalize);
  return turn.untilGivenUp((resolve, reject) => runToEnd(turn, run, finalize).then(resolve, reject));
}

async function runToEnd(
  turn: TurnControl,
  run: () => Promise<TurnEnd>,
  finalize: (end: TurnEnd) => Awaitable<ChatClientResponse>,
): Promise<ChatClientResponse> {
  try {
    const end = await run();
    const finalized = finalize(end);
    const response = isPromise(finalized) ? await finalized : finalized;
    if (turn.hasEndListeners) await turn.end(outcomeOf(end, response));
    if (turn.ownHold) await turn.ownHold.complete();
    if (turn.observers) turn.observers.turnEnded(outcomeOf(end, response));
    return response;
  } catch (error) {
    try {
      if (turn.hasEndListeners) await turn.end({ status: 'failed', error });
      if (turn.ownHold) await turn.ownHold.release(error);
    } finally {
      turn.observers?.turnEnded({ status: 'failed', error });
    }
    throw error;
  } finally {
    turn.release();
  }
}

function outcomeOf(end: TurnEnd, response: ChatClientResponse): TurnOutcome {
  const { messages, round, reason } = end;
  const status = reason === 'suspended' ? reason : 'completed';
  // The text before an early end is among the messages.
  const { chatResponse } = reason === 'stopped' ? end.response : response;
  return { status, messages, rounds: round + 1, response: chatResponse };
}

/**
 * The answer in one piece. After an early end, it starts with the model's text up to that point.
 */
export function answerOf({ response, reason, messages, newFrom }: TurnEnd): ChatClientResponse {
  const said = reason === 'stopped' ? textsOf(messages.slice(newFrom)) : [];
  const { chatResponse } = response;
  const generation = chatResponse?.result;
  if (said.length === 0 || !generation) return response;
  const { text, metadata } = generation.output;
  const output = new AssistantMessage({ text: [...said, text].join('\n\n'), ...(metadata && { metadata }) });
  return { ...response, chatResponse: chatResponse.with({ results: [{ ...generation, output }] }) };
}

function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === 'assistant' && message.text ? [message.text] : []));
}

/** Passes the rounds of a streamed turn to one subscriber, one after the other. */
export class StreamedRounds {
  #last: StreamRound | undefined;
  /** Whether a round before the last one sent text. */
  #spoke = false;

  constructor(
    private readonly subscriber: Subscriber<ChatClientResponse>,
    private readonly turn: TurnControl,
    private readonly passesToolCalls: boolean,
  ) {}

  /** The last text of a turn that was stopped early, separated from the text before it. */
  #apart(response: ChatClientResponse): ChatClientResponse {
    const { chatResponse } = response;
    if (!this.#hasSpoken) return response;
    const results = chatResponse!.results.map((generation) => {
      const { text, metadata } = generation.output;
      return { ...generation, output: new AssistantMessage({ text: `\n\n${text}`, ...(metadata && { metadata }) }) };
    });
    return { ...response, chatResponse: chatResponse!.with({ results }) };
  }

  get #hasSpoken(): boolean {
    return this.#spoke || this.#last?.hasSpoken === true;
  }

  /** Asks the model and passes on the visible part of its chunks. */
  ask(round: Round, chunks: Observable<ChatClientResponse>): Promise<ChatClientResponse> {
    this.#spoke = this.#hasSpoken;
    this.#last = new StreamRound(round, this.subscriber, this.passesToolCalls);
    return this.#last.run(chunks, round, this.turn);
  }

  /**
   * Sends what the chunks did not contain: held tool calls, an answer by the loop itself, the
   * total usage.
   */
  finish({ response, reason, usage, round }: TurnEnd): void {
    // A resumed turn may end without asking the model again.
    const last = this.#last ?? new StreamRound({ index: round, usage, isLast: false }, this.subscriber, true);
    if (reason === 'answer') last.release(response);
    else if (reason === 'rounds') {
      const text = last.hasSpoken ? '' : (response.chatResponse?.text ?? '');
      if (text || !last.hasFinishReason) last.emit({ ...response, chatResponse: endOfStream(text) });
    } else
      last.emit(
        reason === 'suspended' ? withoutText(response) : reason === 'stopped' ? this.#apart(response) : response,
      );
    if (reason !== 'answer' && reason !== 'rounds') return;
    if (usage.isMissingFromLastRound) last.emit({ ...response, chatResponse: usage.asResponse() });
  }
}

/** The response without its text, which was already sent. */
function withoutText({ chatResponse, ...response }: ChatClientResponse): ChatClientResponse {
  const results = chatResponse!.results.map(({ output, metadata }) => ({
    output: new AssistantMessage({
      toolCalls: output.toolCalls,
      ...(output.metadata && { metadata: output.metadata }),
    }),
    ...(metadata && { metadata }),
  }));
  return { ...response, chatResponse: chatResponse!.with({ results }) };
}
