import type { TurnScope } from '../model/turn-control.js';
import { PRINCIPAL, warnOfUnknownUser } from '../model/turn-principal.js';

/**
 * Somebody may not read or continue a conversation. Answer as for a conversation that does not exist:
 * `AiExceptionFilter` does.
 */
export class ConversationOwnerException extends Error {
  override readonly name = 'ConversationOwnerException';
}

/** Who reads or says something. `subject` is as `TurnPrincipal` names a user, and undefined if unknown. */
export interface Speaker {
  readonly subject: string | undefined;
}

/** @throws TypeError unless the owner is a text: a number from a database is not the subject of `TurnPrincipal` */
export function requireOwner(owner: unknown): string {
  if (typeof owner === 'string' && owner !== '') return owner;
  throw new TypeError(
    `The owner of a conversation must be a text, but is ${JSON.stringify(owner)}. Use String(user.id).`,
  );
}

/**
 * @param owner whose conversation it is; it has turns, or an owner
 * @param by undefined for code of the application, which may read and extend every conversation
 * @throws ConversationOwnerException unless it belongs to the speaker
 */
export function checkOwner(owner: string | undefined, by: Speaker | undefined): void {
  if (!by || by.subject === owner) return;
  if (owner === undefined)
    throw new ConversationOwnerException(
      'The conversation belongs to nobody, and the request has a user. If it is the conversation of this user, call ' +
        '`adopt(conversationId, subject)` of ConversationLog. If conversations belong to no users, set ai.chat.memory.owned=false.',
    );
  if (by.subject === undefined)
    throw new ConversationOwnerException(
      'The conversation belongs to a user, and the request has none. Add .request(request), so that TurnPrincipal finds the user.',
    );
  throw new ConversationOwnerException(
    'The conversation belongs to another user. TurnPrincipal says who the user of a request is.',
  );
}

/** Warns that anybody may read a conversation. Call it when a request without a user has read it. */
export function warnOfOpen(scope: TurnScope | undefined, by: Speaker | undefined): void {
  if (!by || by.subject !== undefined || scope?.callerRequest === undefined || scope.continued) return;
  const danger = 'A conversation has no known user: anybody may read and continue it who knows its id.';
  warnOfUnknownUser(scope.services!.get(PRINCIPAL)!, scope.callerRequest, danger);
}
