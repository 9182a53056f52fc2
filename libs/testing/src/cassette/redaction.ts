import type { CassetteAnswer, Json } from './cassette-content.js';

/** What to remove: this text, what the expression matches, or what the function removes itself. */
export type Redaction = string | RegExp | ((text: string) => string);

/** Replaces what was removed. */
const REMOVED = '[redacted]';

/** Secrets that are known by their form. */
const SECRETS: readonly RegExp[] = [
  /\bBearer\s+(?=[\w.~+/-]{16})(?=[\w.~+/-]*\d)[\w~+/-]+(?:\.[\w~+/-]+)*=*/gi,
  // OpenAI, Anthropic, xAI, Groq, Perplexity, Hugging Face, Replicate, GitHub, GitLab, Slack.
  /\b(?:sk|xai|gsk|pplx|hf|r8|gh[pousr]|github_pat|glpat|xox[abprs])[-_](?=[\w-]*\d)[\w-]{16,}/g,
  /\bAIza[\w-]{35}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Fields whose text is a secret. */
const SECRET_NAME = /^(?:authorization|cookie|set-cookie|password|(?:.*[-_])?(?:secret|token)|.*api[-_]?key)$/i;
const SECRET_CAMEL_NAME = /(?:Secret|AccessToken|AuthToken|ApiKey|Password)$/;

/**
 * Creates a function that removes secrets from text.
 *
 * @throws TypeError for an empty text, which is everywhere
 */
export function textRedactor(redactions: Redaction | readonly Redaction[] = []): (text: string) => string {
  const own = [redactions].flat().map(toFunction);
  const all = [...SECRETS.map(toFunction), ...own];
  return (text) => all.reduce((redacted, redact) => redact(redacted), text);
}

function toFunction(redaction: Redaction): (text: string) => string {
  if (typeof redaction === 'function') return redaction;
  if (redaction === '') throw new TypeError("recordModel() has an empty text in 'redact'. Leave it out.");
  if (typeof redaction === 'string') return (text) => text.replaceAll(redaction, REMOVED);
  const everywhere = redaction.global ? redaction : new RegExp(redaction.source, `${redaction.flags}g`);
  return (text) => text.replace(everywhere, REMOVED);
}

/** A copy of a value without secrets: in its texts, in fields named after secrets, and in headers. */
export function redactJson<T>(value: T, redact: (text: string) => string): T {
  return redactValue(value as Json, redact) as T;
}

function redactValue(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => redactValue(item, redact));
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([key, item]) => [key, redactField(key, item, redact)]),
  );
}

function redactField(key: string, value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string' && (SECRET_NAME.test(key) || SECRET_CAMEL_NAME.test(key))) return REMOVED;
  return redactValue(value, key.toLowerCase() === 'headers' ? () => REMOVED : redact);
}

/** Removes secrets from the chunks of a stream. A text with a secret is in its first chunk, in one piece. */
export function redactChunks(chunks: readonly CassetteAnswer[], redact: (text: string) => string): CassetteAnswer[] {
  const copies = structuredClone(chunks) as CassetteAnswer[];
  for (const pieces of textsOf(copies).values()) {
    const whole = pieces.map(({ record, key }) => record[key]).join('');
    const redacted = redact(whole);
    if (redacted === whole) continue;
    pieces.forEach(({ record, key }, at) => (record[key] = at === 0 ? redacted : ''));
  }
  return redactJson(copies, redact);
}

/** A piece of a text: the record and the key of its field. */
interface Piece {
  readonly record: Record<string, string>;
  readonly key: string;
}

/** The texts that the chunks make together, each with its pieces. */
function textsOf(chunks: readonly CassetteAnswer[]): Map<string, Piece[]> {
  const texts = new Map<string, Piece[]>();
  const add = (text: string, record: unknown, key: string): void => {
    if (typeof (record as Record<string, unknown> | undefined)?.[key] !== 'string') return;
    const piece = { record: record as Record<string, string>, key };
    const pieces = texts.get(text);
    if (pieces) pieces.push(piece);
    else texts.set(text, [piece]);
  };
  for (const chunk of chunks) {
    [chunk, ...(chunk.others ?? [])].forEach(({ message, toolInput }, generation) => {
      add(`text ${generation}`, message, 'text');
      add(`reasoning ${generation}`, message, 'reasoning');
      add(`input ${String(toolInput?.id)}`, toolInput, 'delta');
      for (const call of (message?.toolCalls ?? []) as readonly { index?: number }[]) {
        if (call.index !== undefined) add(`call ${generation} ${call.index}`, call, 'arguments');
      }
    });
  }
  return texts;
}
