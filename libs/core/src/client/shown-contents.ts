import type { CallApproval } from '../model/call-approval.js';
import type { ContentPlace, ContentRedactor } from '../model/content-redactor.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { TurnEvent } from '../model/turn-event.js';
import { NOT_SHOWN, redacted } from '../observability/redacted.js';
import { parseJson } from '@nestor-ai/schema';
import { toJsonText } from '../tool/result/to-json-text.js';

/** Redacts the contents of tool calls that are shown to someone. */
export class ShownContents {
  constructor(
    private readonly sink: ContentPlace['sink'],
    private readonly redactor: ContentRedactor | undefined,
  ) {}

  arguments(text: string, toolName: string): string {
    return this.#redacted(text, 'arguments', toolName);
  }

  result(text: string, toolName: string): string {
    return this.#redacted(text, 'result', toolName);
  }

  error(text: string, toolName: string, _isDenied: boolean): string {
    return this.#redacted(text, 'error', toolName);
  }

  /**
   * Redacts values: progress, which becomes part of the result, and results of the provider. They
   * are redacted as text and parsed again.
   */
  value(value: unknown, toolName: string): unknown {
    if (!this.redactor) return value;
    const text = toText(value);
    const shown = text === undefined ? NOT_SHOWN : this.#redacted(text, 'result', toolName);
    return typeof value === 'string' ? shown : (parseJson(shown) ?? shown);
  }

  #redacted(text: string, kind: ContentPlace['kind'], toolName: string): string {
    return redacted(this.redactor, text, { sink: this.sink, kind, toolName });
  }
}

/**
 * A call with redacted contents. Data of the provider is dropped, since it may contain anything.
 */
export function shownCall<Call extends Pick<ToolCall, 'id' | 'name'>>(call: Call, contents: ShownContents): Call {
  const { id, name, arguments: given } = call as Partial<ToolCall>;
  return { id, name, ...(given !== undefined && { arguments: contents.arguments(given, name!) }) } as Call;
}

/**
 * An event with redacted contents. They become text, since values may contain more than their text
 * shows.
 */
export function shownEvent<Event extends TurnEvent>(event: Event, contents: ShownContents): Event {
  const toolCall = shownCall(event.toolCall, contents);
  switch (event.type) {
    case 'tool-call':
      return { ...event, toolCall };
    case 'tool-progress':
      return { ...event, toolCall, value: contents.value(event.value, toolCall.name) };
    default: {
      const response = shownResponse(event.response, contents, event.isDenied ?? event.response.isDenied);
      const shown = { ...event, toolCall, response, result: response.responseData };
      return event.approval ? { ...shown, approval: shownApproval(event.approval, toolCall.name, contents) } : shown;
    }
  }
}

function shownApproval(approval: CallApproval, toolName: string, contents: ShownContents): CallApproval {
  const { modelArguments } = approval;
  if (modelArguments === undefined) return approval;
  return { ...approval, modelArguments: contents.arguments(modelArguments, toolName) };
}

function shownResponse(response: ToolResponse, contents: ShownContents, isDenied: true | undefined): ToolResponse {
  const { id, name, responseData, isError } = response;
  const text = isError ? contents.error(responseData, name, isDenied === true) : contents.result(responseData, name);
  return { id, name, responseData: text, ...(isError && { isError }) };
}

/** The value as text: itself or JSON. Undefined if it cannot be converted, for example because it is nested too deep. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return toJsonText(value);
  } catch {
    return undefined;
  }
}
