/** The messages of Nest's errors for a pattern that no process listens to. */
const UNHEARD = /no matching (message|event) handler|no subscribers listening/i;

/** The codes of errors before a connection was made. */
const UNCONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);

/** Whether no process listens to the pattern of a message, so that it certainly had no effect. */
export function isUnheard(error: unknown): boolean {
  return UNHEARD.test(textOf(error));
}

/** Whether the client of NATS did not send a message because of its length. */
export function isTooLong(error: unknown): boolean {
  return /max_?payload/i.test(`${codeOf(error)} ${textOf(error)}`);
}

/** Whether a message certainly did not reach a service. */
export function neverArrived(error: unknown): boolean {
  return isUnheard(error) || UNCONNECTED.has((error as { code?: unknown } | null)?.code);
}

/**
 * What a transport's error says, without addresses and credentials: its code, or the text that the
 * service sent.
 */
export function codeOf(error: unknown): string {
  const { code, name, status } = (error ?? {}) as { code?: unknown; name?: unknown; status?: unknown };
  if (typeof code === 'string') return code;
  // An answer of a service, which is made of our own words.
  if (status === 'error') return textOf(error);
  return typeof name === 'string' ? name : 'the connection was lost';
}

function textOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return String(typeof error === 'string' ? error : (message ?? ''));
}
