import type {
  ClientCapabilities,
  InputRequest,
  InputRequiredResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { OutsideDecision, ToolCall } from '@nestor-ai/core';
import { CAPABILITIES } from '../input/client-input.js';

/** What a call waits for: an approval, or the answer to a question of the tool. */
type Question = 'approval' | 'input';

/** The longest arguments of a call that a user can approve, in characters: the user reads all. */
const MAX_SHOWN = 10_000;

/** The longest reason of a user, in characters. */
const MAX_REASON = 2000;

/** Characters that are invisible, or change the order in which text is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The form of an approval. */
const APPROVAL_FORM = {
  type: 'object',
  properties: {
    approved: { type: 'boolean', title: 'Approve' },
    reason: { type: 'string', title: 'Reason', description: 'Why you refuse the call' },
  },
  // Without a default, so that no client answers on its own.
  required: ['approved'],
};

/** The form of a question without fields: the user accepts or declines it. */
const EMPTY_FORM = { type: 'object', properties: {} };

/**
 * Whether the client can ask its user what a call waits for. A client of the 2025 protocol over
 * HTTP cannot: without a session, the server does not know what it can.
 */
export function canAskUser(server: Server, { mcpReq }: ServerContext, { inputRequest }: ToolCall): boolean {
  const ofRequest = Reflect.get(mcpReq.envelope ?? {}, CAPABILITIES) as ClientCapabilities | undefined;
  const { elicitation } = ofRequest ?? server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return false;
  if (inputRequest?.url !== undefined) return elicitation.url !== undefined;
  // An empty object means forms.
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Whether a question can show the user all that the call would do. */
export function canBeShown({ arguments: text, inputRequest }: ToolCall): boolean {
  return inputRequest !== undefined || text.length <= MAX_SHOWN;
}

/** Asks the user of the client what a call waits for. */
export function askUser(call: ToolCall, approvalId: string): InputRequiredResult {
  const question: Question = call.inputRequest ? 'input' : 'approval';
  const request = {
    method: 'elicitation/create',
    params: call.inputRequest ? inputOf(call.inputRequest) : approvalOf(call),
  };
  return {
    resultType: 'input_required',
    inputRequests: { [question]: request as InputRequest },
    requestState: approvalId,
  };
}

/** What the user has decided. Undefined if the request has no answer of the user. */
export function decisionIn({ mcpReq }: ServerContext): OutsideDecision | undefined {
  const { approval, input } = (mcpReq.inputResponses ?? {}) as Partial<Record<Question, UserAnswer | null>>;
  if (approval) {
    const { action, content } = approval;
    const reason = typeof content?.['reason'] === 'string' ? content['reason'].slice(0, MAX_REASON) : undefined;
    const approved = action === 'accept' && content?.['approved'] === true;
    return { approved, ...(reason !== undefined && !approved && { reason }) };
  }
  if (!input) return undefined;
  const approved = input.action === 'accept';
  return { approved, ...(approved && { input: input.content ?? {} }) };
}

interface UserAnswer {
  readonly action?: unknown;
  readonly content?: Readonly<Record<string, unknown>>;
}

function approvalOf({ name, arguments: text }: ToolCall): object {
  const shown = text.replace(INVISIBLE, toEscape);
  return { mode: 'form', message: `Approve the call of '${name}' with ${shown}?`, requestedSchema: APPROVAL_FORM };
}

/** The same character in JSON. */
function toEscape(character: string): string {
  return Array.from({ length: character.length }, (_none, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

function inputOf({ message, schema, url }: NonNullable<ToolCall['inputRequest']>): object {
  return url === undefined
    ? { mode: 'form', message, requestedSchema: schema ?? EMPTY_FORM }
    : { mode: 'url', message, url };
}
