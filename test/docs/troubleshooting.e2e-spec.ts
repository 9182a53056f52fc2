import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const PAGE = readFileSync('docs/troubleshooting.md', 'utf8');

/** What stands for names and values in a quoted message, and in a template of the source. */
const PLACEHOLDER = '…';
const SOURCE = /^[\w-]+\/src\/.*(?<!\.spec)\.ts$/;
/** Shorter parts, such as ` of `, prove nothing. */
const MIN_PART = 6;

/** The text of all literals, those that are joined with `+` as one, on one line. */
function textOfSources(): string {
  const files = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter((file) => SOURCE.test(file));
  return files
    .map((file) => readFileSync(join('libs', file), 'utf8'))
    .join('\n')
    .replaceAll(/['"`]\s*\+\s*['"`]/g, '')
    .replaceAll(String.raw`\'`, "'")
    .replaceAll(/\s+/g, ' ');
}

const sources = textOfSources();
const messages = [...PAGE.matchAll(/^```text\n([\s\S]*?)\n```$/gm)].map(([, message]) => message!);
const partsOf = (message: string): string[] =>
  message
    .split(PLACEHOLDER)
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_PART);

describe('docs/troubleshooting.md', () => {
  it('has at least 40 messages, each of them once', () => {
    expect(messages.length).toBeGreaterThanOrEqual(40);
    expect(new Set(messages).size).toBe(messages.length);
  });

  // When this fails, a message was reworded: quote it on the page as it is now, with … for names and values.
  it.each(messages)('quotes a message of the source: %s', (message) => {
    const parts = partsOf(message);
    expect(parts).not.toEqual([]);
    expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
  });
});
