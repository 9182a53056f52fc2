import { jsonrepair } from 'jsonrepair';

const THOUGHTS = ['think', 'thinking', 'reasoning'];

/** The answer without the thoughts before it. Thoughts inside the JSON stay. */
function withoutThoughts(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const tag = THOUGHTS.find((name) => rest.slice(0, name.length + 2).toLowerCase() === `<${name}>`);
    if (tag === undefined) break;
    const end = rest.toLowerCase().indexOf(`</${tag}>`);
    if (end < 0) return '';
    rest = rest.slice(end + tag.length + 3).trimStart();
  }
  // Some providers leave the opening tag out.
  const before = rest.slice(0, Math.max(0, rest.search(/[[{"]/)));
  const end = Math.max(...THOUGHTS.map((name) => before.toLowerCase().lastIndexOf(`</${name}>`)));
  return (end < 0 ? rest : rest.slice(rest.indexOf('>', end) + 1)).trim();
}

/**
 * The answer without the thoughts, the code fence and the talk that models put around it: the first of these that is JSON: the whole
 * text, the content of a fence, the text between braces or brackets. Without any JSON, it is the first fence or the whole text.
 */
export function cleanOutput(text: string): string {
  const spoken = withoutThoughts(text);
  if (spoken === '' || isJson(spoken)) return spoken;
  const fences = fencesIn(spoken);
  const found = fences.find(isJson) ?? bracketed(spoken);
  return found ?? fences[0] ?? spoken;
}

/** The contents of the code fences, those of JSON first. */
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

/** The longest object or list in a text: a shorter one may be a footnote. */
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

/** The index behind the bracket that closes the one at `from`; undefined when it is not closed. */
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value of JSON text that is not complete yet; undefined while it has none. */
export function parsePartial(text: string): unknown {
  const open = withoutThoughts(text);
  const from = open.search(/[[{]/);
  if (from < 0) return undefined;
  const json = settled(open.slice(from).replace(/\s*`{1,3}\s*$/, ''));
  try {
    const value: unknown = JSON.parse(jsonrepair(json));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text up to where it says something: without a key that has no value yet, a word or number that may go on, half an escape and
 * half a character.
 */
function settled(json: string): string {
  let isText = false;
  let isKey = false;
  let start = 0;
  const levels: string[] = [];
  let expectsKey = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!;
    if (isText) {
      if (sign === '\\') at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') {
      isText = true;
      isKey = expectsKey;
      start = at;
    } else if (sign === '{' || sign === '[') {
      levels.push(sign);
      expectsKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      levels.pop();
      expectsKey = false;
    } else if (sign === ',') expectsKey = levels.at(-1) === '{';
    else if (sign === ':') expectsKey = false;
  }
  if (isText && isKey) return json.slice(0, start);
  if (isText) return json.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '').replace(/[\uD800-\uDBFF]$/, '');
  const plain = json.replace(/(^|[:,[\s])[-+.\w]+$/, '$1').replace(/"(?:[^"\\]|\\.)*"\s*:\s*$/, '');
  return isKey && expectsKey ? plain.replace(/"(?:[^"\\]|\\.)*"\s*$/, '') : plain;
}
