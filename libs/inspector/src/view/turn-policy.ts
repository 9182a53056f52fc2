import { Injectable } from '@nestjs/common';
import { allowsAccess, type SuspendedTurn, type TurnAction } from '@nestor-ai/core';
import { HostApplication } from '../host-application.js';

/** Asks the `ApprovalPolicy` what a user of the page may do with a turn. */
@Injectable()
export class TurnPolicy {
  constructor(private readonly application: HostApplication) {}

  /** The subject that a request comes from. Undefined if unknown. */
  subjectOf(request: unknown): string | undefined {
    return this.application.principal.subjectOf(request);
  }

  async allows(action: TurnAction, turn: SuspendedTurn, request: unknown): Promise<boolean> {
    return allowsAccess(this.application.policy, { action, turn, caller: this.subjectOf(request), request });
  }
}
