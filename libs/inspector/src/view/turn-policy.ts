import { Injectable } from '@nestjs/common';
import { allowsAccess, ApprovalPolicy, type SuspendedTurn, type TurnAction } from '@nestor-ai/core';
import { HostApplication } from '../host-application.js';
import { InspectorDoor } from '../http/inspector-door.guard.js';
import type { TurnAct } from './turn-view.js';

/** What the policy is asked. Others need only reading. */
const ACTIONS: Partial<Record<TurnAct, TurnAction>> = { decide: 'approve', continue: 'resume', stop: 'stop' };

/**
 * Asks the `ApprovalPolicy` what a user of the page may do with a turn. Unless the application has
 * its own, the developer reads all of them.
 */
@Injectable()
export class TurnPolicy {
  constructor(
    private readonly application: HostApplication,
    private readonly door: InspectorDoor,
  ) {}

  /** The subject that a request comes from. Undefined if unknown. */
  subjectOf(request: unknown): string | undefined {
    return this.application.principal.subjectOf(request);
  }

  async allows(action: TurnAction, turn: SuspendedTurn, request: unknown): Promise<boolean> {
    const { policy } = this.application;
    const isDefault = policy.constructor === ApprovalPolicy;
    if (action === 'read' && isDefault && this.door.isOfDeveloper(request as object)) return true;
    return allowsAccess(policy, { action, turn, caller: this.subjectOf(request), request });
  }

  /** Leaves out what the policy refuses. The user who began the turn keeps all: only a decision has signatures. */
  async among(acts: readonly TurnAct[], turn: SuspendedTurn, request: unknown): Promise<readonly TurnAct[]> {
    if (turn.requester === this.subjectOf(request)) return acts;
    const may = await Promise.all(acts.map((act) => !ACTIONS[act] || this.allows(ACTIONS[act], turn, request)));
    return acts.filter((_act, at) => may[at]);
  }
}
