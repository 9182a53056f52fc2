import type { TurnStatus } from '@nestor-ai/core';
import type { TurnQuery } from '@nestor-ai/turns';
import { toStored } from '../database/stored-text.js';
import { IS_UNCLAIMED, SUMMARY_COLUMNS } from './turn-journal.statements.js';

/** All of them, as the index begins with the status. */
const STATUSES: Readonly<Record<TurnStatus, 1>> = { queued: 1, running: 1, suspended: 1, failed: 1, ended: 1 };

/** The statement for a query, with only the conditions that it has, so that each can use an index. */
export function findTurns(turns: string, query: TurnQuery): { text: string; values: unknown[] } {
  const [conditions, values]: [string[], unknown[]] = [[], []];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const { id, status, requester, client, conversationId, pendingCallId, unchangedFor, changedBefore } = query;
  if (id !== undefined) conditions.push(`t.id = ${parameter(toStored(id))}`);
  if (query.isUnclaimed) conditions.push(IS_UNCLAIMED);
  if (requester !== undefined) conditions.push(`t.requester = ${parameter(toStored(requester))}`);
  if (client !== undefined) conditions.push(`t.client = ${parameter(toStored(client))}`);
  if (conversationId !== undefined) conditions.push(`t.conversation_id = ${parameter(toStored(conversationId))}`);
  if (pendingCallId !== undefined) {
    // The planner uses a partial index only if the statement repeats the condition of the index.
    conditions.push(`t.pending_call_ids <> '{}'`);
    conditions.push(`t.pending_call_ids @> ARRAY[${parameter(toStored(pendingCallId))}]`);
  }
  if (unchangedFor !== undefined)
    conditions.push(`t.changed_at <= now() - ${parameter(unchangedFor)}::float8 * interval '1 ms'`);
  if (changedBefore !== undefined) conditions.push(`t.changed_at < ${parameter(changedBefore)}::timestamptz`);
  const isSelective = [id, requester, conversationId, pendingCallId].some((value) => value !== undefined);
  const direction = query.isOldestFirst ? 'ASC' : 'DESC';
  // Turns that were stored by one statement changed at the same time.
  const most = parameter(Math.min(query.limit, Number.MAX_SAFE_INTEGER));
  const last = `ORDER BY t.changed_at ${direction}, t.id ${direction} LIMIT ${most}::bigint`;
  const select = (more: readonly string[]): string =>
    `SELECT t.* FROM ${turns} t WHERE ${['true', ...conditions, ...more].join(' AND ')} ${last}`;
  // The columns are computed for the turns of the result only.
  const text = (from: string): string => `SELECT ${SUMMARY_COLUMNS} FROM (${from}) t ${last}`;
  const statuses = status ?? (isSelective || client !== undefined ? undefined : Object.keys(STATUSES));
  if (!statuses) return { text: text(select([])), values };
  const wanted = `${parameter([...statuses])}::text[]`;
  if (isSelective) return { text: text(select([`t.status = ANY(${wanted})`])), values };
  // The last turns of each status are the last entries of the index, however many there are.
  const each = select(['t.status = s.status']);
  return {
    text: text(`SELECT t.* FROM unnest(${wanted}) AS s(status) CROSS JOIN LATERAL (${each}) t`),
    values,
  };
}
