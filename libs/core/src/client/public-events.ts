import { Logger } from '@nestjs/common';
import { ChatModelException, loggedMessageOf } from '../model/chat-model.exception.js';
import { FinishReason } from '../model/finish-reason.js';
import { DEFAULT_UI_SETTINGS } from '../model/ui-settings.js';
import type { TurnEvent } from '../model/turn-event.js';
import type { Usage } from '../model/usage.js';
import { errorTypeOf, framesOf } from '../model/error-type.js';
import { redacted } from '../observability/redacted.js';
import { toJsonText } from '../tool/result/to-json-text.js';
import { BROWSER_VIEW, BrowserContents, type ToolCallDisplay, type Viewed } from './browser-view.js';
import { httpAnswerOf, isLogged } from './http-answers.js';
import { ReturnedRequestException } from './returned-request.exception.js';
import type { ModelEvent } from './model-events.js';
import { type PublicModelEvent, toPublicModelEvent } from './public-model-events.js';
import type { ChatClientEvent } from './response-events.js';
import { shownCall, shownEvent } from './shown-contents.js';
import type { ContentRedactor } from '../model/content-redactor.js';
import { isJsonObject, type JsonSchema, parseJson } from '@nestor-ai/schema';
import type { ToolCall } from '../model/messages.js';
import type { ShownInputRequest } from '../model/tool-input-request.js';

/** The error text for browsers. The actual error may contain confidential data. */
const ANSWER_FAILED = 'The answer could not be completed.';

const logger = new Logger('ChatClient');

/**
 * Logs the kind and the stack of an error and returns the error text for a front end: what an HTTP
 * client would read, but of a model only that it failed. Throws mistakes of the code.
 */
export function tellOfFailure(error: unknown, errorText?: (error: unknown) => string): string {
  if (error instanceof ReturnedRequestException) throw error;
  const answer = httpAnswerOf(error);
  if (isLogged(error, answer))
    logger.error(`A streamed answer failed: ${loggedMessageOf(error) ?? errorTypeOf(error)}`, framesOf(error));
  try {
    const text: unknown = errorText?.(error);
    if (typeof text === 'string') return text;
  } catch (failure) {
    logger.error(`errorText() has failed: ${errorTypeOf(failure)}`, framesOf(failure));
  }
  return answer && !(error instanceof ChatModelException) ? answer.message : ANSWER_FAILED;
}

/** An event as it is sent to a browser. */
export type PublicEvent = Exclude<ChatClientEvent, ModelEvent> | PublicModelEvent;

const NOTHING_SAID: ToolCallDisplay = Object.freeze({});

/**
 * Removes from an event what only the application may see, and hides contents of tool calls as
 * configured.
 *
 * @returns undefined if a browser may not see the event
 */
export function toPublic(
  event: ChatClientEvent & Viewed,
  display: ToolCallDisplay = NOTHING_SAID,
): PublicEvent | undefined {
  const view = event[BROWSER_VIEW];
  switch (event.type) {
    case 'text': {
      const { type, text, round, toolName } = event;
      if (toolName === undefined) return event;
      return { type, text: redacted(view?.redactor, text, { sink: 'ui', kind: 'result', toolName }), round, toolName };
    }
    case 'tool-call':
    case 'tool-progress':
    case 'tool-result':
    case 'tool-error':
      return publicPart(shownEvent(event, new BrowserContents(event.ui, view, display)));
    case 'provider-tool-call':
    case 'provider-tool-result':
    case 'source':
    case 'file':
    case 'tool-input-delta':
      return toPublicModelEvent(event, view, display);
    case 'usage': {
      const { type, usage, usageByRound } = event;
      return { type, usage: publicUsage(usage), ...(usageByRound && { usageByRound: usageByRound.map(publicUsage) }) };
    }
    case 'finish': {
      const { type, finishReason, turnId, pendingApprovals, pendingUi, approvalTokens, untrusted } = event;
      const calls = pendingApprovals?.map((call) => ({
        ...shownCall(call, new BrowserContents(pendingUi?.[call.id], view, display)),
        ...shownInputRequest(call, view?.redactor),
        ...(call.deferred && { deferred: true as const }),
      }));
      return {
        type,
        ...(finishReason !== undefined && { finishReason }),
        ...(calls && { pendingApprovals: calls }),
        ...(turnId !== undefined && { turnId }),
        ...(approvalTokens && { approvalTokens }),
        ...(untrusted && { untrusted }),
      };
    }
    default:
      return event;
  }
}

/** Lists the properties explicitly. Further properties of events are only for the application. */
function publicPart(event: TurnEvent): PublicEvent {
  switch (event.type) {
    case 'tool-call':
      return { type: event.type, toolCall: event.toolCall };
    case 'tool-progress': {
      // Without this, a value that JSON does not support would be missing.
      const isInJson = !['undefined', 'function', 'symbol'].includes(typeof event.value);
      return { type: event.type, toolCall: event.toolCall, value: isInJson ? event.value : null };
    }
    default: {
      const { type, toolCall, result, response, isDenied } = event;
      return { type, toolCall, result, response, ...(isDenied && { isDenied }) };
    }
  }
}

function publicUsage({ native: _native, ...usage }: Usage): Usage {
  return usage;
}

/** Replaces values that JSON cannot represent, such as those nested a thousand levels deep. */
const UNSHOWABLE = 'A value that cannot be shown.';

/**
 * Converts values of tools and models to JSON. A value that cannot be converted is replaced by a
 * text, so that it does not end the stream.
 */
export function toSafeJson(given: object): string {
  try {
    return toJsonText(given);
  } catch {
    const values = ['value', 'input', 'output', 'result'].filter((key) => key in given);
    return toJsonText({ ...given, ...Object.fromEntries(values.map((key) => [key, UNSHOWABLE])) });
  }
}

/**
 * What a call asks its user for, as it is sent to a browser. It is redacted, but never hidden:
 * otherwise nobody could answer.
 */
function shownInputRequest(
  { name: toolName, inputRequest }: ToolCall,
  redactor: ContentRedactor | undefined,
): Pick<ToolCall, 'inputRequest'> {
  if (!inputRequest) return {};
  const shown = (text: string): string => redacted(redactor, text, { sink: 'ui', kind: 'result', toolName });
  const { message, schema, url } = inputRequest;
  const request: ShownInputRequest = {
    message: shown(message),
    ...(schema && { schema: redactor ? redactedSchema(schema, shown) : schema }),
    ...(url !== undefined && { url: shown(url) }),
  };
  return { inputRequest: request };
}

/** A schema that the redactor has made unreadable becomes a form without fields. */
function redactedSchema(schema: JsonSchema, shown: (text: string) => string): JsonSchema {
  const read = parseJson(shown(JSON.stringify(schema)));
  return isJsonObject(read) ? read : { type: 'object', properties: {} };
}

/**
 * Asks a browser for decisions about the calls of a turn, without their contents: what it may see of
 * them is not known.
 */
export function hiddenQuestion(
  turnId: string,
  pendingApprovals: readonly ToolCall[],
  redactor: ContentRedactor | undefined,
): PublicEvent {
  const view = { settings: DEFAULT_UI_SETTINGS, redactor };
  const finishReason = FinishReason.TOOL_APPROVAL_REQUIRED;
  const event = { type: 'finish', finishReason, turnId, pendingApprovals, [BROWSER_VIEW]: view } as const;
  return toPublic(event, { content: 'none' })!;
}
