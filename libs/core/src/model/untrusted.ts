import type { ChatResponse } from './chat-response.js';
import { type AssistantMessage, type Message, type ToolResponse, withMetadata } from './messages.js';
import type { ProviderToolCall, Source } from './provider-tool-call.js';

/**
 * Whether a message may contain text from strangers: it is marked, one of its responses is, or the
 * provider ran tools for it, such as a web search. `untrusted: false` in the metadata says that
 * the application trusts these tools of the provider.
 */
export function isUntrusted(message: Message): boolean {
  const mark = message.metadata?.['untrusted'];
  if (mark === true) return true;
  if (message.role === 'tool') return message.responses.some(isWrittenByStrangers);
  return message.role === 'assistant' && mark !== false && hasProviderResults(message);
}

/**
 * Whether the model read results of the provider's tools before it finished the message: results
 * of calls, or web pages. Documents do not count: the application gives them to the provider.
 */
export function hasProviderResults({ providerToolCalls, sources }: AssistantMessage): boolean {
  if (providerToolCalls?.some(hasResult)) return true;
  return sources !== undefined && sources.some(isWebPage);
}

function hasResult({ result, isError }: ProviderToolCall): boolean {
  return result !== undefined || isError === true;
}

function isWebPage({ type }: Source): boolean {
  return type === 'url';
}

/**
 * A separate function: every round checks all messages of the turn, and a closure for each would
 * be costly.
 */
function isWrittenByStrangers({ untrusted }: ToolResponse): boolean {
  return untrusted === true;
}

/** Whether a conversation may contain text from strangers. */
export function hasUntrusted(messages: readonly Message[]): boolean {
  return messages.some(isUntrusted);
}

/**
 * Marks a message that may contain text from strangers. `ChatClient` marks the answers of models
 * that have read such text. Mark a message yourself if it quotes a document.
 */
export function asUntrusted<M extends Message>(message: M): M {
  return isMarked(message) ? message : withMetadata(message, { untrusted: true });
}

/** Marks an answer whose tools of the provider the application trusts. */
function asTrusted(message: AssistantMessage): AssistantMessage {
  return hasProviderResults(message) ? withMetadata(message, { untrusted: false }) : message;
}

/** Advisors may remove the calls of an answer, so that only the metadata of an answer counts. */
function isMarked(message: Message): boolean {
  return message.role === 'assistant' ? message.metadata?.['untrusted'] === true : isUntrusted(message);
}

/** Marks all messages of a response. */
export function asUntrustedResponse(response: ChatResponse): ChatResponse {
  return response.results.every(({ output }) => isMarked(output)) ? response : withOutputs(response, asUntrusted);
}

/** Marks the messages of a response whose tools of the provider the application trusts. */
export function asTrustedResponse(response: ChatResponse): ChatResponse {
  return withOutputs(response, asTrusted);
}

function withOutputs(response: ChatResponse, mark: (output: AssistantMessage) => AssistantMessage): ChatResponse {
  return response.with({
    results: response.results.map((generation) => ({ ...generation, output: mark(generation.output) })),
  });
}
