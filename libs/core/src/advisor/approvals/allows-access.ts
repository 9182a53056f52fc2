import { HttpException } from '@nestjs/common';
import type { ApprovalPolicy, TurnAccess } from './approval-policy.js';
import { ToolApprovalException } from '../../model/tool-approval.exception.js';

/**
 * Asks an `ApprovalPolicy` whether a caller may read, stop or continue a turn. An exception with a
 * status below 500 is a refusal. Answer it as you answer for an unknown turn: any other answer would
 * tell that the turn exists.
 *
 * @throws the error of a policy that is broken
 */
export async function allowsAccess(
  policy: ApprovalPolicy,
  access: Pick<TurnAccess, 'action' | 'turn' | 'caller' | 'request'>,
): Promise<boolean> {
  try {
    const isAllowed: unknown = await policy.authorize({ ...access, approvals: [], isSigned: false });
    return isAllowed === true;
  } catch (error) {
    if (error instanceof ToolApprovalException || (error instanceof HttpException && error.getStatus() < 500))
      return false;
    throw error;
  }
}
