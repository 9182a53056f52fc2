import { Injectable } from '@nestjs/common';
import { allowsAccess } from '../../advisor/approvals/allows-access.js';
import { ApprovalPolicy, type TurnAction } from '../../advisor/approvals/approval-policy.js';
import { authorize } from '../../advisor/approvals/turn-authorization.js';
import { goingOn } from '../../advisor/resumption-checks.js';
import { ChatMemory } from '../../memory/chat-memory.js';
import {
  endTurn,
  isClaimedByAnother,
  type SuspendedTurn,
  SuspendedTurnRepository,
} from '../../memory/suspended-turn.repository.js';
import type { ChatResponse } from '../../model/chat-response.js';
import type { ToolApproval } from '../../model/tool-approval.js';
import { ToolApprovalException } from '../../model/tool-approval.exception.js';
import { TurnPrincipal } from '../../model/turn-principal.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { ChatClients } from './chat-clients.js';

/**
 * Lets users see the turns that wait for a human, decide about their calls, and cancel one, as far as
 * the `ApprovalPolicy` allows it. Inject it in the controllers that offer this.
 */
@Injectable()
export class SuspendedTurns {
  constructor(
    private readonly repository: SuspendedTurnRepository,
    private readonly policy: ApprovalPolicy,
    private readonly principal: TurnPrincipal,
    private readonly clients: ChatClients,
  ) {}

  /**
   * Lists the turns that wait for a human and that the caller may read: first the caller's own, then
   * those of others. It has nothing of the conversation but the calls, so a controller may return it.
   *
   * @param request the caller's request, such as an HTTP request; it identifies the caller
   * @param limit how many turns to look at: of the caller, and of all. Those that changed last come
   *   first. Default: 100
   */
  async list(
    request: unknown,
    limit = 100,
  ): Promise<readonly Pick<SuspendedTurn, 'id' | 'requester' | 'client' | 'suspendedAt' | 'pending'>[]> {
    const caller = this.principal.subjectOf(request);
    const own = caller === undefined ? [] : await this.repository.findWaiting({ requester: caller, limit });
    const all = await this.repository.findWaiting({ limit });
    const known = new Map([...own, ...all].map((turn) => [turn.id, turn]));
    const isReadable = async (turn: SuspendedTurn): Promise<boolean> =>
      allowsAccess(this.policy, { action: 'read', turn, caller, request });
    const found = await Promise.all(
      [...known.values()].map(async (turn) => {
        // A list may have only what turns are found by. Do not load the conversations of strangers.
        const whole = (await isReadable(turn)) ? await this.repository.findById(turn.id) : undefined;
        return whole && !isClaimedByAnother(whole) && (await isReadable(whole)) ? whole : undefined;
      }),
    );
    return found.flatMap((turn) => {
      const pending = turn?.pending.filter(({ deferred }) => !deferred) ?? [];
      if (!turn || pending.length === 0) return [];
      const { id, requester, client, suspendedAt } = turn;
      return [
        {
          id,
          ...(requester !== undefined && { requester }),
          ...(client !== undefined && { client }),
          suspendedAt,
          pending,
        },
      ];
    });
  }

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
   * Decides about calls of a turn, and continues it with its client and in its conversation.
   * `chatClient.prompt().toolApprovals(…)` does the same for a streamed answer, or with tools that only
   * the first request had.
   *
   * @param decisions one for each decided call. The turn keeps waiting for the others
   * @param request the caller's request, such as an HTTP request; it identifies who decides
   * @returns the answer. Its `pendingApprovals` wait next
   * @throws ToolApprovalException if no such turn waits, the policy does not allow it, the decisions do
   *   not fit, or the application does not have the client of the turn
   */
  async decide(
    turnId: string,
    decisions: readonly ToolApproval[],
    request: unknown,
  ): Promise<ChatResponse | undefined> {
    const { client: name = DEFAULT_CHAT_CLIENT, context } = await this.#find(turnId);
    const client = this.clients.get(name);
    if (!client) {
      throw new ToolApprovalException(
        `The turn '${turnId}' belongs to the client '${name}', which this application does not have, or not as a singleton.`,
        'unavailable',
      );
    }
    const resumed = client.prompt().toolApprovals(decisions, { turnId }).request(request);
    const conversationId = context[ChatMemory.CONVERSATION_ID];
    if (typeof conversationId === 'string') resumed.conversation(conversationId);
    return resumed.call().chatResponse();
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
    const turn = await this.#find(turnId);
    const caller = this.principal.subjectOf(request);
    await authorize(this.policy, { action, turn, caller, request, approvals: [], isSigned: false });
    return turn;
  }

  async #find(turnId: string): Promise<SuspendedTurn> {
    const turn = await this.repository.findById(turnId);
    if (!turn) throw new ToolApprovalException(`No turn '${turnId}' waits for approval.`, 'not-found');
    return turn;
  }
}
