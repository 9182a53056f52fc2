/** The signature of an approval id, which only the application can create. */
export interface ApprovalSeal {
  /** Expiry time in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The signature in base64url. */
  readonly signature: string;
}

/** The parts of an approval id. */
export interface ApprovalId {
  readonly turnId: string;
  readonly toolCallId: string;
  /** Undefined for an id that is not signed. */
  readonly seal?: ApprovalSeal;
}

const SIGNED = /^(\d{1,15})\.([\w-]{1,100})\.(?=.)/s;

/**
 * The id of an approval for clients. It contains the turn id, so clients need not keep track of
 * it. A turn id has no colon.
 */
export function toApprovalId(turnId: string, toolCallId: string, seal?: ApprovalSeal): string {
  const id = `${turnId}:${toolCallId}`;
  return seal ? `${seal.expiresAt}.${seal.signature}.${id}` : id;
}

/** Reads an approval id. Undefined if the value is not one. */
export function readApprovalId(given: unknown): ApprovalId | undefined {
  if (typeof given !== 'string') return undefined;
  const [prefix = '', expiresAt, signature] = SIGNED.exec(given) ?? [];
  const id = given.slice(prefix.length);
  const colon = id.indexOf(':');
  if (colon <= 0 || colon === id.length - 1) return undefined;
  const seal = signature === undefined ? undefined : { expiresAt: Number(expiresAt), signature };
  return { turnId: id.slice(0, colon), toolCallId: id.slice(colon + 1), ...(seal && { seal }) };
}
