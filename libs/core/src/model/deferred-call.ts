import { ToolInputRequiredException } from './tool-input-request.js';

/** The result of a call, or the error that the model reads, which came after the code had ended. */
export type DeliveredResult = { readonly result: unknown } | { readonly error: string };

/**
 * Thrown by `ToolContext.defer()`, and for tools that run as jobs. The call waits for its result,
 * as others wait for input.
 */
export class DeferredCallException extends ToolInputRequiredException {
  /** @param queue the queue of the job that runs the code. Undefined: the result comes from outside */
  constructor(readonly queue?: string) {
    super({ message: 'The result comes later.' }, 'result');
  }
}
