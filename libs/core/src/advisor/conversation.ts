import { AsyncLocalStorage } from 'node:async_hooks';
import { ChatMemory } from '../memory/chat-memory.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { Message } from '../model/messages.js';
import { SerialQueue } from '../model/serial-queue.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

/** The conversations of each memory, whichever advisor works with it. */
const queues = new WeakMap<ChatMemory, SerialQueue>();

/** A turn's hold of its conversation. */
export class Hold {
  /** The turn has not ended. */
  isOpen = true;

  constructor(
    readonly memory: ChatMemory,
    readonly conversationId: string,
  ) {}
}

/** The holds of the turns around this code: a tool that asks in its own conversation must not wait for itself. */
const around = new AsyncLocalStorage<readonly Hold[]>();

/**
 * Waits until the turns that came before have ended.
 *
 * @returns lets the next one in
 */
export async function enterConversation(hold: Hold, signal: AbortSignal | undefined): Promise<() => void> {
  const { memory, conversationId } = hold;
  const isInside = around
    .getStore()
    ?.some((other) => other.isOpen && other.memory === memory && other.conversationId === conversationId);
  let queue = queues.get(memory);
  if (!queue) queues.set(memory, (queue = new SerialQueue()));
  const leave = isInside ? undefined : await queue.enter(conversationId, signal);
  return () => {
    hold.isOpen = false;
    leave?.();
  };
}

/** Runs something as part of a turn that holds its conversation. */
export function within<T>(hold: Hold, run: () => T): T {
  return around.run([...(around.getStore() ?? []).filter(({ isOpen }) => isOpen), hold], run);
}

/** @throws TypeError saying how to name the conversation */
export function conversationIdOf({ context }: ChatClientRequest): string {
  const id = context[ChatMemory.CONVERSATION_ID];
  if (typeof id === 'string' && id.trim() !== '') return id;
  throw new TypeError(
    `conversationId cannot be null: the memory has to know which conversation a request belongs to, but the context has ` +
      `${id === undefined ? 'none' : JSON.stringify(id)}. Add .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, id)).`,
  );
}

/** What a turn adds to a conversation: everything since the user spoke last. */
export function newMessages(messages: readonly Message[]): readonly Message[] {
  const spoken = messages.filter(({ role }) => role !== 'system');
  return spoken.slice(
    Math.max(
      0,
      spoken.findLastIndex(({ role }) => role === 'user'),
    ),
  );
}

/** What the model has said, as it is remembered. */
export function answersOf(response: ChatResponse | undefined): readonly Message[] {
  const outputs = response?.results.map(({ output }) => output) ?? [];
  return outputs.filter(({ text, toolCalls, media }) => text || toolCalls?.length > 0 || media);
}

/** The messages after those that were said before, which they may repeat. */
export function joined(before: readonly Message[], messages: readonly Message[]): readonly Message[] {
  if (before.length === 0) return messages;
  const spoken = messages.filter(({ role }) => role !== 'system');
  if (indexOfRun(spoken, before) >= 0) return messages;
  return [...messages.filter(({ role }) => role === 'system'), ...before, ...spoken];
}

/** The messages with what is remembered before what is new. */
export function withMemory(messages: readonly Message[], known: readonly Message[]): readonly Message[] {
  const texts = new Set(messages.flatMap((message) => (message.role === 'system' ? [message.text] : [])));
  const instructions = known.filter((message) => message.role === 'system' && !texts.has(message.text));
  const system = messages.filter(({ role }) => role === 'system');
  const rest = messages.filter(({ role }) => role !== 'system');
  return [
    ...system,
    ...instructions,
    ...joined(
      known.filter(({ role }) => role !== 'system'),
      rest,
    ),
  ];
}

/** Where some messages stand in a row among others; -1 when they do not, or there are none. */
function indexOfRun(messages: readonly Message[], run: readonly Message[]): number {
  if (run.length === 0) return -1;
  for (let at = 0; at + run.length <= messages.length; at++) {
    if (run.every((message, offset) => isSame(message, messages[at + offset]!))) return at;
  }
  return -1;
}

function isSame(a: Message, b: Message): boolean {
  if (a === b) return true;
  if (a.role !== b.role) return false;
  if (a.role === 'tool' || b.role === 'tool') {
    return (
      a.role === 'tool' &&
      b.role === 'tool' &&
      a.responses.length === b.responses.length &&
      a.responses.every(({ id, responseData }, at) => {
        const other = b.responses[at]!;
        return id === other.id && responseData === other.responseData;
      })
    );
  }
  if (a.text !== b.text) return false;
  const calls = a.role === 'assistant' ? a.toolCalls : [];
  const others = b.role === 'assistant' ? b.toolCalls : [];
  return calls.length === others.length && calls.every(({ id }, at) => id === others[at]!.id);
}
