import { Injectable } from '@nestjs/common';
import { allowsAccess, ApprovalPolicy, type SuspendedTurn, type TurnAction, TurnPrincipal } from '@nestor-ai/core';

/** Asks the `ApprovalPolicy` what a user of the page may do with a turn. */
@Injectable()
export class TurnPolicy {
  constructor(
    private readonly policy: ApprovalPolicy,
    private readonly principal: TurnPrincipal,
  ) {}

  /** The subject that a request comes from. Undefined if unknown. */
  subjectOf(request: unknown): string | undefined {
    return this.principal.subjectOf(request);
  }

  async allows(action: TurnAction, turn: SuspendedTurn, request: unknown): Promise<boolean> {
    return allowsAccess(this.policy, { action, turn, caller: this.subjectOf(request), request });
  }
}
