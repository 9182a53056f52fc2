import type { ChatOptions } from '@nestor-ai/core';
import type { RecordedOptions } from './recorded-calls.js';

/** A copy without symbols, which lead to the request of the caller, and without what is no setting. */
export function keptOptions({ toolContext, ...given }: ChatOptions): RecordedOptions {
  const settings = Object.entries(given).filter(([key, value]) => key !== 'signal' && value !== undefined);
  return { ...Object.fromEntries(settings), ...(toolContext && { toolContext: primitivesOf(toolContext) }) };
}

function primitivesOf(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPrimitive = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(Object.entries(context).filter(([, value]) => isPrimitive(value)));
}
