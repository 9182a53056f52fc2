import type { Message } from './messages.js';

/** A copy of a message with more metadata. What is undefined is removed. */
export function withMetadata<M extends Message>(message: M, added: Readonly<Record<string, unknown>>): M {
  const all = Object.entries({ ...message.metadata, ...added }).filter(([, value]) => value !== undefined);
  const metadata = all.length === 0 ? undefined : Object.fromEntries(all);
  return Object.assign(Object.create(Object.getPrototypeOf(message) as object) as M, message, { metadata });
}
