/**
 * A handler returned a request, or an object with a request or a stream, in place of an answer. The message names what is missing,
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
