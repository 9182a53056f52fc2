import type { ToolCall } from '../model/messages.js';
import type { ToolContextInit } from '../model/tool-context.js';
import type { TurnControl } from '../model/turn-control.js';
import { uiOfRecord } from '../tool/tool-ui.js';
import type { ToolRecord } from '../tool/tool-record.js';
import { toUserInput } from './pending-inputs.js';
import type { PermittedCall } from './permitted-call.js';

/** The values of the tool's context for a call. */
export function contextInitOf({ batch, call, approval, input }: PermittedCall, record: ToolRecord): ToolContextInit {
  const { prompt, turn } = batch;
  const init: ToolContextInit = { toolCall: call, history: prompt.messages, turn };
  if (approval) init.approval = approval;
  if (input?.content) init.input = toUserInput(input);
  if (turn.isWatched) init.onProgress = progressListener(turn, call, record);
  return init;
}

/** A separate function: V8 allocates a context on each call of a function with closures. */
function progressListener(turn: TurnControl, { id, name }: ToolCall, record: ToolRecord): (value: unknown) => void {
  const toolCall = { id, name };
  const ui = uiOfRecord(record);
  return (value) => turn.emit({ type: 'tool-progress', toolCall, value, ...(ui && { ui }) });
}
