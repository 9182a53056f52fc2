import type { Message } from './messages.js';

/** A copy of a message with more metadata. */
export function withMetadata<M extends Message>(message: M, added: Readonly<Record<string, unknown>>): M {
  const metadata = { ...message.metadata, ...added };
  return Object.assign(Object.create(Object.getPrototypeOf(message) as object) as M, message, { metadata });
}
