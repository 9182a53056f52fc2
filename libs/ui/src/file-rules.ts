import { isIPv4 } from 'node:net';
import { serviceKey } from '@nestor-ai/core';

/** The rules for files from a browser: the properties `ai.ui.files.*`. */
export interface UiFileRules {
  /** The accepted MIME types. `image/*` accepts all images. Default: pictures, PDF, text and audio. */
  readonly types: readonly string[];
  /**
   * The maximum size of all files of a request, in decoded bytes. Files that the model server
   * fetches do not count. Default: 10,000,000.
   */
  readonly maxBytes: number;
  /**
   * Hosts from which the model server may fetch files via `https:`, such as `cdn.example.com`.
   * Default: none.
   */
  readonly hosts: readonly string[];
}

/** The file types that most models can read. */
const DEFAULT_FILE_TYPES: readonly string[] = Object.freeze([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'text/plain',
  'text/markdown',
  'text/csv',
  'audio/mpeg',
  'audio/wav',
]);

const DEFAULT_MAX_BYTES = 10_000_000;

export const DEFAULT_FILE_RULES: UiFileRules = Object.freeze({
  types: DEFAULT_FILE_TYPES,
  maxBytes: DEFAULT_MAX_BYTES,
  hosts: Object.freeze([]),
});

/** The rules of the application. */
export const UI_FILES = serviceKey<UiFileRules>('UiFileRules');

/**
 * Combines the rules of an application with those of a call, which take precedence.
 *
 * @throws TypeError for invalid rules
 */
export function fileRulesOf(given: Partial<UiFileRules> | undefined, files: UiFileRules): UiFileRules {
  if (!given) return files;
  const { types = files.types, maxBytes = files.maxBytes, hosts = files.hosts } = given;
  const type = types.find((one) => !isMediaType(one));
  if (type !== undefined)
    throw new TypeError(`files.types has to contain types such as image/png or image/*, but contains '${type}'.`);
  const host = hosts.find((one) => !isFileHost(one));
  if (host !== undefined) {
    throw new TypeError(
      `files.hosts has to contain host names such as cdn.example.com, but contains '${host}'. IP addresses and port 443 are not allowed, and other letters need punycode (xn--…).`,
    );
  }
  if (!(maxBytes > 0))
    throw new TypeError(`files.maxBytes must be a number of bytes greater than 0, but is ${maxBytes}.`);
  return { types, maxBytes, hosts };
}

const HOST = /^[a-z\d.-]+(?::\d+)?$/i;
const MEDIA_TYPE = /^[\w.+-]+\/(?:[\w.+-]+|\*)$/;

/** Whether a text is a media type or a family of them, such as `image/*`. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

/**
 * Whether a text is a host from which a model server may fetch files, with its port unless it is
 * the default port. IP addresses and localhost are refused, since they mean something else on each
 * machine.
 */
export function isFileHost(text: string): boolean {
  const url = HOST.test(text) ? readUrl(`https://${text}`) : undefined;
  // Addresses and default ports are normalized by URL, so they differ from the text.
  if (url?.href !== `https://${text.toLowerCase()}/`) return false;
  const { hostname } = url;
  return !isIPv4(hostname) && !/(?:^|\.)localhost\.?$/.test(hostname);
}

/** Undefined if the text is not a URL. */
export function readUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
