import type { SuspendedTurn } from '../../memory/suspended-turn.repository.js';
import type { ToolApproval } from '../../model/tool-approval.js';
import { askedOf } from '../suspension.js';
import { ToolApprovalException } from '../../model/tool-approval.exception.js';
import type { ApprovalPolicy, TurnAccess } from './approval-policy.js';
import type { ApprovalTokens } from './approval-tokens.js';

const WORDS: Readonly<Record<TurnAccess['action'], string>> = {
  approve: 'decide about calls of',
  answer: 'answer tools of',
  resume: 'resume',
  read: 'read',
  stop: 'cancel',
};

/**
 * @throws ToolApprovalException if the policy does not allow it; errors of the policy are rethrown
 */
export async function authorize(policy: ApprovalPolicy, access: TurnAccess): Promise<void> {
  const allowed: unknown = await policy.authorize(access);
  if (allowed === true) return;
  throw new ToolApprovalException(
    `The ApprovalPolicy does not allow this request to ${WORDS[access.action]} the turn '${access.turn.id}'. By default, ` +
      'only the subject that started the turn may do this: TurnPrincipal has to find it in .request(request). To allow ' +
      'others, provide your own ApprovalPolicy.',
    'forbidden',
  );
}

/**
 * If the application signs approvals, each decision needs its token.
 *
 * @returns whether each decision has a valid token
 * @throws ToolApprovalException if a token is missing, does not fit the call, or has expired
 */
export function checkTokens(
  turn: SuspendedTurn,
  approvals: readonly ToolApproval[],
  tokens: ApprovalTokens | undefined,
): boolean {
  for (const { toolCallId, token, arguments: given } of approvals) {
    if (!tokens) {
      if (token === undefined) continue;
      throw forbidden(
        `The decision about '${toolCallId}' has a token, but AiModule has no ApprovalTokens to verify it. Provide one.`,
      );
    }
    // The token covers what the call asks its user for, which only the pending call has.
    const call = [...turn.pending, ...(turn.phase ? [] : askedOf(turn).toolCalls)].find(({ id }) => id === toolCallId);
    const verdict = call ? tokens.verify(token, turn.id, call) : 'invalid';
    if (verdict === 'expired') {
      throw forbidden(
        `The token for the tool call '${toolCallId}' has expired. Create a new one with ApprovalTokens.sign().`,
      );
    }
    if (verdict === 'invalid') {
      throw forbidden(
        `The decision about '${toolCallId}' needs the token of this call: { toolCallId, approved, token }. The answer ` +
          'that asked for approval has it in its metadata, as approvalTokens.',
      );
    }
    if (given !== undefined) {
      throw forbidden(
        `The token for the tool call '${toolCallId}' only approves the model's arguments. Leave out 'arguments' of the ` +
          'decision.',
      );
    }
  }
  return tokens !== undefined && approvals.length > 0;
}

function forbidden(text: string): ToolApprovalException {
  return new ToolApprovalException(text, 'forbidden');
}
