import {
  endTurn,
  isClaimedByAnother,
  type SuspendedTurn,
  SuspendedTurnRepository,
} from '../../memory/suspended-turn.repository.js';
import { TurnPrincipal } from '../../model/turn-principal.js';
import { goingOn } from '../resumption-checks.js';
import { ToolApprovalException } from '../../model/tool-approval.exception.js';
import { ApprovalPolicy, type TurnAction } from './approval-policy.js';
import { authorize } from './turn-authorization.js';

/**
 * Shows users the turns that wait for their approval and lets them cancel one, if the
 * `ApprovalPolicy` allows it. Inject it in the controllers that offer this.
 */
export class SuspendedTurns {
  constructor(
    private readonly repository: SuspendedTurnRepository,
    private readonly policy: ApprovalPolicy = new ApprovalPolicy(),
    private readonly principal: TurnPrincipal = new TurnPrincipal(),
  ) {}

  /**
   * Reads a suspended turn. It contains the whole conversation: show users only the part they
   * need.
   *
   * @param request the caller's request, such as an HTTP request; it identifies the caller
   * @throws ToolApprovalException if no such turn waits or the policy does not allow it
   */
  read(turnId: string, request: unknown): Promise<SuspendedTurn> {
    return this.#authorized(turnId, 'read', request);
  }

  /**
   * Cancels a suspended turn. No more of its tools run, and it is not added to the chat memory.
   *
   * @param request the caller's request, such as an HTTP request; it identifies the caller
   * @throws ToolApprovalException if no such turn waits, the policy does not allow it, the turn
   *   has been resumed, or some of its calls may have run
   */
  async stop(turnId: string, request: unknown): Promise<void> {
    const turn = await this.#authorized(turnId, 'stop', request);
    if (turn.begun?.length) {
      const calls = turn.pending.filter(({ id }) => turn.begun!.includes(id));
      throw new ToolApprovalException(
        `The turn '${turnId}' cannot be cancelled because some of its calls may have run. Decide about them with ` +
          'toolApprovals() first.',
        'uncertain',
        calls,
      );
    }
    if (isClaimedByAnother(turn) || !(await endTurn(this.repository, turn))) throw goingOn(turnId);
  }

  async #authorized(turnId: string, action: TurnAction, request: unknown): Promise<SuspendedTurn> {
    const turn = await this.repository.findById(turnId);
    if (!turn) throw new ToolApprovalException(`No turn '${turnId}' waits for approval.`, 'not-found');
    const caller = this.principal.subjectOf(request);
    await authorize(this.policy, { action, turn, caller, request, approvals: [], isSigned: false });
    return turn;
  }
}
