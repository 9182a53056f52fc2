import type { SentCall } from '../wire/messages.js';

/** The user of another application. */
export type RemoteUser = Readonly<Record<string, unknown>> & { readonly id?: string };

/**
 * The request of a call from another application. Guards and tools see it as the caller's request,
 * in place of an HTTP request.
 */
export class RemoteCaller {
  /**
   * The user of the calling application: what its option `identity` selected, with the subject of
   * its `TurnPrincipal` as `id`. Undefined if it sent neither.
   */
  readonly user?: RemoteUser;
  /** The turn of the calling application that asked for the call. */
  readonly turnId: string;
  /** The id of the call in that turn. */
  readonly toolCallId: string;
  /** The same for each try of one call: use it to recognize work that is already done. */
  readonly idempotencyKey: string;

  constructor({ caller: { subject, identity }, turnId, callId }: SentCall) {
    if (subject !== undefined || identity !== undefined) {
      this.user = Object.freeze({ ...identity, ...(subject !== undefined && { id: subject }) });
    }
    this.turnId = turnId;
    this.toolCallId = callId;
    this.idempotencyKey = `${turnId}:${callId}`;
  }
}
