import { HttpException, HttpStatus } from '@nestjs/common';
import { ToolRateLimitException, ToolTimeoutException, UntrustedContentException } from '@nestor-ai/core';
import { ToolInputException } from '@nestor-ai/schema';
import { ToolUnavailableException } from '@nestor-ai/core/internal';
import type { CallUpdate, SentFailure } from '../wire/messages.js';
import type { ServiceTool } from './service-directory.js';
import { RemoteCallException } from './remote-call.exception.js';
import { RemoteToolException } from './remote-tool.exception.js';

/** The error of a tool in another service, of the class that it would have here. */
export function toError({ service, announced: { name } }: ServiceTool, text: string, failure: SentFailure): Error {
  const { outcome, status, retryAfter = 0 } = failure;
  switch (outcome) {
    case 'invalid_arguments':
      return saying(text, new ToolInputException([{ path: '', message: text }]));
    case 'timeout':
      return saying(text, new ToolTimeoutException(name, 0));
    case 'rate_limited':
      return saying(text, new ToolRateLimitException(name, { calls: 1, interval: retryAfter }, retryAfter));
    case 'refused':
      return saying(text, new UntrustedContentException(name));
    case 'unavailable':
      return new ToolUnavailableException(new RemoteToolException(text, service), text);
    case 'forbidden':
      return new HttpException(text, status ?? HttpStatus.FORBIDDEN);
    default:
      return status === undefined ? new RemoteToolException(text, service) : new HttpException(text, status);
  }
}

/** The error of a call that a service did not run. */
export function toRefusal(tool: ServiceTool, { problem, message }: Extract<CallUpdate, { type: 'refused' }>): Error {
  const { service } = tool;
  const { name } = tool.announced;
  switch (problem) {
    case 'deadline':
      return saying(message, new ToolTimeoutException(name, 0));
    case 'not-approved':
      return new HttpException(message, HttpStatus.FORBIDDEN);
    case 'failed':
      return new RemoteToolException(message, service);
    case 'unavailable': {
      const text = `The service '${service}' shut down during the call of '${name}'. The call may have run.`;
      return new RemoteCallException(text, service, true);
    }
    default: {
      const text = `The service '${service}' did not run the call of '${name}'.`;
      const reason = new RemoteCallException(`${text} ${message}`, service, false);
      // How to configure the applications helps no model.
      return new ToolUnavailableException(reason, SHOWN.has(problem) ? reason.message : text);
    }
  }
}

/** The problems whose message helps a model. */
const SHOWN: ReadonlySet<string> = new Set(['unknown-tool', 'cancelled']);

/** The service has written the message already. */
function saying<E extends Error>(message: string, error: E): E {
  error.message = message;
  return error;
}
