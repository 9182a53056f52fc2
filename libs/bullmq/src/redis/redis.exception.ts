import { errorTypeOf } from '@nestor-ai/core';

/** What to do about errors of Redis and of connections to it, by code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server does not accept connections. Start Redis, or correct ai.bullmq.connection.',
  ENOTFOUND: 'the host name of the server is unknown. Correct ai.bullmq.connection.',
  EAI_AGAIN: 'the host name of the server cannot be resolved now. Check DNS and ai.bullmq.connection.',
  ETIMEDOUT: 'the server does not answer. Check the network between the application and Redis, and the load of Redis.',
  NOAUTH: 'the server wants a password. Add it to ai.bullmq.connection.',
  WRONGPASS: 'the server refuses the password. Correct the user or the password in ai.bullmq.connection.',
  NOPERM: 'the user lacks a permission. Allow it the keys and commands of the module with ACL SETUSER.',
  OOM: 'the server is out of memory. Raise maxmemory, and set maxmemory-policy to noeviction.',
  READONLY: 'the server is a read-only replica. Connect to the primary server.',
  MISCONF: 'the server cannot save its data on disk, and refuses to write. Make room there, and read its log.',
  NOREPLICAS: 'the server has too few replicas, and refuses to write. Start them, or correct min-replicas-to-write.',
  LOADING: 'the server is starting. Try again when it has loaded its data.',
  CLUSTERDOWN: 'the cluster is down. Check its nodes.',
  CROSSSLOT: 'a queue needs its keys on one node of the cluster. Write ai.bullmq.prefix in braces, such as {nestor}.',
  MOVED: 'the server is one node of a cluster. Pass a Cluster of ioredis as the option connection.',
  CERT: 'Node.js refuses its certificate. Renew it, use a host that it names, or set NODE_EXTRA_CA_CERTS.',
  CLOSED: 'the connection is closed. The application is shutting down.',
};

/** Codes of Node.js for a connection. `ERR` is an answer of Redis. */
const OF_NODE = /^E(?!RR$)[A-Z_]+$/;

/** Codes of Node.js for a certificate that it does not accept. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE/;

const LOST = 'the connection was lost. The next attempt opens a new one; check the server if this repeats.';

/**
 * Redis has refused a command or cannot be reached. The message says what could not be done and
 * what to do. It contains no keys, no values and no address.
 */
export class RedisException extends Error {
  override readonly name = 'RedisException';

  /**
   * @param code the code of the connection, such as `ECONNREFUSED`, or of Redis, such as `OOM`;
   *   `CLOSED` after the shutdown of the application; undefined if there is none
   */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }

  /** Whether Redis cannot be reached, or cannot do anything now, so that the same command may succeed later. */
  get isConnectionFailure(): boolean {
    const { code } = this;
    if (code === undefined || OF_NODE.test(code) || CERTIFICATE.test(code)) return true;
    return /^(?:OOM|READONLY|MISCONF|NOREPLICAS|LOADING|CLUSTERDOWN|CLOSED)$/.test(code);
  }

  /**
   * @param purpose what was to be done, such as `lock a conversation`
   * @param before the code of the last failure of the connection, for errors without a code
   */
  static of(purpose: string, error: unknown, before?: string): RedisException {
    if (error instanceof RedisException) return error;
    const code = codeOf(error) ?? before;
    const isLost = code === undefined || OF_NODE.test(code);
    const other = isLost ? LOST : `Redis has refused the command with ${code}. The log of the server may say why.`;
    const remedy = REMEDIES[CERTIFICATE.test(code ?? '') ? 'CERT' : (code ?? '')] ?? other;
    return new RedisException(`Nestor could not ${purpose}: ${remedy}`, code);
  }
}

/** The code of an error of the connection, or the first word of an answer of Redis. */
export function codeOf(error: unknown): string | undefined {
  const { code, name, message } = (error ?? {}) as Partial<Record<'code' | 'name' | 'message', unknown>>;
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code;
  if (typeof message !== 'string') return undefined;
  if (message.startsWith('Socket timeout')) return 'ETIMEDOUT';
  if (name !== 'ReplyError') return undefined;
  return /^[A-Z]{2,20}(?= )/.exec(message)?.[0];
}

/** What the log says of an error of Redis: its code, or its class. */
export const loggedCodeOf = (error: unknown): string => codeOf(error) ?? errorTypeOf(error);
