import { createHash } from 'node:crypto';

/** The ids of calls that providers accept. After a fallback, they are those of another provider. */
const ACCEPTED: readonly (readonly [provider: RegExp, ids: RegExp])[] = [
  [/^mistral\./, /^[a-z\d]{9}$/i],
  [/anthropic|bedrock/, /^[\w-]{1,64}$/],
  [/^(?:openai|azure)\.chat/, /^.{1,40}$/],
];

/** The id of a call and its result, or a digest of an id that the provider refuses. */
export function sentId(id: string, provider: string | undefined): string {
  const accepted = ACCEPTED.find(([pattern]) => pattern.test(provider ?? ''))?.[1];
  return !accepted || accepted.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}
