import { closestMatch } from 'leven';
import { remembered } from '../model/remembered.js';
import type { ToolCallback } from '../model/tool-callback.js';

const looseIndexOf = remembered((callbacks: readonly ToolCallback[]) => {
  const names = new Map<string, string | null>();
  for (const { toolDefinition } of callbacks) {
    const key = bare(toolDefinition.name);
    // An ambiguous name matches no tool.
    names.set(key, names.has(key) ? null : toolDefinition.name);
  }
  return names;
}, Object.isFrozen);

/**
 * The name of the only tool that a misspelled name can mean: it differs in case, separators or a
 * prefix.
 */
export function findToolAlike(callbacks: readonly ToolCallback[] | undefined, name: unknown): string | undefined {
  if (!callbacks || typeof name !== 'string') return undefined;
  const index = looseIndexOf(callbacks);
  const key = bare(name.replace(PREFIX, ''));
  return key === '' ? undefined : (index.get(key) ?? index.get(bare(name)) ?? undefined);
}

/** The prefixes that some models put before the name of a function. */
const PREFIX = /^(functions?|tools?|default_api)[.:/]+/i;

function bare(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

/** The most names to list in a message to the model. */
const MAX_LISTED = 20;

/** The most characters of an unknown name to repeat to the model. */
const MAX_NAME = 64;

/** The text for a model that called an unknown tool. */
export function unknownToolText(given: unknown, offered: readonly string[]): string {
  const text = String(given ?? '');
  const name = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
  if (offered.length === 0) return `Unknown tool '${name}'. No tools are available.`;
  const nearest = closestMatch(name, [...offered], { maxDistance: Math.ceil(name.length / 2) });
  const hint = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
  const more = offered.length > MAX_LISTED ? `, and ${offered.length - MAX_LISTED} more` : '';
  return `Unknown tool '${name}'.${hint} Available tools: ${offered.slice(0, MAX_LISTED).join(', ')}${more}.`;
}
