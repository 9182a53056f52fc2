import type { ToolResponse } from '@nestor-ai/core';
import type { TimeExpression } from './time-expression.js';

/** Makes an answer from the results of tools. */
export function phraseAnswer(
  responses: readonly ToolResponse[],
  clockName: string | undefined,
  time: TimeExpression | undefined,
  now: Date | undefined,
): string {
  const told = responses.filter(({ name }) => name !== clockName);
  if (told.length > 0) return told.map(phraseResult).join(' ');
  if (time && now) return phraseTime(time, now);
  return responses.map(phraseResult).join(' ');
}

function phraseTime(time: TimeExpression, now: Date): string {
  const date = time.resolve(now);
  const day = date.toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  if (/^(yesterday|today|tomorrow)$/i.test(time.text)) {
    const verb = time.text.toLowerCase() === 'yesterday' ? 'was' : 'is';
    return `${time.text[0]!.toUpperCase()}${time.text.slice(1).toLowerCase()} ${verb} ${day}.`;
  }
  const verb = Math.abs(date.getTime() - now.getTime()) < 60_000 ? 'It is' : 'That is';
  return `${verb} ${day}, ${date.toISOString().slice(11, 16)} UTC.`;
}

function phraseResult({ name, responseData, isError }: ToolResponse): string {
  if (isError) return `${name} did not work: ${responseData}`;
  const value = parse(responseData);
  const text = typeof value === 'object' && value !== null ? phraseObject(value) : String(value);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function phraseObject(value: object): string {
  if (Array.isArray(value) && value.length === 0) return 'nothing';
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? phraseObject(item as object) : String(item))).join('; ');
  return Object.entries(value)
    .map(
      ([key, item]) =>
        `${key}: ${typeof item === 'object' && item !== null ? phraseObject(item as object) : String(item)}`,
    )
    .join(', ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
