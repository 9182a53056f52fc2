import { createHash } from 'node:crypto';

/** The longest name of a tool that all models accept. */
const MAX_NAME = 64;

/** The longest prefix, so that most of a tool's own name remains. */
const MAX_PREFIX = 32;

/** The prefix for the tools of a server: `github_`. */
export function toolPrefixOf(serverName: string): string {
  return `${toName(serverName, MAX_PREFIX - 1)}_`;
}

/**
 * A name that models accept for a tool of a server: up to 64 letters, digits, `_` and `-`, with room
 * for a prefix.
 */
export function toToolName(name: string, prefix: string): string {
  return toName(name, MAX_NAME - prefix.length);
}

function toName(name: string, maxLength: number): string {
  const clean = name.replace(/[^A-Za-z0-9_-]/g, '_');
  if (clean.length <= maxLength) return clean;
  // Two long names may start in the same way.
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${clean.slice(0, maxLength - hash.length - 1)}_${hash}`;
}
