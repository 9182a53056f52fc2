import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '@nestor-ai/schema';

/** A message between applications: JSON text and its signature. */
export interface Envelope {
  readonly body: string;
  /** Absent if the sender has no secret. */
  readonly signature?: string;
}

/** What a message is for. A signature is valid for one kind only. */
export type EnvelopeKind = 'question' | 'announcement' | 'call' | 'cancel';

/** A message whose signature and time are right. */
export interface OpenedEnvelope {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Why a message was not accepted. */
export class EnvelopeException extends Error {
  override readonly name = 'EnvelopeException';

  constructor(
    readonly problem: 'unreadable' | 'unsigned' | 'forged' | 'expired' | 'early' | 'misdirected',
    message: string,
  ) {
    super(message);
  }
}

/** The options of messages between applications. */
export interface EnvelopeOptions {
  /**
   * Signs what the applications send to each other: at least 32 characters, the same on both
   * sides. With several secrets, the first one signs and all are accepted, so that you can rotate
   * them.
   */
  readonly secret?: string | readonly string[];
  /**
   * Whether messages without a signature are accepted. With `allow`, everything that reaches the
   * transport can call tools in the name of any user. Default: `refuse`.
   */
  readonly unsigned?: 'allow' | 'refuse';
  /**
   * How much the clocks of two machines may differ, in milliseconds. Default: 5,000.
   */
  readonly clockTolerance?: number;
}

const MIN_SECRET = 32;
const DEFAULT_TOLERANCE = 5000;

/** Signs messages, and verifies those of others. */
export class Envelopes {
  /** How much the clocks of two machines may differ, in milliseconds. */
  readonly clockTolerance: number;
  readonly #secrets: readonly string[];
  readonly #acceptsUnsigned: boolean;

  /**
   * @param place the module whose options these are, for errors
   * @throws TypeError if a secret is missing or too short
   */
  constructor(place: string, { secret, unsigned, clockTolerance = DEFAULT_TOLERANCE }: EnvelopeOptions) {
    const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
    this.#acceptsUnsigned = unsigned === 'allow';
    if (secrets.length === 0 && !this.#acceptsUnsigned) {
      throw new TypeError(
        `${place} needs a secret, which signs who calls a tool: { secret: process.env.REMOTE_TOOLS_SECRET }. Use the same one in ` +
          "all applications. Write { unsigned: 'allow' } if everything that reaches the transport may call all tools.",
      );
    }
    if (!secrets.every((one) => typeof one === 'string' && one.length >= MIN_SECRET)) {
      throw new TypeError(`The option secret of ${place} needs at least ${MIN_SECRET} characters.`);
    }
    if (!(clockTolerance >= 0 && clockTolerance < Number.POSITIVE_INFINITY)) {
      throw new TypeError(
        `The option clockTolerance of ${place} must be milliseconds, 0 or more, but is ${String(clockTolerance)}.`,
      );
    }
    this.#secrets = secrets;
    this.clockTolerance = clockTolerance;
  }

  /**
   * @param audience the service or process that the message is for
   * @param lifetime how long the message is valid, in milliseconds
   */
  seal(kind: EnvelopeKind, audience: string, content: object, lifetime: number): Envelope & { readonly id: string } {
    const id = randomUUID();
    const now = Date.now();
    const body = JSON.stringify({ kind, audience, id, issuedAt: now, expiresAt: now + Math.ceil(lifetime), content });
    const [secret] = this.#secrets;
    return { id, body, ...(secret !== undefined && { signature: sign(secret, body).toString('base64url') }) };
  }

  /**
   * Verifies a message.
   *
   * @param audiences who the message may be for
   * @throws EnvelopeException that says what is wrong
   */
  open(kind: EnvelopeKind, audiences: readonly string[], envelope: unknown): OpenedEnvelope {
    const { body, signature } = (isJsonObject(envelope) ? envelope : {}) as Partial<Envelope>;
    if (typeof body !== 'string') throw unreadable();
    this.#verify(body, signature);
    const { content, id, issuedAt, expiresAt, ...meant } = readBody(body);
    if (meant.kind !== kind || !audiences.includes(meant.audience)) {
      throw new EnvelopeException('misdirected', 'The message is for another service, or for another purpose.');
    }
    this.#checkTime(issuedAt, expiresAt);
    return { id, expiresAt, content };
  }

  #verify(body: string, signature: unknown): void {
    if (signature === undefined) {
      if (this.#acceptsUnsigned) return;
      throw new EnvelopeException(
        'unsigned',
        "The message is not signed. Set the same secret in both applications, or unsigned: 'allow' in this one.",
      );
    }
    const given = Buffer.from(typeof signature === 'string' ? signature : '', 'base64url');
    const isOurs = this.#secrets.some((secret) => {
      const expected = sign(secret, body);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    if (isOurs) return;
    throw new EnvelopeException(
      'forged',
      'The signature of the message is wrong. Set the same secret in both applications.',
    );
  }

  #checkTime(issuedAt: number, expiresAt: number): void {
    const now = Date.now();
    if (now > expiresAt + this.clockTolerance) {
      throw new EnvelopeException(
        'expired',
        `The message expired ${inSeconds(now - expiresAt)} ago by the clock of this machine. It was too long on its way, or the clocks of the ` +
          'machines differ. Synchronize them, or raise clockTolerance.',
      );
    }
    if (now < issuedAt - this.clockTolerance) {
      throw new EnvelopeException(
        'early',
        `The message was signed ${inSeconds(issuedAt - now)} in the future by the clock of this machine. Synchronize the clocks of the ` +
          'machines, or raise clockTolerance.',
      );
    }
  }
}

interface Body extends OpenedEnvelope {
  readonly kind: string;
  readonly audience: string;
  readonly issuedAt: number;
}

function readBody(body: string): Body {
  let read: Partial<Body>;
  try {
    read = JSON.parse(body) as Partial<Body>;
  } catch {
    throw unreadable();
  }
  const isWhole =
    isJsonObject(read) &&
    typeof read.id === 'string' &&
    typeof read.kind === 'string' &&
    typeof read.audience === 'string' &&
    Number.isFinite(read.issuedAt) &&
    Number.isFinite(read.expiresAt) &&
    isJsonObject(read.content);
  if (!isWhole) throw unreadable();
  return read as Body;
}

function unreadable(): EnvelopeException {
  return new EnvelopeException('unreadable', 'The message is not one of @nestor-ai/remote-tools.');
}

function sign(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

function inSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
