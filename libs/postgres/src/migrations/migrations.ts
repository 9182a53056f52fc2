import { AUDIT_MIGRATION } from '../audit/audit.migration.js';
import { USAGE_MIGRATION } from '../budget/usage.migration.js';
import { TURN_EVENT_FENCES_MIGRATION, TURN_EVENTS_MIGRATION } from '../event-log/turn-events.migration.js';
import { TURN_JOURNAL_MIGRATION } from '../journal/turn-journal.migration.js';
import { TOOL_RATES_MIGRATION } from '../limits/tool-rates.migration.js';
import {
  CONVERSATION_OWNERS_MIGRATION,
  CONVERSATION_TURNS_MIGRATION,
  CONVERSATIONS_MIGRATION,
} from '../memory/conversations.migration.js';
import { SESSIONS_MIGRATION, VECTORS_MIGRATION } from '../tool-search/tool-search.migrations.js';
import type { Migration } from './migration.js';

/**
 * All migrations. The position is the version, from 1: only append.
 */
export const MIGRATIONS: readonly Migration[] = [
  CONVERSATIONS_MIGRATION,
  USAGE_MIGRATION,
  AUDIT_MIGRATION,
  VECTORS_MIGRATION,
  SESSIONS_MIGRATION,
  TURN_JOURNAL_MIGRATION,
  TOOL_RATES_MIGRATION,
  TURN_EVENTS_MIGRATION,
  TURN_EVENT_FENCES_MIGRATION,
  CONVERSATION_TURNS_MIGRATION,
  CONVERSATION_OWNERS_MIGRATION,
];
