import { isToolAdvisor } from '../advisor/advisor.js';
import type { ChatClientRequest } from '../advisor/chat-client-exchange.js';
import { forManyListeners } from '../model/aborts.js';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import { type Message, SystemMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { RECORDS_TURNS, type TurnControl, type TurnScope } from '../model/turn-control.js';
import { REQUEST_SCOPE, RequestScope } from '../model/request-scope.js';
import { scopeOf } from '../model/scoped-options.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { TurnHolds } from '../model/turn-hold.js';
import type { ChatClientRequestSettings, ChatClientSettings } from './chat-client-settings.js';
import { providerToolsOf } from './provider-tools.js';
import { NO_TEXT, renderTemplate, spoken } from './prompt-text.js';
import { checkSpoken } from './request-checks.js';

/**
 * Combines the settings of a request and its client into the request for the chain.
 *
 * @throws EmptyPromptException if there is no message to answer
 */
export function toRequest(
  settings: ChatClientRequestSettings,
  toolCallbacks: readonly ToolCallback[],
): ChatClientRequest {
  return {
    prompt: Prompt.of(messagesOf(settings), optionsOf(settings, toolCallbacks)),
    context: { ...settings.advisorParams },
  };
}

function messagesOf(settings: ChatClientRequestSettings): readonly Message[] {
  const { system, messages, user, templateRenderer, toolApprovals } = settings;
  // A request that resumes a turn has no new messages.
  if (toolApprovals) return [];
  if (system === NO_TEXT && user === NO_TEXT) return checkSpoken(messages);
  const render = templateRenderer ?? renderTemplate;
  return checkSpoken([...spoken(system, render, SystemMessage), ...messages, ...spoken(user, render, UserMessage)]);
}

function optionsOf(settings: ChatClientRequestSettings, toolCallbacks: readonly ToolCallback[]): ChatOptions {
  const { chatModel, runtime, options, requestOptions, callerRequest, toolApprovals, suspendedTurnId } = settings;
  const given = options || requestOptions ? mergeChatOptions(options, requestOptions) : undefined;
  const merged = mergeChatOptions(chatModel.defaultOptions, given);
  const hasDefaults = chatModel.defaultOptions && Object.keys(chatModel.defaultOptions).length > 0;
  // An advisor may call another client with the prompt of its own request.
  const outer = scopeOf(merged);
  const scope: TurnScope = new RequestScope<TurnControl>(
    callerRequest ?? outer?.callerRequest,
    hasDefaults ? unspoken(chatModel.defaultOptions, given) : undefined,
    runtime.services ?? outer?.services,
  );
  const made: { -readonly [Key in keyof ChatOptions]: ChatOptions[Key] } = {
    ...merged,
    toolCallbacks,
    toolContext: toolContextOf(settings),
    [REQUEST_SCOPE]: scope,
  };
  if (outer) {
    // The approvals of the outer request do not apply to this one.
    delete made.toolApprovals;
    delete made.suspendedTurnId;
  }
  // They have been resolved to callbacks.
  if (made.toolNames) delete made.toolNames;
  const providerTools = providerToolsOf(settings);
  if (providerTools) made.providerTools = providerTools;
  else if (made.providerTools) delete made.providerTools;
  // Models and tools add listeners to it, for as many requests as the caller sends.
  if (made.signal) forManyListeners(made.signal);
  if (toolApprovals) made.toolApprovals = toolApprovals;
  if (toolApprovals || scope.services?.get(RECORDS_TURNS)) scope.holds = new TurnHolds();
  if (settings.continued) scope.continued = settings.continued;
  if (suspendedTurnId !== undefined) made.suspendedTurnId = suspendedTurnId;
  return made;
}

/**
 * The default options of a model, if client and request do not set any. The model may be the same.
 */
function unspoken(defaults: ChatOptions, given: ChatOptions = {}): ChatOptions {
  const entries = Object.entries(defaults).filter(([key]) => given[key as keyof ChatOptions] === undefined);
  return Object.fromEntries(entries);
}

/** Options of the request override those of the client, which override those of the model. */
export function toolContextOf(settings: ChatClientRequestSettings): Readonly<Record<string, unknown>> {
  const { chatModel, options, toolContext, requestOptions, requestToolContext } = settings;
  const ofModel = chatModel.defaultOptions?.toolContext;
  if (!ofModel && !options?.toolContext && !requestOptions?.toolContext && !requestToolContext) return toolContext;
  return {
    ...ofModel,
    ...options?.toolContext,
    ...toolContext,
    ...requestOptions?.toolContext,
    ...requestToolContext,
  };
}

/** The settings of a client whose defaults are the settings of a request. */
export function asClientSettings(request: ChatClientRequestSettings): ChatClientSettings {
  const { advisors, requestAdvisors, requestTools, requestOptions, options } = request;
  const { toolContext: _context, ...merged } = mergeChatOptions(options, requestOptions);
  // The tools of the request replace all others, and so does its loop.
  if (requestTools) {
    delete (merged as { toolCallbacks?: unknown }).toolCallbacks;
    delete (merged as { toolNames?: unknown }).toolNames;
    delete (merged as { providerTools?: unknown }).providerTools;
  }
  const others = requestAdvisors.some(isToolAdvisor) ? advisors.filter((advisor) => !isToolAdvisor(advisor)) : advisors;
  // What only a request has stays unread: a new request takes the settings of its client one by one.
  return {
    ...request,
    options: merged,
    tools: Object.freeze(requestTools ?? request.tools),
    toolContext: toolContextOf(request),
    advisors: Object.freeze([...others, ...requestAdvisors]),
  };
}
