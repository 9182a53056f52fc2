import { Injectable } from '@nestjs/common';
import { allowsAccess, ApprovalPolicy, type TurnAction } from '../../advisor/approvals/approval-policy.js';
import { authorize } from '../../advisor/approvals/turn-authorization.js';
import { goingOn } from '../../advisor/resumption-checks.js';
import { ChatMemory } from '../../memory/chat-memory.js';
import {
  endTurn,
  isClaimedByAnother,
  type SuspendedTurn,
  SuspendedTurnRepository,
} from '../../memory/suspended-turn.repository.js';
import type { ChatClient } from '../../client/chat-client.js';
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
   * Lists turns that wait for a human and that the caller may read, those that changed last first. It has
   * nothing of the conversation but the calls, so a controller may return it. A turn of an unknown
   * user, or of a client that this application does not have, is not in the list.
   *
   * @param request the caller's request, such as an HTTP request; it identifies the caller
   * @param options `ofEveryone`: also the turns of others, for those who decide about them. Default:
   *   false. `limit`: how many turns to look at. Default: 100
   * @throws RangeError if the limit is not a whole number greater than 0
   */
  async list(
    request: unknown,
    { ofEveryone = false, limit = 100 }: { readonly ofEveryone?: boolean; readonly limit?: number } = {},
  ): Promise<readonly Pick<SuspendedTurn, 'id' | 'requester' | 'client' | 'suspendedAt' | 'pending' | 'begun'>[]> {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new RangeError(`limit must be a whole number greater than 0, but is ${String(limit)}.`);
    const { repository, policy } = this;
    const caller = this.principal.subjectOf(request);
    if (caller === undefined && !ofEveryone) return [];
    const known = await repository.findWaiting({ ...(!ofEveryone && { requester: caller! }), limit });
    const found = await Promise.all(
      known.map(async ({ id }) => {
        const turn = await repository.findById(id);
        // The id of a turn without a user is enough to decide about it, so no list has it.
        if (turn?.requester === undefined || isClaimedByAnother(turn) || !this.#clientOf(turn)) return undefined;
        return (await allowsAccess(policy, { action: 'read', turn, caller, request })) ? turn : undefined;
      }),
    );
    return found.flatMap((turn) => {
      const pending = turn?.pending.filter(({ deferred }) => !deferred) ?? [];
      if (!turn || pending.length === 0) return [];
      const { id, requester, client, suspendedAt, begun } = turn;
      return [{ id, requester: requester!, ...(client && { client }), suspendedAt, pending, ...(begun && { begun }) }];
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
   * `chatClient.prompt().toolApprovals(…)` does the same for a streamed answer, or with tools and
   * advisors that only the first request had.
   *
   * @param decisions one for each decided call, with its `token` if the application has
   *   `ApprovalTokens`. The turn keeps waiting for the others
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
    const turn = await this.#find(turnId);
    const client = this.#clientOf(turn);
    if (!client) {
      await this.#authorized(turnId, 'read', request);
      throw new ToolApprovalException(
        `The turn '${turnId}' belongs to '${turn.client}', which is no client of this application, or request-scoped. Decide ` +
          'about a call of a ToolCaller with its decide().',
        'unavailable',
      );
    }
    const resumed = client.prompt().toolApprovals(decisions, { turnId }).request(request);
    const conversationId = turn.context[ChatMemory.CONVERSATION_ID];
    // Not .conversation(id), which needs a memory.
    if (conversationId !== undefined)
      resumed.advisors((spec) => spec.param(ChatMemory.CONVERSATION_ID, conversationId));
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

  #clientOf({ client = DEFAULT_CHAT_CLIENT }: SuspendedTurn): ChatClient | undefined {
    return this.clients.get(client);
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
