import type { AnyFinishReason } from './finish-reason.js';

/** Ends a turn early with the text so far. An abort reason that is not a failure. */
export class TurnStop extends Error {
  override readonly name = 'TurnStop';

  /**
   * @param message for the user; it becomes the end of the answer
   * @param finishReason why the answer ends
   * @param metadata of the generation
   */
  constructor(
    message: string,
    readonly finishReason: AnyFinishReason,
    readonly metadata: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
