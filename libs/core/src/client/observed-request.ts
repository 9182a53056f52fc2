import type { Observable } from 'rxjs';
import type { DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { ChatMemory } from '../memory/chat-memory.js';
import type { ChatOptions } from '../model/chat-options.js';
import { scopeOf } from '../model/scoped-options.js';
import { beginObservation } from '../observability/begin-observation.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import type { ObservedRequest } from '../observability/observation-convention.js';
import { observeRequest, observeRequestStream } from '../observability/observe-chain.js';
import type { RequestObservation } from '../observability/request-observation.js';

/** A client, as far as telemetry is concerned. */
export interface ObservedClient {
  /** Undefined for the client without a name. */
  readonly clientName?: string | undefined;
  readonly observability?: ObservabilityOptions | undefined;
}

/** Sends a request down the chain, observed where a telemetry SDK is registered. */
export function callObserved(
  chain: DefaultAdvisorChain,
  request: ChatClientRequest,
  client: ObservedClient,
): Promise<ChatClientResponse> {
  const observation = beginObservation(client.observability);
  if (!observation) return chain.nextCall(request);
  const { observed, options } = observe(chain, request, client, observation, false);
  return observeRequest(observation, observed, options, () => chain.nextCall(request));
}

/** As {@link callObserved}, in chunks. */
export function streamObserved(
  chain: DefaultAdvisorChain,
  request: ChatClientRequest,
  client: ObservedClient,
): Observable<ChatClientResponse> {
  const observation = beginObservation(client.observability);
  if (!observation) return chain.nextStream(request);
  const { observed, options } = observe(chain, request, client, observation, true);
  return observeRequestStream(observation, observed, options, chain.nextStream(request));
}

interface Observed {
  readonly observed: ObservedRequest;
  readonly options: ChatOptions;
}

/** Gives the request what observes it. */
function observe(
  chain: DefaultAdvisorChain,
  request: ChatClientRequest,
  { clientName }: ObservedClient,
  observation: RequestObservation,
  isStream: boolean,
): Observed {
  const { prompt, context } = request;
  const conversationId = context[ChatMemory.CONVERSATION_ID];
  const options = prompt.options ?? {};
  scopeOf(options)!.observation = observation;
  return {
    observed: {
      clientName,
      isStream,
      advisorNames: chain.advisorNames,
      toolNames: toolNamesOf(options),
      conversationId: typeof conversationId === 'string' ? conversationId : undefined,
    },
    options,
  };
}

/** How many tools a span names: thousands of them would say nothing. */
const MAX_NAMES = 100;

const NO_NAMES: readonly string[] = Object.freeze([]);
const toolNames = new WeakMap<object, readonly string[]>();

function toolNamesOf({ toolCallbacks }: ChatOptions): readonly string[] {
  if (!toolCallbacks || toolCallbacks.length === 0) return NO_NAMES;
  let names = toolNames.get(toolCallbacks);
  if (!names) {
    names = toolCallbacks
      .map(({ toolDefinition }) => toolDefinition.name)
      .sort()
      .slice(0, MAX_NAMES);
    // A list that its owner may change must not be answered from what was remembered.
    if (Object.isFrozen(toolCallbacks)) toolNames.set(toolCallbacks, names);
  }
  return names;
}
