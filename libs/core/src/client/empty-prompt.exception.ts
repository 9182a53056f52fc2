/**
 * A request says nothing that a model could answer: it has no message, or none but instructions, or its last one is the user's and blank.
 * The model was not asked.
 *
 * `AiExceptionFilter` answers it with status 400, since what is blank mostly comes from a body or a query that is.
 */
export class EmptyPromptException extends TypeError {
  override readonly name = 'EmptyPromptException';
}
