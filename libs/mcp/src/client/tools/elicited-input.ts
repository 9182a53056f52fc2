import { createHash } from 'node:crypto';
import type { ElicitRequest } from '@modelcontextprotocol/client';
import type { ElicitationHandler } from '../connection/mcp-session.js';
import type { ServerRefusal } from './call-failure.js';
import type { AskedInput, ServerAnswer, ServerQuestion } from './call-dialog.js';

/** The JSON-RPC error for input that the user has to give on a page first. */
const URL_ELICITATION_REQUIRED = -32_042;

const METHOD: ElicitRequest['method'] = 'elicitation/create';

/**
 * Answers a server of protocol 2025 that asks the user in the middle of a call: with what the user
 * has answered before, or else with `cancel`. The user is then asked, and the call is repeated.
 */
export class ElicitedInput {
  readonly #answers: ServerAnswer[];
  #question: ServerQuestion | undefined;

  constructor(answers: readonly ServerAnswer[]) {
    this.#answers = [...answers];
  }

  /** The first question without an answer. Later ones may depend on it. */
  get asked(): AskedInput | undefined {
    return this.#question && { questions: [this.#question], protocol: 2025 };
  }

  readonly answer: ElicitationHandler = async (params) => {
    if (this.#question) return { action: 'cancel' };
    const id = idOf(params);
    const at = this.#answers.findIndex((answer) => answer.id === id);
    if (at !== -1) return this.#answers.splice(at, 1)[0]!.result;
    this.#question = { id, method: METHOD, params };
    return { action: 'cancel' };
  };
}

/** The pages that the user has to open before a server of protocol 2025 runs a call. */
export function readPagesRequired({ code, data }: ServerRefusal): AskedInput | undefined {
  if (code !== URL_ELICITATION_REQUIRED) return undefined;
  const { elicitations } = (data ?? {}) as { elicitations?: unknown };
  const pages: readonly unknown[] = Array.isArray(elicitations) ? elicitations : [];
  const questions = pages.map((page) => {
    const { message, url } = (page ?? {}) as { message?: unknown; url?: unknown };
    const params = { mode: 'url', message: textOf(message), url: textOf(url) };
    return { id: idOf(params), method: METHOD, params };
  });
  return questions.length > 0 ? { questions, protocol: 2025 } : undefined;
}

/** Deep data has no JSON, since that would exceed the stack. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Two runs of a call ask the same question with the same words and the same form. */
function idOf(params: unknown): string {
  const { message, requestedSchema, url } = params as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify([message, requestedSchema, url]))
    .digest('base64url');
}
