import type { ChatClientRequest } from '../advisor/chat-client-exchange.js';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import type { Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { CALLER_REQUEST } from '../model/turn-context.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';
import { renderTemplate } from './prompt-template.js';
import { toSystemMessage, toUserMessage } from './prompt-text-spec.js';

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

function messagesOf({ system, messages, user, templateRenderer, toolApprovals }: ChatClientRequestSettings): Message[] {
  // Whoever goes on with a turn says nothing new.
  if (toolApprovals) return [];
  const render = templateRenderer ?? renderTemplate;
  return [...toSystemMessage(system, render), ...messages, ...toUserMessage(user, render)];
}

function optionsOf(settings: ChatClientRequestSettings, toolCallbacks: readonly ToolCallback[]): ChatOptions {
  const { chatModel, options, requestOptions, callerRequest, toolApprovals, suspendedTurnId } = settings;
  const given = mergeChatOptions(options, requestOptions);
  const { toolNames: _resolved, ...merged } = mergeChatOptions(chatModel.defaultOptions, given);
  return {
    ...merged,
    toolCallbacks,
    // The nearer to the request, the stronger: the model's defaults, the client's, the request's.
    toolContext: {
      ...chatModel.defaultOptions?.toolContext,
      ...options?.toolContext,
      ...settings.toolContext,
      ...requestOptions?.toolContext,
      ...settings.requestToolContext,
    },
    ...(callerRequest !== undefined && { [CALLER_REQUEST]: callerRequest }),
    ...(toolApprovals && { toolApprovals }),
    ...(suspendedTurnId !== undefined && { suspendedTurnId }),
  };
}
