import type { TurnEntry, TurnStatus } from '@nestor-ai/core';
import type { JournaledTurn, TurnAppend, TurnSummary } from '@nestor-ai/turns';
import { fromStored, toStored, toStoredId } from '../database/stored-text.js';

/** An append as one row of the statement that stores it. */
export interface AppendRow {
  readonly id: string;
  readonly after: number;
  readonly added: number;
  readonly owner: string;
  readonly lease: number | null;
  readonly status: TurnStatus;
  readonly requester: string | null;
  readonly client: string | null;
  readonly conversationId: string | null;
  readonly pending: string;
  /** The entries as a JSON array without its brackets, so that rows can be joined by commas. */
  readonly data: string;
}

/** @throws RangeError if a text is too long for an index */
export function toAppendRow({ turnId, entries, after, owner, lease, facts }: TurnAppend): AppendRow {
  const { status, requester, client, conversationId, pendingCallIds } = facts;
  return {
    id: toStoredId(turnId, 'turn id'),
    after,
    added: entries.length,
    owner: toStored(owner),
    lease: lease ?? null,
    status,
    requester: requester === undefined ? null : toStoredId(requester, 'requester'),
    client: client === undefined ? null : toStored(client),
    conversationId: conversationId === undefined ? null : toStoredId(conversationId, 'conversation id'),
    pending: toArray(pendingCallIds.map((id) => toStoredId(id, 'tool call id'))),
    data: JSON.stringify(entries).slice(1, -1),
  };
}

/** A turn as the database returns it: only texts. */
export interface TurnRow {
  readonly id: string;
  readonly status: string;
  readonly requester: string | null;
  readonly client: string | null;
  readonly conversation_id: string | null;
  readonly pending_call_ids: string;
  readonly changed_at: string;
  readonly unchanged_for: string;
  readonly owner: string | null;
  readonly remaining: string | null;
}

export function toSummary(row: TurnRow): TurnSummary {
  const { requester, client, conversation_id: conversationId, owner } = row;
  const remaining = Number(row.remaining);
  return {
    id: fromStored(row.id),
    status: row.status as TurnStatus,
    pendingCallIds: (JSON.parse(row.pending_call_ids) as string[]).map(fromStored),
    updatedAt: row.changed_at,
    unchangedFor: Number(row.unchanged_for),
    ...(requester !== null && { requester: fromStored(requester) }),
    ...(client !== null && { client: fromStored(client) }),
    ...(conversationId !== null && { conversationId: fromStored(conversationId) }),
    ...(owner !== null &&
      (remaining > 0 ? { claim: { owner: fromStored(owner), remaining } } : { lapsedOwner: fromStored(owner) })),
  };
}

export function toTurn(row: TurnRow & { readonly entries: string | null }): JournaledTurn {
  return { ...toSummary(row), entries: JSON.parse(`[${row.entries ?? ''}]`) as TurnEntry[] };
}

/** A list of texts as PostgreSQL writes an array: arrays of arrays cannot differ in length. */
function toArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
