import { Logger } from '@nestjs/common';
import { messageOf } from '../json/message-of.js';

/** The message for processes in which ajv cannot generate code. */
export const NO_CODE_GENERATION =
  'start Node.js without --disallow-code-generation-from-strings: Nestor generates code to validate arguments against ' +
  'their schemas';

const logger = new Logger('Tools');

/** A schema that passed the check at registration, but that ajv cannot compile. */
export class UnenforceableSchemaException extends Error {
  override readonly name = 'UnenforceableSchemaException';
  readonly #logged = new Set<string>();

  constructor(cause: unknown) {
    super(`its schema cannot be enforced (${cause instanceof EvalError ? NO_CODE_GENERATION : messageOf(cause)})`, {
      cause,
    });
  }

  /**
   * Returns the message for the model, and logs it once per tool, since every call fails in the
   * same way.
   */
  tell(toolName: string): string {
    const text = `The tool '${toolName}' cannot be called: ${this.message}`;
    if (!this.#logged.has(toolName)) logger.error(text);
    this.#logged.add(toolName);
    return text;
  }
}
