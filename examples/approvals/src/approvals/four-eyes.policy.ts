import { Injectable } from '@nestjs/common';
import { ApprovalPolicy, type TurnAccess } from '@nestor-ai/core';
import type { UserRequest } from '../auth/user.guard.js';

/** Approvers decide, but not about what they have asked for themselves. */
@Injectable()
export class FourEyesPolicy extends ApprovalPolicy {
  override authorize(access: TurnAccess) {
    const { action, turn, caller, request, approvals } = access;
    const isOwner = caller === turn.requester;
    const isApprover = (request as UserRequest).user?.isApprover === true;
    if (action === 'read') return isOwner || isApprover;
    if (action !== 'approve') return isOwner;
    // An approver who changes the arguments would decide about a request of their own.
    return isApprover && !isOwner && approvals.every((approval) => approval.arguments === undefined);
  }
}
