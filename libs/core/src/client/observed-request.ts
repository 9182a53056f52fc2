import type { Observable } from 'rxjs';
import type { DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { remembered } from '../model/remembered.js';
import { scopeOf } from '../model/scoped-options.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { beginObservation } from '../observability/begin-observation.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import type { ObservedRequest } from '../observability/observation-convention.js';
import { RequestListener } from '../observability/observe-chain.js';
import { observeCall, observeStream } from '../observability/observed-span.js';
import { OBSERVATION, type RequestObservation } from '../observability/request-observation.js';
import { streamOf } from '../model/stream-of.js';
import type { TurnHolds } from '../model/turn-hold.js';

/** A client as described in telemetry. */
export interface ObservedClient {
  /** Undefined for the default client. */
  readonly clientName?: string | undefined;
  readonly observability?: ObservabilityOptions | undefined;
}

/** Sends a request through the chain. If a telemetry SDK is registered, the request gets a span. */
export function callObserved(
  chain: DefaultAdvisorChain,
  request: ChatClientRequest,
  client: ObservedClient,
): Promise<ChatClientResponse> {
  const observation = observe(request, client);
  if (!observation) return callThrough(chain, request);
  const listener = listenerFor(observation, chain, request, client, false);
  return observeCall(listener, () => callThrough(chain, request));
}

/** Like {@link callObserved}, with a streamed answer. */
export function streamObserved(
  chain: DefaultAdvisorChain,
  request: ChatClientRequest,
  client: ObservedClient,
): Observable<ChatClientResponse> {
  const observation = observe(request, client);
  if (!observation) return streamThrough(chain, request);
  return observeStream(streamThrough(chain, request), listenerFor(observation, chain, request, client, true));
}

/** Adds an observation to the request if telemetry is on. */
function observe({ prompt }: ChatClientRequest, { observability }: ObservedClient): RequestObservation | undefined {
  const observation = beginObservation(observability);
  if (observation) scopeOf(prompt.options)!.set(OBSERVATION, observation);
  return observation;
}

function listenerFor(
  observation: RequestObservation,
  chain: DefaultAdvisorChain,
  { prompt, context }: ChatClientRequest,
  { clientName }: ObservedClient,
  isStream: boolean,
): RequestListener {
  const conversationId = context[ChatMemory.CONVERSATION_ID];
  const toolCallbacks = prompt.options?.toolCallbacks;
  const observed: ObservedRequest = {
    clientName,
    isStream,
    advisorNames: chain.advisorNames,
    toolNames: toolCallbacks ? toolNamesOf(toolCallbacks) : [],
    conversationId: typeof conversationId === 'string' ? conversationId : undefined,
  };
  return new RequestListener(observation, observed, prompt.options);
}

/** How many tools a span names at most. */
const MAX_NAMES = 100;

const toolNamesOf = remembered(
  (callbacks: readonly ToolCallback[]) =>
    callbacks
      .map(({ toolDefinition }) => toolDefinition.name)
      .sort()
      .slice(0, MAX_NAMES),
  Object.isFrozen,
);

/**
 * Sends a request through the chain. If it resumes a turn, the turn stays stored until all
 * advisors have succeeded.
 */
function callThrough(chain: DefaultAdvisorChain, request: ChatClientRequest): Promise<ChatClientResponse> {
  const holds = scopeOf(request.prompt.options)?.holds;
  return holds ? keepUntilEnd(holds, () => chain.nextCall(request)) : chain.nextCall(request);
}

/** Like {@link callThrough}, with a streamed answer. */
function streamThrough(chain: DefaultAdvisorChain, request: ChatClientRequest): Observable<ChatClientResponse> {
  const holds = scopeOf(request.prompt.options)?.holds;
  if (!holds) return chain.nextStream(request);
  return streamOf((output) =>
    keepUntilEnd(holds, () => output.consume(chain.nextStream(request), (chunk) => output.emit(chunk))),
  );
}

async function keepUntilEnd<T>(holds: TurnHolds, ask: () => Promise<T>): Promise<T> {
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    await holds.release(error);
    throw error;
  }
  await holds.complete();
  return answer;
}
