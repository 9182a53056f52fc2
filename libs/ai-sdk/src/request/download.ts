import { type IncomingMessage, type RequestOptions, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, PRIVATE_ADDRESS, publicLookup } from './public-address.js';

/** Rules for files that a model needs as bytes. */
export interface DownloadRules {
  /**
   * The only hosts from which files may be downloaded, with their port unless it is the default
   * one. They may be in a private network. Default: all hosts on the public internet.
   */
  readonly hosts?: readonly string[];
  /** How many bytes all files of a turn may have together. Default: 20 MB (20,000,000). */
  readonly maxBytes?: number;
  /** How long the downloads for one model call may take, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
}

/** A downloaded file. */
export interface Downloaded {
  readonly data: Uint8Array;
  /** The media type that the server gave. */
  readonly mimeType: string | undefined;
}

/** A file that was not downloaded. The message is a reason, and repeats nothing of the URL. */
export class DownloadFailure extends Error {
  constructor(
    reason: string,
    readonly isRetryable = false,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads a file. The URL may come from a user or a tool, so by default only the public internet
 * is reached, also after redirects.
 *
 * @param receive called with the size of each piece; throws when there are too many bytes
 * @throws DownloadFailure with the reason, or the reason of the abort
 */
export async function download(
  from: URL,
  rules: DownloadRules,
  receive: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Downloaded> {
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await get(url, rules, signal);
    const { statusCode = 0, headers } = response;
    if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
      response.destroy();
      if (!URL.canParse(headers.location, url.href))
        throw new DownloadFailure('its server redirects to an invalid URL');
      url = new URL(headers.location, url);
      continue;
    }
    if (statusCode !== 200) {
      response.destroy();
      throw new DownloadFailure(`its server answered with the status ${statusCode}`, statusCode >= 500);
    }
    return { data: await read(response, receive), mimeType: headers['content-type']?.split(';', 1)[0]!.trim() };
  }
  throw new DownloadFailure(`its server redirects more than ${MAX_REDIRECTS} times`);
}

/** @throws DownloadFailure if the rules do not allow the URL */
function get(url: URL, { hosts }: DownloadRules, signal: AbortSignal): Promise<IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new DownloadFailure(`a ${url.protocol} URL cannot be downloaded`);
  }
  if (url.username !== '' || url.password !== '') throw new DownloadFailure('its URL contains a user or a password');
  const isListed = hosts?.some((host) => host.toLowerCase() === url.host);
  if (hosts && !isListed) throw new DownloadFailure('its host is not among the hosts of `downloads`');
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (!isListed && isIP(hostname) !== 0 && !isPublicAddress(hostname)) throw new DownloadFailure(NOT_PUBLIC);
  const options: RequestOptions = {
    // A new connection, which nothing else has opened.
    agent: false,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Nestor' },
    signal,
    ...(!isListed && { lookup: publicLookup }),
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:' ? httpsRequest(url, options, resolve) : httpRequest(url, options, resolve);
    request.on('error', (error: NodeJS.ErrnoException) => reject(toFailure(error, signal)));
    request.end();
  });
}

async function read(response: IncomingMessage, receive: (bytes: number) => void): Promise<Uint8Array> {
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    response.destroy();
    throw new DownloadFailure('its server compresses it');
  }
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      receive(piece.byteLength);
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof DownloadFailure ? error : toFailure(error as Error, undefined);
  }
  if (pieces.length === 0) throw new DownloadFailure('it is empty');
  return Buffer.concat(pieces);
}

const NOT_PUBLIC = 'its host is not on the public internet';

function toFailure(cause: NodeJS.ErrnoException, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (cause.code === PRIVATE_ADDRESS) return new DownloadFailure(NOT_PUBLIC, false, { cause });
  return new DownloadFailure('the connection to its server failed', true, { cause });
}
