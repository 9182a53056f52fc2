import { ChatMemory } from './chat-memory.js';
import {
  type SuspendedTurn,
  SuspendedTurnRepository,
  type TurnChange,
  type TurnClaim,
  type TurnData,
} from './suspended-turn.repository.js';
import { hasNotBegun, type JournaledTurn, type TurnFacts, type TurnJournal, type TurnStatus } from './turn-journal.js';
import { type KnownTurn, TurnState } from './turn-state.js';

/** The most turns to read for one call id. Ids of some providers are not unique. */
const MAX_FOUND = 100;

/** The turns of a {@link TurnJournal} that another request can continue. */
export class JournalSuspendedTurnRepository extends SuspendedTurnRepository {
  override readonly recordsAll = true;

  constructor(private readonly journal: TurnJournal) {
    super();
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

  async claim(turnId: string, revision: string, { owner, until }: TurnClaim): Promise<boolean> {
    return this.journal.claim(turnId, Number(revision), owner, Math.max(1, Date.parse(until) - Date.now()));
  }

  async save(turn: TurnData, change: TurnChange): Promise<string | undefined> {
    const { entries, owner, lease, status } = change;
    const after = Number(change.revision);
    const facts = factsOf(turn, status);
    if (await this.journal.append({ turnId: turn.id, entries, after, owner, lease, facts }))
      return String(after + entries.length);
    // An append that reported a failure may have stored its entries.
    const current = await this.journal.read(turn.id);
    if (!current || (current.claim?.owner ?? current.lapsedOwner) !== owner) return undefined;
    const stored = current.entries.length;
    const added = current.entries.slice(after);
    // Another writer with the same claim has added others.
    if (added.length === 0 || !added.every(({ kind }, at) => kind === entries[at]?.kind)) return undefined;
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
