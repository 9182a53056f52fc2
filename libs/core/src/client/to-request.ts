import type { ChatClientRequest } from '../advisor/chat-client-exchange.js';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import type { Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { CALLER_REQUEST, TURN_CONTEXT } from '../model/turn-context.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';
import { renderTemplate } from './prompt-template.js';
import { NO_TEXT, toSystemMessage, toUserMessage } from './prompt-text-spec.js';

/** What goes down the chain, of everything that a request and its client say. */
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
  // Whoever goes on with a turn says nothing new.
  if (toolApprovals) return [];
  if (system === NO_TEXT && user === NO_TEXT) return messages;
  const render = templateRenderer ?? renderTemplate;
  return [...toSystemMessage(system, render), ...messages, ...toUserMessage(user, render)];
}

function optionsOf(settings: ChatClientRequestSettings, toolCallbacks: readonly ToolCallback[]): ChatOptions {
  const { chatModel, options, requestOptions, callerRequest, toolApprovals, suspendedTurnId } = settings;
  const given = mergeChatOptions(options, requestOptions);
  const made: Record<PropertyKey, unknown> = {
    ...mergeChatOptions(chatModel.defaultOptions, given),
    toolCallbacks,
    toolContext: toolContextOf(settings),
    // There from the beginning: an object that gets no further properties is copied faster in each round.
    [TURN_CONTEXT]: undefined,
  };
  // They are callbacks by now.
  if (made['toolNames'] !== undefined) delete made['toolNames'];
  if (callerRequest !== undefined) made[CALLER_REQUEST] = callerRequest;
  if (toolApprovals) made['toolApprovals'] = toolApprovals;
  if (suspendedTurnId !== undefined) made['suspendedTurnId'] = suspendedTurnId;
  return made;
}

/** The nearer to the request, the stronger: the model's defaults, the client's, the request's. */
function toolContextOf(settings: ChatClientRequestSettings): Readonly<Record<string, unknown>> {
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
