/**
 * A tool of another service has failed. The message is what its service lets a model read.
 */
export class RemoteToolException extends Error {
  override readonly name = 'RemoteToolException';

  constructor(
    message: string,
    /** The name of the service. */
    readonly service: string,
  ) {
    super(message);
  }
}
