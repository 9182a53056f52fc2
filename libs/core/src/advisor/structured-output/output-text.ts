import { jsonrepair } from 'jsonrepair';

const THINKING = /<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi;
const FENCE = /^```[\w-]*[ \t]*\r?\n?([\s\S]*?)\r?\n?```$/;
const FENCE_IN_TEXT = /```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n```/i;

/** The answer without what models put around it against orders: thoughts, a code fence, blanks. */
export function cleanOutput(text: string): string {
  const spoken = text.replace(THINKING, '').trim();
  const fenced = FENCE.exec(spoken)?.[1];
  if (fenced !== undefined) return fenced.trim();
  // JSON that somebody talks around.
  return /^[[{"\d-]/.test(spoken) ? spoken : (FENCE_IN_TEXT.exec(spoken)?.[1]?.trim() ?? spoken);
}

/** What there is of a JSON value whose text is still being written; undefined while nothing can be made of it. */
export function parsePartial(text: string): unknown {
  const open = text.replace(THINKING, '').replace(/<(think|thinking|reasoning)>[\s\S]*$/i, '');
  const from = open.search(/[[{]/);
  if (from < 0) return undefined;
  const json = open.slice(from).replace(/\r?\n?```\s*$/, '');
  try {
    const value: unknown = JSON.parse(jsonrepair(json));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
