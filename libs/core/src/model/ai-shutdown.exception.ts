/**
 * The application is shutting down. Either the request came too late, or its turn did not finish
 * within the drain time. You can repeat the request on another instance of the application.
 *
 * Its name is `AbortError`. Models and tools find it as the `reason` of their `signal`.
 */
export class AiShutdownException extends DOMException {
  constructor() {
    super('The application is shutting down.', 'AbortError');
  }
}
