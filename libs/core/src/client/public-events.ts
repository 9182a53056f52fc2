import { Logger } from '@nestjs/common';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import { errorTypeOf, framesOf } from '../observability/error-type.js';
import type { ChatClientEvent } from './response-events.js';

/** What is said of an answer that fails: its error may have what nobody outside should read. */
const ANSWER_FAILED = 'The answer could not be completed.';

const logger = new Logger('ChatClient');

/** What a front end is told of an answer that has failed; developers are told its class and place. */
export function tellOfFailure(error: unknown, errorText?: (error: unknown) => string): string {
  logger.error(`An answer has failed while it was streamed: ${errorTypeOf(error)}`, framesOf(error));
  return errorText?.(error) ?? ANSWER_FAILED;
}

/** The event without what is for the application alone. */
export function toPublic(event: ChatClientEvent): ChatClientEvent {
  switch (event.type) {
    case 'tool-call':
      return { ...event, toolCall: publicCall(event.toolCall) };
    case 'tool-result':
    case 'tool-error':
      return { ...event, toolCall: publicCall(event.toolCall), response: publicResponse(event.response) };
    case 'usage': {
      const { native: _native, ...usage } = event.usage;
      return { type: 'usage', usage };
    }
    case 'finish': {
      const { pendingApprovals, ...rest } = event;
      return { ...rest, ...(pendingApprovals && { pendingApprovals: pendingApprovals.map(publicCall) }) };
    }
    default:
      return event;
  }
}

function publicCall<Call extends Partial<ToolCall>>(call: Call): Call {
  if (call.providerMetadata === undefined && call.index === undefined) return call;
  const { providerMetadata: _provider, index: _index, ...shown } = call;
  return shown as Call;
}

function publicResponse({ id, name, responseData, isError }: ToolResponse): ToolResponse {
  return { id, name, responseData, ...(isError && { isError }) };
}
