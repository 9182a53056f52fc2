import type { ChatOptions } from '@nestor-ai/core';
import type { RecordedOptions } from './recorded-calls.js';

/** A copy without symbols, which lead to the request of the caller, and without what is no setting. */
export function keptOptions(given: ChatOptions): RecordedOptions {
  const kept: Record<string, unknown> = {};
  for (const key in given) {
    if (key === 'signal' || key === 'toolContext') continue;
    const value = given[key as keyof ChatOptions];
    if (value !== undefined) kept[key] = value;
  }
  if (given.toolContext) kept['toolContext'] = primitivesOf(given.toolContext);
  return kept;
}

const NOTHING = Object.freeze({});

function primitivesOf(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let kept: Record<string, unknown> | undefined;
  for (const key in context) {
    const value = context[key];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      (kept ??= {})[key] = value;
  }
  return kept ?? NOTHING;
}
