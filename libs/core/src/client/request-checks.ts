import { type Advisor, isMemoryAdvisor } from '../advisor/advisor.js';
import { AdvisorSpec } from '../advisor/advisor-collector.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import type { Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';
import { EmptyPromptException } from './empty-prompt.exception.js';

type AnyApproval = Partial<Readonly<Record<keyof ToolApproval, unknown>>>;

/** Splits the arguments of `advisors(…)` into advisors and context values. */
export function collectAdvisors(
  given: readonly (Advisor | readonly Advisor[] | ((spec: AdvisorSpec) => void))[],
): ReturnType<AdvisorSpec['collected']> {
  const spec = new AdvisorSpec();
  for (const item of given) {
    if (typeof item === 'function') item(spec);
    else spec.advisors(item);
  }
  return spec.collected();
}

/**
 * A client that sends an object instead of a text must not be able to write system messages.
 *
 * @throws EmptyPromptException for anything other than a text, a `Prompt` or nothing
 */
export function checkPrompt(prompt: unknown): void {
  if (prompt === undefined || prompt === null || typeof prompt === 'string' || Prompt.isPrompt(prompt)) return;
  throw new EmptyPromptException(
    `prompt() needs a text or a Prompt, but got ${Array.isArray(prompt) ? 'an array' : `a value of type ${typeof prompt}`}. ` +
      'If it comes from a request, validate the request. If you mean messages, use new Prompt(messages).',
  );
}

/** @throws TypeError unless every key has a value */
export function checkToolContext(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  for (const [key, value] of Object.entries(context)) {
    if (key === '') throw new TypeError('context key cannot be null or empty');
    if (value === undefined || value === null) {
      throw new TypeError(`context values cannot contain null elements, but '${key}' is ${String(value)}`);
    }
  }
  return context;
}

/** @throws ToolApprovalException if an approval has no call id or no decision, or a field has the wrong type */
export function checkApprovals(approvals: readonly ToolApproval[]): readonly ToolApproval[] {
  if (!Array.isArray(approvals))
    throw new ToolApprovalException('toolApprovals takes a list: [{ toolCallId, approved }].', 'invalid');
  for (const approval of approvals) {
    if (isApproval(approval)) continue;
    throw new ToolApprovalException(
      'Each of toolApprovals needs the toolCallId of the response that asked for approval, and approved: true or false. ' +
        'reason is a text, replay is true or false, input is an object, arguments are an object or a text.',
      'invalid',
    );
  }
  return approvals;
}

/** Browsers send what they like. */
function isApproval(value: unknown): boolean {
  const { toolCallId, approved, reason, replay, input, arguments: changed } = (value ?? {}) as AnyApproval;
  const isObject = typeof changed === 'object' && changed !== null && !Array.isArray(changed);
  return (
    typeof toolCallId === 'string' &&
    typeof approved === 'boolean' &&
    typeof (reason ?? '') === 'string' &&
    typeof (replay ?? false) === 'boolean' &&
    typeof (input ?? {}) === 'object' &&
    (changed === undefined || typeof changed === 'string' || isObject)
  );
}

/** @throws Error if a request that resumes a turn has a new message */
export function checkResumption({ toolApprovals, isSpoken }: ChatClientRequestSettings): void {
  if (!toolApprovals || !isSpoken) return;
  throw new Error(
    'A request with toolApprovals resumes a turn and cannot have a new message. Leave out prompt(text), user() and messages(), and ' +
      'send the message when the turn has ended.',
  );
}

/** @throws Error if the request has a conversation id but no memory */
export function checkRemembered(
  { isConversation }: ChatClientRequestSettings,
  { advisors }: { readonly advisors: readonly Advisor[] },
): void {
  if (!isConversation || advisors.some(isMemoryAdvisor)) return;
  throw new Error(
    'The request has .conversation(id), but memory is off. Turn it on with AiModule.forRoot({ memory: true }) or ' +
      'ai.chat.memory.enabled=true, or add a MessageChatMemoryAdvisor to the client or the request. To pass the id to advisors only, use ' +
      '.advisors((a) => a.param(ChatMemory.CONVERSATION_ID, id)).',
  );
}

/**
 * Refuses a request without a user message. Some providers would answer it, others would fail.
 *
 * @throws EmptyPromptException if there is nothing to answer
 */
export function checkSpoken(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLast(({ role }) => role !== 'system');
  if (!last) {
    throw new EmptyPromptException(
      'The request has no message. Add a text with prompt(text) or user(text), or messages. Instructions alone are not enough.',
    );
  }
  if (last.role === 'user' && last.text.trim() === '' && !last.media?.length) {
    throw new EmptyPromptException('The last message of the request is blank. A user message needs a text or media.');
  }
  return messages;
}
