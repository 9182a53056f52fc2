import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ToolCall } from '../../model/messages.js';
import { contentJson } from '@nestor-ai/schema';
import { type ApprovalId, readApprovalId, toApprovalId } from './approval-id.js';

/** The options of {@link ApprovalTokens}. */
export interface ApprovalTokensOptions {
  /**
   * At least 32 characters. With several secrets, the first one signs and all are accepted, so
   * that you can rotate them.
   */
  readonly secret: string | readonly string[];
  /** How long a token is valid, in milliseconds. Default: one day. */
  readonly expiresIn?: number;
}

const MIN_SECRET = 32;
const DAY = 86_400_000;
const TEN_YEARS = 3650 * DAY;

/**
 * Signs approvals that pass through a browser or an email. If you provide it to `AiModule`, a
 * decision about a call needs the token of that call. A token is valid for one call of one turn
 * with the same arguments, until `expiresIn` has passed. If the call asks its user for input, the
 * token is valid for this question, and the decision may have any `input` that fits the form.
 *
 * The answer that asks for approval has the tokens in its metadata as `approvalTokens`, keyed by
 * call id. The UI message stream uses them as approval ids.
 *
 * @example
 * {
 *   provide: ApprovalTokens,
 *   useFactory: () => new ApprovalTokens({ secret: process.env.APPROVAL_SECRET! }),
 * }
 */
export class ApprovalTokens {
  readonly #secrets: readonly string[];
  readonly #expiresIn: number;

  /**
   * @throws TypeError if a secret is too short
   * @throws RangeError if `expiresIn` is not between 0 and ten years
   */
  constructor({ secret, expiresIn = DAY }: ApprovalTokensOptions) {
    this.#secrets = typeof secret === 'string' ? [secret] : secret;
    if (!Array.isArray(this.#secrets) || this.#secrets.length === 0 || !this.#secrets.every(isLongEnough)) {
      throw new TypeError(`ApprovalTokens needs a secret of at least ${MIN_SECRET} characters.`);
    }
    if (!(expiresIn > 0 && expiresIn <= TEN_YEARS)) {
      throw new RangeError(
        `expiresIn must be a positive number of milliseconds, at most ten years, but is ${String(expiresIn)}.`,
      );
    }
    this.#expiresIn = expiresIn;
  }

  /** Creates the token to approve or reject a pending call. */
  sign(turnId: string, call: ToolCall): string {
    const expiresAt = Math.ceil(Date.now() + this.#expiresIn);
    const signature = sealOf(this.#secrets[0]!, turnId, call, expiresAt).toString('base64url');
    return toApprovalId(turnId, call.id, { expiresAt, signature });
  }

  /** The tokens for several calls, keyed by call id. */
  signAll(turnId: string, calls: readonly ToolCall[]): Readonly<Record<string, string>> {
    return Object.fromEntries(calls.map((call) => [call.id, this.sign(turnId, call)]));
  }

  /**
   * The turn and the call of a token, without verifying it. Undefined if the value is not a token.
   */
  static read(token: unknown): Pick<ApprovalId, 'turnId' | 'toolCallId'> | undefined {
    const id = readApprovalId(token);
    return id?.seal && { turnId: id.turnId, toolCallId: id.toolCallId };
  }

  /**
   * `valid`: the token belongs to this call of this turn. `expired`: it did, but is no longer
   * valid. `invalid`: anything else.
   */
  verify(token: unknown, turnId: string, call: ToolCall): 'valid' | 'expired' | 'invalid' {
    const id = readApprovalId(token);
    if (!id?.seal || id.turnId !== turnId || id.toolCallId !== call.id) return 'invalid';
    const { seal } = id;
    const given = Buffer.from(seal.signature, 'base64url');
    const isOurs = this.#secrets.some((secret) => {
      const expected = sealOf(secret, turnId, call, seal.expiresAt);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    if (!isOurs) return 'invalid';
    return seal.expiresAt > Date.now() ? 'valid' : 'expired';
  }
}

function isLongEnough(secret: unknown): boolean {
  return typeof secret === 'string' && secret.length >= MIN_SECRET;
}

function sealOf(secret: string, turnId: string, call: ToolCall, expiresAt: number): Buffer {
  const { id, name, arguments: given, inputRequest } = call;
  // A database may change the order of keys.
  const question = inputRequest ? [contentJson(inputRequest)] : [];
  const sealed = JSON.stringify([turnId, id, name, given, expiresAt, ...question]);
  return createHmac('sha256', secret).update(sealed).digest();
}
