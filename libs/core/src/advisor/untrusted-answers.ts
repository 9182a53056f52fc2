import type { Generation } from '../model/chat-response.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { Prompt } from '../model/prompt.js';
import { scopeOf } from '../model/scoped-options.js';
import type { TurnScope } from '../model/turn-control.js';
import { asTrustedResponse, asUntrustedResponse, hasProviderResults, hasUntrusted } from '../model/untrusted.js';
import type { ChatClientResponse } from './chat-client-exchange.js';

/**
 * Whether the model reads untrusted content, or has read some earlier in this request. The scope
 * of the request remembers it.
 */
export function readsUntrusted({ messages, options }: Prompt): boolean {
  const scope = scopeOf(options);
  if (scope?.hasReadUntrusted) return true;
  const reads = hasUntrusted(messages);
  if (reads) scope?.readUntrusted();
  return reads;
}

/**
 * An answer or a chunk of one, marked as untrusted if the model has read untrusted content: before
 * it answered, or from tools of the provider while it answered.
 */
export function markedAnswer(response: ChatClientResponse, prompt: Prompt, isUntrusted: boolean): ChatClientResponse {
  if (isUntrusted) return marked(response);
  const { chatResponse } = response;
  if (!chatResponse?.results.some(isBasedOnProviderResults)) return response;
  if (trustsProviderTools(prompt.options)) return { ...response, chatResponse: asTrustedResponse(chatResponse) };
  scopeOf(prompt.options)?.readUntrusted();
  return marked(response);
}

function isBasedOnProviderResults({ output }: Generation): boolean {
  return hasProviderResults(output);
}

/** Results do not name their tools in the same way everywhere, so that all tools must be trusted. */
function trustsProviderTools(options: ChatOptions | undefined): boolean {
  const tools = options?.providerTools ?? [];
  return tools.length > 0 && tools.every(({ untrusted }) => untrusted === false);
}

/** The response, marked as untrusted. */
export function marked(response: ChatClientResponse): ChatClientResponse {
  if (!response.chatResponse) return response;
  const chatResponse = asUntrustedResponse(response.chatResponse);
  return chatResponse === response.chatResponse ? response : { ...response, chatResponse };
}

/**
 * The response, marked as untrusted if the model has read untrusted content in this request.
 * Advisors that create new messages, such as one that masks names, lose the mark.
 */
export function markedIn(scope: TurnScope, response: ChatClientResponse): ChatClientResponse {
  return scope.hasReadUntrusted ? marked(response) : response;
}
