/**
 * The application is shutting down: a request came too late, or its turn had not ended when the time to drain was over. The request may be
 * made again, of another instance of the application.
 *
 * Its name is `AbortError`: models and tools find it as the reason of their `signal`.
 */
export class AiShutdownException extends DOMException {
  constructor() {
    super('The application is shutting down.', 'AbortError');
  }
}
