import type { ToolResponse } from '../model/messages.js';
import type { ToolResult } from '../model/tool-result.js';
import type { TurnHold } from '../model/turn-hold.js';
import { waitOfCode } from '../tool/tool-execution.exception.js';
import { WAITS } from '../tool/tool-run.js';
import type { PipelineCall } from './pipeline-call.js';

/** Notes the start of the code of a call, and its end if the turn has ended before. */
export class CallNotes {
  constructor(
    private readonly hold: TurnHold,
    private readonly noted: PipelineCall,
    private readonly toResponse: (result: string | ToolResult) => ToolResponse,
  ) {}

  /** @throws Error if the call was stopped meanwhile */
  async began(): Promise<true> {
    const { call, changed, run } = this.noted;
    await this.hold.callBegins(changed ?? call);
    if (run.isGivenUp) this.hold.callWithdrawn(call.id);
    run.throwIfGivenUp();
    return true;
  }

  async follow<T extends string | ToolResult | typeof WAITS>(running: Promise<T>): Promise<T> {
    const { turn, run, call } = this.noted;
    const { hold } = this;
    const note = (result: string | ToolResult): void => hold.callEnded(this.toResponse(result));
    try {
      const result = await running;
      if (turn.isAborted && result !== WAITS) note(result);
      return result;
    } catch (error) {
      // Recording takes time. Nothing may start meanwhile.
      run.isGivenUp = true;
      // The turn is suspended with the call. Until then, it counts as one that may have run.
      const wait = waitOfCode(error);
      if (wait === 'result') throw error;
      if (wait || (turn.isAborted && run.tries === 0)) hold.callWithdrawn(call.id);
      else await this.#resultOfCode().then(note, () => this.#noteInterruption());
      throw error;
    }
  }

  /** Records the interruption when the code has ended. Until then, its effect is uncertain. */
  async #noteInterruption(): Promise<void> {
    const { run, call, changed } = this.noted;
    await run.closing;
    this.hold.callInterrupted(changed ?? call);
  }

  /** @throws Error if the code has no result that is not known yet */
  async #resultOfCode(): Promise<string | ToolResult> {
    const { run, turn, record, call } = this.noted;
    if (!run.code || !turn.isAborted) throw new Error(`The call of '${call.name}' failed.`);
    return record.convert(await run.code);
  }
}
