/**
 * The request has nothing for the model to answer: it has no message, only instructions, a blank
 * user message at the end, or a prompt that is not a text. The model was not called.
 *
 * `AiExceptionFilter` answers it with status 400, since such a value usually comes from the body
 * or the query of a request.
 */
export class EmptyPromptException extends TypeError {
  override readonly name = 'EmptyPromptException';
}
