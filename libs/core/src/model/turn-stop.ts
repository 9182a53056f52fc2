import type { FinishReason } from './finish-reason.js';

/** Ends a turn early, with what it has: the reason of an abort that is no failure. */
export class TurnStop extends Error {
  override readonly name = 'TurnStop';

  /**
   * @param message what the user is told; it becomes the end of the answer
   * @param finishReason why the answer ends
   * @param metadata of the generation
   */
  constructor(
    message: string,
    readonly finishReason: FinishReason | (string & {}),
    readonly metadata: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
