import { Observable } from 'rxjs';

/**
 * A handler returned a request or a stream in place of an answer. The message names what is missing,
 * and nothing else.
 *
 * `AiExceptionFilter` answers with this message, and logs it. Without the filter, Nest logs it.
 */
export class ReturnedRequestException extends TypeError {
  override readonly name = 'ReturnedRequestException';
}

/** A request as JSON, which Nest makes of what a handler returns. Without this, it is a cycle in the container. */
export function refuseJson(missing: string): never {
  throw new ReturnedRequestException(
    `A request was returned or made JSON, but not its answer. Add ${missing} to the request, for example ` +
      "return { answer: await chatClient.prompt('Hi').call().content() }.",
  );
}

/**
 * Refuses a stream of parts that a route without `@Sse()` returns: Nest would send the last part alone.
 * Production skips the look at the stack. Behind interceptors, Nest subscribes later, so it finds nothing.
 */
export function refuseRouteWithoutSse(): void {
  if (process.env.NODE_ENV === 'production') return;
  const caller = { stack: '' };
  const { stackTraceLimit } = Error;
  // Frames of Nest's operators lie between. `Reflect.set()` lets a frozen `Error` be.
  Reflect.set(Error, 'stackTraceLimit', 50);
  Error.captureStackTrace(caller, Observable.prototype.subscribe);
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  if (!caller.stack.includes('RouterResponseController.transformToResult')) return;
  throw new ReturnedRequestException(
    'A route without @Sse() returned a stream, of which Nest sends only the last part. Write @Sse() in place of ' +
      '@Get(), add an empty @Sse() below @Post(), or return chatClient.prompt(…).call().content().',
  );
}
