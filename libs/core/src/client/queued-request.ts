import { fromMessageJson, jsonPart, type MessageJson, toMessageJson } from '../memory/message-json.js';
import { isDeepStrictEqual } from 'node:util';
import type { ChatClientRequest } from '../advisor/chat-client-exchange.js';
import { storedContextOf, storedOptionsOf } from '../advisor/suspension.js';
import { type ChatClientRequestSettings, flatten } from './chat-client-settings.js';
import { NO_TEXT } from './prompt-text.js';

/** A request as it waits for a worker, as plain JSON. */
export interface QueuedRequest {
  readonly messages: readonly MessageJson[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly toolContext: Readonly<Record<string, unknown>>;
  /** The names of the request's tools. Undefined: those of the client. */
  readonly tools?: readonly string[];
}

/**
 * The request as a worker can send it from another process.
 *
 * @throws TypeError that names what cannot be stored
 */
export function toQueuedRequest(
  settings: ChatClientRequestSettings,
  { prompt, context }: ChatClientRequest,
): QueuedRequest {
  const { requestTools, requestAdvisors, requestToolContext } = settings;
  if (requestAdvisors.length > 0)
    throw notStored('advisors of the request', 'Register them for the client: @RegisterAdvisor(), or in forFeature()');
  const tools = requestTools && flatten(requestTools);
  const unnamed = tools?.find((tool) => typeof tool !== 'string');
  if (unnamed !== undefined) throw notStored('tools that are not names', "Pass their names: .tools('name')");
  const toolContext = requestToolContext ?? {};
  checkJson('toolContext', toolContext);
  checkJson('advisor context', context);
  return {
    messages: prompt.messages.map(toMessageJson),
    options: storedOptionsOf(prompt.options),
    context: storedContextOf(context),
    toolContext: jsonPart(toolContext),
    ...(tools && { tools: tools as string[] }),
  };
}

/** The settings of a client's request with those of a queued one. */
export function withQueuedRequest(
  settings: ChatClientRequestSettings,
  request: QueuedRequest,
): ChatClientRequestSettings {
  return {
    ...settings,
    // The messages have the texts of the client.
    system: NO_TEXT,
    user: NO_TEXT,
    messages: request.messages.map(fromMessageJson),
    messageSource: undefined,
    requestOptions: request.options,
    requestToolContext: request.toolContext,
    requestTools: request.tools,
    advisorParams: { ...settings.advisorParams, ...request.context },
    isConversation: settings.isConversation,
    isSpoken: true,
  };
}

function checkJson(what: string, values: Readonly<Record<string, unknown>>): void {
  const kept = jsonPart(values);
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || isDeepStrictEqual(kept[key], value)) continue;
    throw notStored(
      `the value '${key}' of its ${what}, which is not JSON`,
      'Pass an id, and load the value in the tool',
    );
  }
}

function notStored(what: string, remedy: string): TypeError {
  return new TypeError(
    `enqueue() cannot store ${what}: another process runs the turn. ${remedy}, or send the request with call() or stream().`,
  );
}
