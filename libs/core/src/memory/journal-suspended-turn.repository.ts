import type { ToolResponse } from '../model/messages.js';
import { ChatMemory } from './chat-memory.js';
import {
  type SuspendedTurn,
  SuspendedTurnRepository,
  type TurnChange,
  type TurnClaim,
  type TurnData,
} from './suspended-turn.repository.js';
import type { TurnEntry } from './turn-entry.js';
import { hasNotBegun, type JournaledTurn, type TurnFacts, type TurnJournal, type TurnStatus } from './turn-journal.js';
import { type KnownTurn, TurnState } from './turn-state.js';
import { checkEntriesAreKnown } from './unknown-entries.js';

/** The most turns to read for one call id. Ids of some providers are not unique. */
const MAX_FOUND = 100;

/** The turns of a {@link TurnJournal} that another request can continue. */
export class JournalSuspendedTurnRepository extends SuspendedTurnRepository {
  constructor(private readonly journal: TurnJournal) {
    super();
  }

  async save(turn: SuspendedTurn): Promise<void> {
    const { revision: _revision, claim: _claim, ...record } = turn;
    const known = await this.journal.read(turn.id);
    const change = {
      revision: String(known?.entries.length ?? 0),
      entries: entriesOf(turn),
      status: 'suspended' as const,
      owner: known?.claim?.owner ?? crypto.randomUUID(),
      lease: undefined,
    };
    if ((await this.update(record, change)) === undefined)
      throw new Error(`The turn '${turn.id}' was not saved, since another request has changed it.`);
  }

  async findById(turnId: string): Promise<SuspendedTurn | undefined> {
    const turn = await this.journal.read(turnId);
    return turn && toSuspendedTurn(turn);
  }

  async findByToolCallId(toolCallId: string): Promise<readonly SuspendedTurn[]> {
    const found = await this.journal.find({ pendingCallId: toolCallId, limit: MAX_FOUND });
    const turns = await Promise.all(found.map(({ id }) => this.findById(id)));
    return turns.filter((turn) => turn !== undefined);
  }

  /** @throws ToolApprovalException if the turn has entries that this version does not know */
  async remove(turnId: string, revision: string): Promise<boolean> {
    const turn = await this.journal.read(turnId);
    const after = Number(revision);
    if (!turn || turn.status === 'ended' || turn.entries.length !== after) return false;
    const record = recordOf(turn);
    checkEntriesAreKnown(record);
    const facts: TurnFacts = { ...factsOf(record, 'ended'), pendingCallIds: [] };
    const owner = turn.claim?.owner ?? crypto.randomUUID();
    return this.journal.append({ turnId, entries: [{ kind: 'ended' }], after, owner, facts });
  }

  override async claim(turnId: string, revision: string, { owner, until }: TurnClaim): Promise<boolean> {
    return this.journal.claim(turnId, Number(revision), owner, Math.max(1, Date.parse(until) - Date.now()));
  }

  override async update(turn: TurnData, change: TurnChange): Promise<string | undefined> {
    const { entries, owner, lease, status } = change;
    const after = Number(change.revision);
    const facts = factsOf(turn, status);
    if (await this.journal.append({ turnId: turn.id, entries, after, owner, lease, facts }))
      return String(after + entries.length);
    // An append that reported a failure may have stored its entries.
    const current = await this.journal.read(turn.id);
    if (!current || current.claim?.owner !== owner || current.entries.length <= after) return undefined;
    const stored = current.entries.length;
    const left = entries.slice(stored - after);
    const isStored = await this.journal.append({ turnId: turn.id, entries: left, after: stored, owner, lease, facts });
    return isStored ? String(stored + left.length) : undefined;
  }
}

/** The turn as another request can continue it. Undefined if it has ended, or waits for a worker. */
export function toSuspendedTurn(turn: JournaledTurn): SuspendedTurn | undefined {
  return turn.status === 'ended' || hasNotBegun(turn) ? undefined : recordOf(turn);
}

/** A turn of any status, as an `ApprovalPolicy` sees it: one of a list has neither messages nor calls. */
export function recordOf(turn: KnownTurn): SuspendedTurn {
  const { claim, entries = [] } = turn;
  const { record, unknownEntry } = TurnState.of(turn);
  return {
    ...record,
    ...(unknownEntry !== undefined && { unknownEntry }),
    revision: String(entries.length),
    // The clocks of the store and of this process may differ.
    ...(claim && { claim: { owner: claim.owner, until: new Date(Date.now() + claim.remaining).toISOString() } }),
  };
}

/** What a turn is found by. */
export function factsOf({ requester, client, context, pending }: TurnData, status: TurnStatus): TurnFacts {
  const conversationId = context[ChatMemory.CONVERSATION_ID];
  return {
    status,
    ...(requester !== undefined && { requester }),
    ...(client !== undefined && { client }),
    ...(typeof conversationId === 'string' && { conversationId }),
    pendingCallIds: status === 'ended' ? [] : pending.map(({ id }) => id),
  };
}

/** The entries that lead to a turn as it was stored. */
function entriesOf(turn: SuspendedTurn): readonly TurnEntry[] {
  const { messages, options, context, response, round, usageByRound, toolCallCounts, pending, begun, inputs } = turn;
  const asked = messages.slice(0, -1);
  const responses = (messages.at(-1)?.responses ?? []) as readonly ToolResponse[];
  const from = asked.length - 1;
  return [
    { kind: 'begun', messages: asked.slice(0, -1), options, context },
    { kind: 'answered', from, messages: asked.slice(-1), response, round, usageByRound, toolCallCounts },
    ...responses.map((answer) => ({ kind: 'call-ended' as const, response: answer })),
    ...pending.flatMap((call) => {
      const approval = turn.approvals?.[call.id];
      return begun?.includes(call.id) ? [{ kind: 'call-began' as const, call, ...(approval && { approval }) }] : [];
    }),
    { kind: 'suspended', from, messages: asked.slice(-1), pending, context, ...(inputs && { inputs }) },
  ];
}
