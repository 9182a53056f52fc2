import type { JsonSchema, ToolCall } from '@nestor-ai/core';
import { type CallView, callViewOf } from './message-view.js';
import type { ShownContent } from './shown-content.js';

/** A call that waits for a human. */
export interface PendingCallView extends CallView {
  readonly effect: string;
  /** The call has begun, and its result comes later. It needs no approval. */
  readonly deferred?: true;
  /** Its process has died while it ran. */
  readonly mayHaveRun?: true;
  /** What the tool asks its user for. While contents are hidden, it has no form and no address. */
  readonly input?: { readonly message: string; readonly schema?: JsonSchema; readonly url?: string };
}

export function pendingCallViewOf(call: ToolCall, effect: string, shown: ShownContent): PendingCallView {
  const { name, inputRequest, deferred } = call;
  const view = { ...callViewOf(call, shown), effect, ...(deferred && { deferred }) };
  if (!inputRequest) return view;
  const { message, schema, url } = inputRequest;
  const input = {
    message: shown.text(message, 'result', name),
    ...(shown.isOn && schema && { schema: shownSchema(schema, name, shown) }),
    ...(shown.isOn && url !== undefined && { url: shown.text(url, 'result', name) }),
  };
  return { ...view, input };
}

/** A schema that the redactor has made unreadable becomes a form without fields. */
function shownSchema(schema: JsonSchema, toolName: string, shown: ShownContent): JsonSchema {
  try {
    return JSON.parse(shown.whole(JSON.stringify(schema), 'result', toolName)) as JsonSchema;
  } catch {
    return { type: 'object', properties: {} };
  }
}
