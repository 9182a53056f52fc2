import { HttpStatus, type Type } from '@nestjs/common';
import { ConversationLockTimeoutException } from '../advisor/conversation-lock-timeout.exception.js';
import { StructuredOutputException } from '../advisor/structured-output/structured-output.exception.js';
import { ConversationIdException } from '../memory/chat-memory.js';
import { ConversationOwnerException } from '../memory/conversation-owner.exception.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { EmptyPromptException } from './empty-prompt.exception.js';
import { ReturnedRequestException } from './returned-request.exception.js';
import { AiShutdownException } from '../model/ai-shutdown.exception.js';
import { ChatModelException, retryAfterOf } from '../model/chat-model.exception.js';
import { ModelTimeoutException } from '../model/model-timeout.exception.js';

/**
 * The answer to an HTTP client. Contains nothing from the conversation and no details of the model
 * provider.
 */
export interface HttpAnswer {
  readonly status: HttpStatus;
  readonly message: string;
  /** After how many seconds the client may retry. */
  readonly retryAfter?: number;
}

interface HttpAnswerRule {
  readonly type: Type<Error>;
  readonly answer: (exception: never) => HttpAnswer;
}

const of = <E extends Error>(type: Type<E>, answer: (exception: E) => HttpAnswer) =>
  ({ type, answer }) as HttpAnswerRule;

const always = (type: Type<Error>, status: HttpStatus, message: string) => of(type, () => ({ status, message }));

/** The exceptions with an answer. The first match applies. */
export const HTTP_ANSWERS: readonly HttpAnswerRule[] = [
  always(EmptyPromptException, HttpStatus.BAD_REQUEST, 'The request has no message.'),
  always(ConversationIdException, HttpStatus.BAD_REQUEST, 'The request has no valid id of a conversation.'),
  of(ToolApprovalException, ({ problem }) => APPROVALS[problem]),
  always(AiShutdownException, HttpStatus.SERVICE_UNAVAILABLE, 'The application is shutting down.'),
  always(ConversationLockTimeoutException, HttpStatus.SERVICE_UNAVAILABLE, 'The conversation is busy.'),
  always(ConversationOwnerException, HttpStatus.NOT_FOUND, 'There is no such conversation, or you may not access it.'),
  of(ChatModelException, answerOfModel),
  always(StructuredOutputException, HttpStatus.BAD_GATEWAY, 'The model could not answer.'),
  // The text says what is missing in the code, and nothing about the request.
  of(ReturnedRequestException, ({ message }) => ({ status: HttpStatus.INTERNAL_SERVER_ERROR, message })),
];

/** The answer to the caller whose request has failed. Undefined for an error that is not ours. */
export function httpAnswerOf(exception: unknown): HttpAnswer | undefined {
  return HTTP_ANSWERS.find(({ type }) => exception instanceof type)?.answer(exception as never);
}

/**
 * Whether an answer is logged. What callers can act on, they could repeat until the log is full. A
 * shutdown has one line for all turns.
 */
export function isLogged(exception: unknown, answer: HttpAnswer | undefined): boolean {
  return !(exception instanceof AiShutdownException) && !(answer && answer.status < HttpStatus.INTERNAL_SERVER_ERROR);
}

const DECISION = 'Send the toolCallId of a call that waits, approved (true or false), and input if it asks for some.';

const APPROVALS: Readonly<Record<ToolApprovalException['problem'], HttpAnswer>> = {
  'not-found': { status: HttpStatus.NOT_FOUND, message: 'This tool call does not wait for approval.' },
  conflict: { status: HttpStatus.CONFLICT, message: 'The tool call has already been decided.' },
  uncertain: { status: HttpStatus.CONFLICT, message: 'A tool call may have run. Decide about it first.' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, message: 'The turn cannot be continued now.' },
  forbidden: { status: HttpStatus.FORBIDDEN, message: 'You may not decide about this tool call.' },
  invalid: { status: HttpStatus.BAD_REQUEST, message: DECISION },
};

/** The status codes of overloaded providers. 529 comes from Anthropic. */
const OVERLOADED: ReadonlySet<number | undefined> = new Set([429, 503, 529]);
const TIMED_OUT: ReadonlySet<number | undefined> = new Set([408, 504]);
const TIMEOUT_CODE = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

function answerOfModel(failure: ChatModelException): HttpAnswer {
  const { httpStatus, code = '' } = failure;
  if (failure instanceof ModelTimeoutException || TIMED_OUT.has(httpStatus) || TIMEOUT_CODE.test(code)) {
    return { status: HttpStatus.GATEWAY_TIMEOUT, message: 'The model did not answer in time.' };
  }
  const retryAfter = Math.ceil((retryAfterOf(failure) ?? Number.NaN) / 1000);
  const isKnown = Number.isSafeInteger(retryAfter);
  if (!isKnown && !OVERLOADED.has(httpStatus)) {
    return { status: HttpStatus.BAD_GATEWAY, message: 'The model could not answer.' };
  }
  return {
    status: HttpStatus.SERVICE_UNAVAILABLE,
    message: 'The model is not available now.',
    ...(isKnown && { retryAfter }),
  };
}
