import type { InputRequiredResult, InputResponses } from '@modelcontextprotocol/client';
import type { AskedInput, CallDialog } from './call-dialog.js';

/** What a call is sent with in addition, if it was interrupted by a question (protocol 2026-07-28). */
export interface RetryParams {
  readonly inputResponses?: InputResponses;
  readonly requestState?: string;
}

/** Whether a server answered a call with questions to the user (protocol 2026-07-28). */
export function isInputRequired(result: object): result is InputRequiredResult {
  return (result as { resultType?: unknown }).resultType === 'input_required';
}

/** The questions of a result. None if the server only wants to be asked again later. */
export function readInputRequired({ inputRequests, requestState }: InputRequiredResult): AskedInput {
  const questions = Object.entries(inputRequests ?? {}).map(([id, request]) => {
    const { method, params } = (request ?? {}) as { method?: unknown; params?: unknown };
    return { id, method, params };
  });
  return { questions, protocol: 2026, ...(requestState !== undefined && { requestState }) };
}

/** How the answers of a dialog are sent. */
export function toRetryParams({ protocol, answers, requestState }: CallDialog): RetryParams {
  if (protocol !== 2026) return {};
  return {
    inputResponses: Object.fromEntries(answers.map(({ id, result }) => [id, result])),
    ...(requestState !== undefined && { requestState }),
  };
}
