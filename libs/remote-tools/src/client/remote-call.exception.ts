/**
 * A service did not answer a call of one of its tools. The message is intended for the model.
 */
export class RemoteCallException extends Error {
  override readonly name = 'RemoteCallException';

  constructor(
    message: string,
    /** The name of the service. */
    readonly service: string,
    /** Whether the tool may have run. If false, it certainly did not. */
    readonly mayHaveRun: boolean,
  ) {
    super(message);
  }
}
