import type { CallProblem } from '../wire/messages.js';

/** A call was not run. The message is for the calling application. */
export class CallRefusal extends Error {
  override readonly name = 'CallRefusal';

  constructor(
    readonly problem: CallProblem,
    message: string,
  ) {
    super(message);
  }
}
