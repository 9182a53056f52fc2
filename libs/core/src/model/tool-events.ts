import type { ToolCallAnswer } from './tool-call-outcome.js';
import type { TurnEvent } from './turn-event.js';
import type { ToolCallRun, TurnObserver } from './turn-observer.js';

/** Tells a listener of the tool calls of a turn as events. */
export class ToolEvents implements TurnObserver {
  readonly readsUi = true;

  constructor(readonly emitted: (event: TurnEvent) => void) {}

  toolCalled({ toolCall, ui, isResumed }: ToolCallRun): void {
    if (!isResumed) this.emitted({ type: 'tool-call', toolCall, ...(ui && { ui }) });
  }

  toolProgress({ toolCall: { id, name }, ui }: ToolCallRun, value: unknown): void {
    this.emitted({ type: 'tool-progress', toolCall: { id, name }, value, ...(ui && { ui }) });
  }

  toolAnswered(
    { toolCall, ui }: Pick<ToolCallRun, 'toolCall' | 'ui'>,
    { response, changed = toolCall, approval }: Omit<ToolCallAnswer, 'outcome'>,
  ): void {
    this.emitted({
      type: response.isError ? 'tool-error' : 'tool-result',
      toolCall: changed,
      result: response.responseData,
      response,
      ...(response.isDenied && { isDenied: true as const }),
      ...(approval && { approval }),
      ...(ui && { ui }),
    });
  }
}
