import { Logger } from '@nestjs/common';
import { serviceKey } from './request-services.js';

/** Where requests usually have their user. */
interface KnownRequest {
  readonly user?: { readonly id?: unknown; readonly sub?: unknown } | string | number | boolean | null;
  readonly auth?: { readonly extra?: { readonly sub?: unknown } | null; readonly clientId?: unknown } | null;
}

/** The application's {@link TurnPrincipal}. */
export const PRINCIPAL = serviceKey<TurnPrincipal>('TurnPrincipal');

/**
 * Identifies who makes a request. The result is stored with a turn that waits for approval, and with a
 * conversation; nothing else of the request is stored. Provide a subclass if your users are not in
 * `request.user`.
 *
 * @example
 * class TenantPrincipal extends TurnPrincipal {
 *   override subjectOf(request: Request | undefined) { return request?.session?.accountId; }
 * }
 */
export class TurnPrincipal {
  /**
   * @param request the value given to `.request(…)`; undefined if there was none
   * @returns a text that identifies one user, or undefined if unknown. Default: `user.id` or
   * `user.sub` of the request, or `user` itself if it is a text or a number; of a request with a
   * verified MCP token, `auth.extra.sub`, or `client:` and the client of the token.
   * @throws TypeError when these do not identify a user, for example an object or an empty text
   */
  subjectOf(request: unknown): string | undefined {
    const { user, auth } = (request ?? {}) as KnownRequest;
    const own = typeof user === 'object' ? (user?.id ?? user?.sub) : user;
    const subject = own ?? auth?.extra?.sub ?? clientOf(auth);
    if (subject === undefined || subject === null) return undefined;
    if ((typeof subject === 'string' && subject !== '') || typeof subject === 'bigint') return String(subject);
    if (typeof subject === 'number' && Number.isFinite(subject)) return String(subject);
    throw new TypeError(
      `The user of the request has ${subject === '' ? 'an empty id' : `an id of the type ${typeof subject}`}, which identifies no user. ` +
        'Provide a TurnPrincipal whose subjectOf(request) returns a string.',
    );
  }
}

/** The client of a token. It is marked, so that it never is the id of a user. */
function clientOf(auth: KnownRequest['auth']): string | undefined {
  return typeof auth?.clientId === 'string' ? `client:${auth.clientId}` : undefined;
}

const warned = new WeakSet<object>();

/** Marks a request that has no user on purpose: {@link warnOfUnknownUser} ignores it. */
export function needsNoUser(request: unknown): void {
  if (typeof request === 'object' && request !== null) warned.add(request);
}

/** Warns once of what anybody can do, because a request has no known user. */
export function warnOfUnknownUser(by: object, request: unknown, danger: string): void {
  if (warned.has(by) || warned.has(request as object)) return;
  warned.add(by);
  new Logger(TurnPrincipal.name).warn(
    `${danger} Pass .request(request) after a guard of the controller or middleware has set its user: a guard of the ` +
      'tool is too late. If users are neither in request.user.id nor .sub, provide a TurnPrincipal. If your application ' +
      'has no users, set ai.chat.memory.owned=false, and for tools that need approval provide an ApprovalPolicy.',
  );
}
