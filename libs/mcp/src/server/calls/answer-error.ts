import type { OutsideAnswer, ToolInputException } from '@nestor-ai/core';
import { statusOf } from '@nestor-ai/core/internal';
import { INTERNAL_ERROR, INVALID_PARAMS, McpProtocolException } from '../protocol-error.js';

/** How many violations an error names. */
const MAX_NAMED = 20;

/** A method threw an error that says that the thing does not exist, such as `NotFoundException`. */
export class McpMissingException extends McpProtocolException {
  constructor(message: string) {
    super(INVALID_PARAMS, message);
  }
}

/** A guard refused the call. */
export class McpForbiddenException extends McpProtocolException {
  constructor(message: string) {
    super(INTERNAL_ERROR, message);
  }
}

/** The error for the client, from the answer of a method that failed. */
export function toProtocolException({
  response,
  error,
}: Extract<OutsideAnswer, { status: 'answered' }>): McpProtocolException {
  if (isInputException(error)) return new McpProtocolException(INVALID_PARAMS, violationsOf(error));
  // What it says depends on `ai.tools.error-exposure`.
  const { responseData: message } = response;
  switch (statusOf(error)) {
    case 400:
    case 422:
      return new McpProtocolException(INVALID_PARAMS, message);
    case 401:
    case 403:
      return new McpForbiddenException(message);
    case 404:
    case 410:
      return new McpMissingException(message);
    default:
      return new McpProtocolException(INTERNAL_ERROR, message);
  }
}

/** The exception may come from another copy of the core package. */
function isInputException(error: unknown): error is ToolInputException {
  return error instanceof Error && error.name === 'ToolInputException' && 'issues' in error;
}

function violationsOf({ issues, count }: ToolInputException): string {
  const more = count - Math.min(issues.length, MAX_NAMED);
  const named = issues.slice(0, MAX_NAMED).map(({ message }) => message);
  return `Invalid arguments: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
