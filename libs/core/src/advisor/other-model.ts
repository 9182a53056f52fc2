import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import type { ChatModel } from '../model/chat-model.js';
import { Prompt } from '../model/prompt.js';
import { scopeOf } from '../model/scoped-options.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

/** Options of the request that apply to every model. */
const KEPT: ReadonlySet<string> = new Set(['toolCallbacks', 'toolContext', 'signal']);

/**
 * The request for another model than the client's: without the `model` option and the default
 * options of the client's model, with those of the other one.
 */
export function forOtherModel(request: ChatClientRequest, model: ChatModel): ChatClientRequest {
  const { messages, options } = request.prompt;
  const { model: _name, ...given } = options ?? {};
  const chosen: { -readonly [Key in keyof ChatOptions]: ChatOptions[Key] } = given;
  const defaults = (scopeOf(options)?.modelDefaults ?? {}) as ChatOptions;
  for (const key of Object.keys(defaults) as (string & keyof ChatOptions)[]) {
    if (!KEPT.has(key) && chosen[key] === defaults[key]) delete chosen[key];
  }
  return { ...request, prompt: Prompt.of(messages, mergeChatOptions(model.defaultOptions, chosen)) };
}

/**
 * The name that the request chooses a model with: its option `model`, unless that is only the
 * default option of the client's model.
 */
export function chosenModelOf({ prompt }: ChatClientRequest): string | undefined {
  const name = prompt.options?.model;
  if (name === undefined) return undefined;
  const defaults: ChatOptions | undefined = scopeOf(prompt.options)?.modelDefaults;
  return defaults?.model === name ? undefined : name;
}
