import { isJson } from '../../model/is-json.js';

/** Thoughts at the beginning, which may be unfinished. Without `toLowerCase()`, which changes the length of some texts. */
const THOUGHTS = /\s*<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/giy;
const UP_TO_CLOSING_TAG = /^[\s\S]*<\/(?:think|thinking|reasoning)>/i;

/** The answer without the model's thoughts before it. Thoughts inside the JSON stay. */
export function withoutThoughts(text: string): string {
  let start = 0;
  for (const [thoughts] of text.matchAll(THOUGHTS)) start += thoughts.length;
  const rest = text.slice(start);
  // Some providers leave out the opening tag.
  const before = rest.slice(0, Math.max(0, rest.search(/[[{"]/)));
  return (before.replace(UP_TO_CLOSING_TAG, '') + rest.slice(before.length)).trim();
}

/**
 * The answer without the thoughts, code fences and chatter around it. It is the first of these
 * that is JSON: the whole text, the content of a fence, the text between braces or brackets. If
 * none is JSON: the content of the first fence, or the whole text.
 */
export function cleanOutput(text: string): string {
  const spoken = withoutThoughts(text);
  if (spoken === '' || isJson(spoken)) return spoken;
  const fences = fencesIn(spoken);
  const found = fences.find(isJson) ?? bracketed(spoken);
  return found ?? fences[0] ?? spoken;
}

/** The contents of the code fences; those marked as JSON first. */
function fencesIn(text: string): string[] {
  const parts = text.split('```');
  const blocks: { content: string; isJson: boolean }[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const [, language = '', content = ''] = /^([A-Za-z]*)([\s\S]*)$/.exec(parts[at]!) ?? [];
    // A fence without a language may begin with a word that is its content, such as `true`.
    const whole = content.trim() === '' ? language : content.trim();
    blocks.push({ content: whole, isJson: language.toLowerCase() === 'json' });
  }
  return [...blocks].sort((a, b) => Number(b.isJson) - Number(a.isJson)).map(({ content }) => content);
}

/** The longest object or list in a text. Shorter ones may be footnotes. */
function bracketed(text: string): string | undefined {
  let longest: string | undefined;
  for (let from = text.search(/[[{]/), tries = 0; from >= 0 && tries < MAX_TRIES; tries++) {
    const end = endOf(text, from);
    const candidate = end === undefined ? undefined : text.slice(from, end);
    const isFound = candidate !== undefined && isJson(candidate);
    if (isFound && candidate.length > (longest?.length ?? 0)) longest = candidate;
    const rest = isFound ? end! : from + 1;
    const next = text.slice(rest).search(/[[{]/);
    from = next < 0 ? -1 : rest + next;
  }
  return longest;
}

const MAX_TRIES = 10;

/** The index after the bracket that closes the one at `from`. Undefined if none closes it. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (isText) {
      if (sign === '\\') at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
