/** The keys of the properties that configure a provider, for messages. */
export interface PropertyNames {
  readonly key: string;
  readonly variable: string;
  /** Whether there is a ConfigModule that reads the variables. Default: true. */
  readonly isRead?: boolean;
}

/** What is known of a failed call. */
interface FailedCall {
  readonly status: number | undefined;
  /** Undefined for an address that Node.js does not call, such as one of a port that browsers block. */
  readonly code: string | undefined;
  /** The origin of the address, if the call came so far. */
  readonly origin: string | undefined;
  /** Whether the provider gave a reason, which only code may read. */
  readonly hasBody: boolean;
}

/** The models that were made from properties. Others were made in code. */
const NAMES = new WeakMap<object, PropertyNames>();

/** Remembers the properties that configure a model of a provider's package. */
export function configuredBy<T extends object>(names: PropertyNames | undefined, model: T): T {
  if (names) NAMES.set(model, names);
  return model;
}

/** Codes of Node.js for certificates that it does not accept. */
export const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_HAS_EXPIRED)$/;

/** Codes of addresses where no server answers. */
const UNREACHABLE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_INVALID_URL)$/;

/** What a developer should check after a failed call. Undefined if nothing is known. */
export function adviceFor(
  { status, code, origin, hasBody }: FailedCall,
  model: object | undefined,
): string | undefined {
  const names = model && NAMES.get(model);
  const apiKey = names ? `${names.key}.api-key (${names.variable}_API_KEY)` : 'the API key';
  const baseUrl = names ? `${names.key}.base-url (${names.variable}_BASE_URL)` : 'the base URL';
  if (code === 'AI_LoadAPIKeyError') return `Set ${apiKey}.`;
  if (status === undefined) {
    const isUnreachable = code === undefined ? origin !== undefined : UNREACHABLE.test(code);
    if (isUnreachable) return `Check ${baseUrl}, the network, and whether a server runs there.`;
    if (code === undefined || !CERTIFICATE.test(code)) return undefined;
    return 'Node.js does not trust the certificate: set NODE_EXTRA_CA_CERTS to its authority.';
  }
  if (status === 401 || status === 403) return `Check ${apiKey}.`;
  if (status === 404) return `Check the name of the model, and ${baseUrl}.`;
  if (code !== undefined) return 'The connection broke off before the answer was complete.';
  if (status >= 200 && status < 300) return `The answer cannot be read. If every call fails so, check ${baseUrl}.`;
  return hasBody ? 'The reason is in responseBody of the exception.' : undefined;
}
