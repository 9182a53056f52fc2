import { isDeepStrictEqual } from 'node:util';
import { Logger } from '@nestjs/common';
import { ChatMemory, requireConversationId } from '../memory/chat-memory.js';
import { CONVERSATION_LOCKS } from '../memory/conversation-locks.js';
import type { Speaker } from '../memory/conversation-owner.exception.js';
import { serviceKey } from '../model/request-services.js';
import { errorTypeOf } from '../model/error-type.js';
import type { ChatResponse } from '../model/chat-response.js';
import { FinishReason } from '../model/finish-reason.js';
import { type Message, withMetadata } from '../model/messages.js';
import type { TurnControl, TurnScope } from '../model/turn-control.js';
import { asUntrusted, isUntrusted } from '../model/untrusted.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { ConversationLock, LOCK_TIMEOUT } from './conversation-lock.js';

/** @throws TypeError that explains how to set the id, a ConversationIdException if it is empty or no text */
export function conversationIdOf({ context }: ChatClientRequest): string {
  const id = context[ChatMemory.CONVERSATION_ID];
  if (id !== undefined) return requireConversationId(id);
  throw new TypeError(
    'conversationId cannot be null. Add .conversation(id): MessageChatMemoryAdvisor needs the id of the ' +
      'conversation, but this request has none.',
  );
}

/** The messages that a turn adds to a conversation: the last user message and all that follow it. */
export function newMessages(messages: readonly Message[]): readonly Message[] {
  const spoken = messages.filter(({ role }) => role !== 'system');
  const from = spoken.findLastIndex(({ role }) => role === 'user');
  return from < 0 ? spoken : spoken.slice(from);
}

/**
 * The model's answers to remember: those with content, unless a filter has refused a turn without
 * calls. If the model has read untrusted content, they are marked as untrusted.
 *
 * @param asked the messages that the model has answered. The caller may have run the calls
 */
export function answersOf(
  response: ChatResponse | undefined,
  scope: TurnScope | undefined,
  asked: readonly Message[],
): readonly Message[] {
  const { result, results = [] } = response ?? {};
  const isFiltered = result?.metadata?.finishReason === FinishReason.CONTENT_FILTER;
  const isRefused = isFiltered && !scope?.turn?.callIds.length && asked.every(({ role }) => role !== 'tool');
  const outputs = isRefused ? [] : results.map(({ output }) => output);
  const answers = outputs.filter(({ text, toolCalls, media }) => text?.trim() || toolCalls?.length > 0 || media);
  return scope?.hasReadUntrusted ? answers.map(asUntrusted) : answers;
}

const logger = new Logger('ChatMemory');

/** Whether conversations belong to the subject of their first turn. */
export const OWNED = serviceKey<boolean>('conversationsAreOwned');

/** Who speaks in the conversation of a request, as its memory has found out. */
export const SPEAKER = serviceKey<Speaker>('speaker');

/**
 * Who speaks in a conversation. Undefined if conversations have no owners.
 *
 * @param turn a resumed turn speaks for the user who asked first, not for the one who has approved
 * @throws the error that `TurnPrincipal` throws
 */
export function speakerOf(scope: TurnScope | undefined, turn?: TurnControl): Speaker | undefined {
  if (!scope?.services?.get(OWNED)) return undefined;
  return turn?.isResumed ? { subject: turn.requester } : (scope.get(SPEAKER) ?? { subject: scope.caller });
}

/**
 * The lock of a conversation for a request.
 *
 * @param onLost aborts the work when another process may hold the conversation
 */
export function lockOf(
  memory: ChatMemory,
  conversationId: string,
  timeout: number | undefined,
  scope: TurnScope | undefined,
  onLost: (error: Error) => void,
  turn?: TurnControl,
): ConversationLock {
  const { services, continued } = scope ?? {};
  const locks = services?.get(CONVERSATION_LOCKS);
  return new ConversationLock(
    memory,
    conversationId,
    timeout ?? services?.get(LOCK_TIMEOUT),
    locks && { locks, onLost },
    continued?.startWait,
    speakerOf(scope, turn),
  );
}

/**
 * Adds what was said in a turn to a memory. A turn that is stored is added once: if it continues
 * after a crash, it may have been added before.
 */
export async function addToMemory(
  memory: ChatMemory,
  conversationId: string,
  said: readonly Message[],
  turn: TurnControl | undefined,
  signal: AbortSignal | undefined,
  by: Speaker | undefined,
): Promise<void> {
  if (!turn?.hold) return memory.add(conversationId, said, signal, by);
  await turn.hold.keepAnswer();
  const isAdded = ({ metadata }: Message): boolean => metadata?.['turnId'] === turn.id;
  if (turn.isResumed && (await memory.get(conversationId)).some(isAdded)) return;
  const last = withMetadata(said.at(-1)!, { turnId: turn.id });
  await memory.add(conversationId, [...said.slice(0, -1), last], signal, by);
}

/**
 * Keeps a new conversation for the user whose first turn waits. The turn is stored already, so a failure
 * does not end it.
 */
export async function reserve(memory: ChatMemory, conversationId: string, by: Speaker | undefined): Promise<void> {
  if (by?.subject === undefined) return;
  try {
    await memory.reserve?.(conversationId, by);
  } catch (error) {
    logger.warn(
      `The conversation of a turn that waits could not be reserved for its user (${errorTypeOf(error)}). If it is new, ` +
        'and another user begins it first, the turn cannot end. Check the store of conversations.',
    );
  }
}

/** The messages with the earlier ones before them, without those that they contain already: all, or the last ones. */
export function joined(before: readonly Message[], messages: readonly Message[]): readonly Message[] {
  if (before.length === 0) return messages;
  const spoken = messages.filter(({ role }) => role !== 'system');
  // A request that repeats the history needs no summary of it, unless only that has the mark of strangers.
  const said = before.filter((message) => message.metadata?.['summary'] === undefined || isUntrusted(message));
  const at = indexOfRun(spoken, said);
  if (at >= 0) return markedAs(said, spoken.slice(at), messages);
  const system = messages.filter(({ role }) => role === 'system');
  // A question may be asked twice. An answer with calls is the one that the caller has run.
  let from = spoken[0]!.role === 'user' ? before.length : Math.max(0, before.length - spoken.length);
  while (from < before.length && indexOfRun(spoken, before.slice(from)) !== 0) from++;
  return [...system, ...before.slice(0, from), ...markedAs(before.slice(from), spoken, spoken)];
}

/** The messages, some of which repeat known ones. Repeated messages keep their mark as untrusted. */
function markedAs(
  known: readonly Message[],
  repeated: readonly Message[],
  messages: readonly Message[],
): readonly Message[] {
  const untrusted = new Set(repeated.filter((_message, at) => known[at] && isUntrusted(known[at])));
  return untrusted.size === 0
    ? messages
    : messages.map((message) => (untrusted.has(message) ? asUntrusted(message) : message));
}

/** The messages of a request with the remembered ones between the instructions and the new ones. */
export function withMemory(messages: readonly Message[], known: readonly Message[]): readonly Message[] {
  const system = messages.filter((message) => message.role === 'system');
  const texts = new Set(system.map(({ text }) => text));
  const instructions = known.filter((message) => message.role === 'system' && !texts.has(message.text));
  const before = known.filter(({ role }) => role !== 'system');
  const spoken = messages.filter(({ role }) => role !== 'system');
  return [...system, ...instructions, ...joined(before, spoken)];
}

/** The index where a sequence of messages begins among others; -1 if it is missing or empty. */
function indexOfRun(messages: readonly Message[], run: readonly Message[]): number {
  if (run.length === 0) return -1;
  for (let at = 0; at + run.length <= messages.length; at++) {
    if (run.every((message, offset) => isSame(message, messages[at + offset]!))) return at;
  }
  return -1;
}

function isSame(a: Message, b: Message): boolean {
  return a === b || isDeepStrictEqual(identityOf(a), identityOf(b));
}

/** The parts that identify a message. */
function identityOf(message: Message): readonly (string | undefined)[] {
  const { role } = message;
  if (role === 'tool') return [role, ...message.responses.flatMap(({ id, responseData }) => [id, responseData])];
  const calls = role === 'assistant' ? message.toolCalls : [];
  return [role, message.text, ...calls.map(({ id }) => id)];
}
