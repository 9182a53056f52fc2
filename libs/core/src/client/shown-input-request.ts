import type { ContentRedactor } from '../model/content-redactor.js';
import { isJsonObject, type JsonSchema, parseJson } from '@nestor-ai/schema';
import type { ToolCall } from '../model/messages.js';
import type { ShownInputRequest } from '../model/tool-input-request.js';
import { redacted } from '../observability/redacted.js';

/**
 * What a call asks its user for, as it is sent to a browser. It is redacted, but never hidden:
 * otherwise nobody could answer.
 */
export function shownInputRequest(
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
