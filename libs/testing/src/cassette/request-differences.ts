import type { Json } from './cassette-content.js';

/** A place where two requests differ. A side is undefined if it has no such value. */
export interface RequestDifference {
  /** For example `messages[0].text`. */
  readonly path: string;
  readonly recorded: Json | undefined;
  readonly now: Json | undefined;
}

/** All places where two JSON values differ. Empty if they are equal. */
export function requestDifferences(recorded: unknown, now: unknown, path = ''): readonly RequestDifference[] {
  if (recorded === now) return [];
  if (!isObject(recorded) || !isObject(now) || Array.isArray(recorded) !== Array.isArray(now)) {
    return [{ path, recorded: recorded as Json | undefined, now: now as Json | undefined }];
  }
  // Not by index: every object has a `constructor`.
  const [before, after] = [new Map(Object.entries(recorded)), new Map(Object.entries(now))];
  const pathOf = (key: string) => (Array.isArray(now) ? `${path}[${key}]` : path ? `${path}.${key}` : key);
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => requestDifferences(before.get(key), after.get(key), pathOf(key)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const MAX_SHOWN = 20;
const MAX_LENGTH = 240;

/** The differences in words: each with its path, the recorded value and the current one. */
export function describeDifferences(differences: readonly RequestDifference[]): string {
  const shown = differences.slice(0, MAX_SHOWN).map(({ path, recorded, now }) => {
    const from = firstDifference(recorded, now);
    return `  ${path}\n    recorded: ${show(recorded, from)}\n    now:      ${show(now, from)}`;
  });
  const hidden = differences.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`  and ${hidden} more`] : [])].join('\n');
}

/** Where two long texts begin to differ, with some of what is before. */
function firstDifference(recorded: Json | undefined, now: Json | undefined): number {
  if (typeof recorded !== 'string' || typeof now !== 'string') return 0;
  let at = 0;
  while (at < recorded.length && recorded[at] === now[at]) at++;
  return Math.max(0, at - MAX_LENGTH / 4);
}

function show(value: Json | undefined, from: number): string {
  if (value === undefined) return '(none)';
  const text = typeof value === 'string' && from > 0 ? `…${JSON.stringify(value.slice(from))}` : JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text;
}
