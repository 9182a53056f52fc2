import { Logger, type LogLevel } from '@nestjs/common';
import type { CallApproval } from '../model/call-approval.js';
import type { ContentRedactor } from '../model/content-redactor.js';
import type { ToolCall } from '../model/messages.js';
import { errorTypeOf, idOrOther, nameOrOther, OTHER, placeOf } from '../model/error-type.js';
import { isA, ToolUnavailableException } from '../tool/tool-execution.exception.js';
import type { ToolCallOutcome } from '../model/tool-call-outcome.js';
import { errorForLog } from './error-text.js';

/** The outcomes to log as warnings. Everyday mistakes of models and users are logged at `debug`. */
const WARNED: ReadonlySet<ToolCallOutcome> = new Set([
  'error',
  'timeout',
  'limit_exceeded',
  'unknown_tool',
  'refused',
  'unavailable',
]);

/**
 * Whether a line would be logged. Nest 11 says that it logs nothing, not even fatal errors, while the
 * application has set no levels, and then logs everything.
 */
function isLogged(level: LogLevel): boolean {
  if (Logger.isLevelEnabled(level)) return true;
  return (
    !Logger.isLevelEnabled('fatal') && Logger['logLevels'] === undefined && Logger['staticInstanceRef'] !== undefined
  );
}

/**
 * Logs tool calls: failures at `warn`, everyday mistakes of models and users at `debug`, answers
 * at `verbose`. Never logs arguments, results or error messages, which may contain confidential
 * data. Only with `NODE_ENV=development`, it also logs the messages and stacks of errors, and the names of
 * unknown tools.
 */
export class ToolCallLog {
  readonly #logger = new Logger('ToolCalls');
  #hasHinted = false;

  /** Logs a call that failed or did not run. */
  failed(
    { id, name }: ToolCall,
    outcome: ToolCallOutcome,
    error: unknown,
    approval?: CallApproval,
    redactor?: ContentRedactor,
  ): void {
    // The component that detected the failure has already logged it.
    const isTold = isA(error, ToolUnavailableException);
    const level = WARNED.has(outcome) && !isTold ? 'warn' : 'debug';
    if (!isLogged(level)) return;
    // A name that the model has made up is text of the model.
    const isHidden = outcome === 'unknown_tool' && process.env['NODE_ENV'] !== 'development';
    const tool = isHidden ? OTHER : nameOrOther(name);
    const isCode = error !== undefined && (outcome === 'error' || outcome === 'unavailable');
    const shown = isCode && process.env['NODE_ENV'] === 'development' ? errorForLog(error, redactor, tool) : undefined;
    const where = isCode ? ` with ${errorTypeOf(error)} ${placeOf(error) ?? ''}`.trimEnd() : '';
    const why = shown === undefined ? `${where}${isCode ? this.#hint() : ''}` : `: ${shown}`;
    const text = isHidden
      ? 'The model asked for an unknown tool and was told which tools there are'
      : `The tool '${tool}' ${WORDS[outcome]}${why}`;
    this.#logger[level](text, {
      tool,
      callId: idOrOther(id),
      outcome,
      ...(error !== undefined && { errorType: errorTypeOf(error) }),
      ...(approval && factsOf(approval)),
    });
  }

  /** How a developer gets to know more, once. `nest new` leaves `NODE_ENV` unset. */
  #hint(): string {
    if (this.#hasHinted || process.env['NODE_ENV']) return '';
    this.#hasHinted = true;
    return '. With NODE_ENV=development, this line has the message and the stack';
  }

  /** Logs an answered call. */
  answered({ id, name }: ToolCall, approval?: CallApproval): void {
    if (isLogged('verbose')) {
      this.#logger.verbose(`The tool '${nameOrOther(name)}' answered`, {
        tool: nameOrOther(name),
        callId: idOrOther(id),
        ...(approval && factsOf(approval)),
      });
    }
  }
}

/** The approver of a call, and whether its arguments were changed. */
function factsOf({ approver, modelArguments }: CallApproval): object {
  return { ...(approver !== undefined && { approver }), argumentsChanged: modelArguments !== undefined };
}

const WORDS: Readonly<Record<ToolCallOutcome, string>> = {
  ok: 'answered',
  error: 'failed',
  timeout: 'took too long',
  invalid_arguments: 'got arguments that do not fit',
  unknown_tool: 'is unknown; the model was told which tools there are',
  limit_exceeded: 'was called too often in one turn',
  denied: 'was denied by a human',
  pending_approval: 'waits for approval. Of a ChatClient, chatResponse() has the turnId, and content() no text',
  input_required: 'waits for input of its user',
  deferred: 'waits for its result',
  rate_limited: 'is called too often',
  forbidden: 'was refused by a guard',
  refused: 'did not run: its calls cannot be undone, and the model had read untrusted content',
  unavailable: 'cannot be called',
  aborted: 'was aborted',
};
