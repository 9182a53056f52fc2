import type { Advisor } from '../advisor/advisor.js';
import { AdvisorSpec } from '../advisor/advisor-collector.js';
import { ToolApprovalException } from '../advisor/tool-approval.exception.js';
import type { Message } from '../model/messages.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';
import { EmptyPromptException } from './empty-prompt.exception.js';

/** Sorts what `advisors(…)` takes into advisors and values of their context. */
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

/** @throws ToolApprovalException when an approval does not say of which call it is, or what is decided */
export function checkApprovals(approvals: readonly ToolApproval[]): readonly ToolApproval[] {
  if (!Array.isArray(approvals))
    throw new ToolApprovalException('toolApprovals takes a list: [{ toolCallId, approved }].', 'invalid');
  for (const approval of approvals) {
    if (typeof approval?.toolCallId === 'string' && typeof approval.approved === 'boolean') continue;
    throw new ToolApprovalException(
      'Each of toolApprovals needs the toolCallId of the response that asked for approval, and approved: true or false.',
      'invalid',
    );
  }
  return approvals;
}

/** @throws Error when a request that goes on with a turn says something new */
export function checkResumption({ toolApprovals, isSpoken }: ChatClientRequestSettings): void {
  if (!toolApprovals || !isSpoken) return;
  throw new Error(
    'A request with toolApprovals goes on with a turn and cannot say anything else: leave prompt(text), user() and messages() out, ' +
      'and ask again when the turn has ended.',
  );
}

/**
 * Some providers answer instructions alone, and others refuse them. Whoever asks has said nothing in either case.
 *
 * @throws EmptyPromptException when there is nothing to answer
 */
export function checkSpoken(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLast(({ role }) => role !== 'system');
  if (!last) {
    throw new EmptyPromptException(
      'The request says nothing: give it a text with prompt(text) or user(text), or messages. Instructions alone are no question.',
    );
  }
  if (last.role === 'user' && last.text.trim() === '' && !last.media?.length) {
    throw new EmptyPromptException('The last message of the request is blank: a user message needs a text or media.');
  }
  return messages;
}
