import type { MessageView } from '../src/view/message-view.js';
import type { TurnView } from '../src/view/turn-view.js';
import { parsed, stringified } from './json-tree.js';

/** A line of each of two turns, which are the same or not. Undefined where one has nothing. */
export interface DiffRow {
  readonly one: string | undefined;
  readonly other: string | undefined;
}

/** Longer turns are compared by their first lines. */
const MAX_LINES = 2000;

/**
 * A turn as lines of text: its conversation as the model saw it last, and what came then. A retry begins
 * in the middle, so that its calls cannot be compared one by one.
 */
export function linesOf({ calls, tools }: TurnView): string[] {
  const last = calls.at(-1);
  const read = calls.reduce<readonly MessageView[]>(
    (before, { repeated, messages }) => [...before.slice(0, repeated), ...messages],
    [],
  );
  const lines = [
    ...read.flatMap(messageLines),
    `tools: ${last?.tools.join(', ') ?? ''}`,
    ...(last?.answer ? messageLines(last.answer) : []),
    ...(last?.error === undefined ? [] : [`error: ${last.error}`]),
    ...tools
      .filter(({ modelCall }) => modelCall === calls.length - 1)
      .flatMap(({ name, arguments: args, result }) => [
        `call: ${name}(${dense(args)})`,
        ...split(`result: ${result ?? ''}`),
      ]),
  ];
  return lines.slice(0, MAX_LINES);
}

function messageLines({ role, text, calls = [], results = [] }: MessageView): string[] {
  return [
    ...split(`${role}: ${text}`),
    ...calls.map((call) => `  ${call.name}(${dense(call.arguments)})`),
    ...results.flatMap((result) => split(`  ${result.name} → ${result.text}`)),
  ];
}

/** Spaces are no difference. */
function dense(json: string): string {
  return stringified(parsed(json)) ?? json;
}

function split(text: string): string[] {
  return text.slice(0, 20_000).split('\n');
}

/** A part of a line. */
export interface LinePart {
  readonly text: string;
  /** Whether the other line does not have it. */
  readonly isOwn: boolean;
}

/** Longer lines are not compared word by word. */
const MAX_WORDS = 300;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|\s+|./gu) ?? [];

/** The parts of a line that another one has, and does not have. */
export function partsOf(line: string, other: string): LinePart[] {
  const [words, others] = [wordsOf(line), wordsOf(other)];
  if (words.length > MAX_WORDS || others.length > MAX_WORDS) return [{ text: line, isOwn: false }];
  const parts: LinePart[] = [];
  for (const { one, other: same } of diffOf(words, others)) {
    if (one === undefined) continue;
    const last = parts.at(-1);
    const isOwn = one !== same;
    if (last?.isOwn === isOwn) parts[parts.length - 1] = { text: last.text + one, isOwn };
    else parts.push({ text: one, isOwn });
  }
  return parts;
}

/** What two lists of lines have in common, side by side: the longest common subsequence. */
export function diffOf(one: readonly string[], other: readonly string[]): DiffRow[] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let a = one.length - 1; a >= 0; a--) {
    for (let b = other.length - 1; b >= 0; b--) {
      const isSame = one[a] === other[b];
      lengths[a]![b] = isSame ? lengths[a + 1]![b + 1]! + 1 : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!);
    }
  }
  const rows: DiffRow[] = [];
  let [a, b] = [0, 0];
  const [left, right]: [string[], string[]] = [[], []];
  const pair = (): void => {
    while (left.length + right.length > 0) rows.push({ one: left.shift(), other: right.shift() });
  };
  while (a < one.length || b < other.length) {
    if (a < one.length && b < other.length && one[a] === other[b]) {
      pair();
      rows.push({ one: one[a++]!, other: other[b++]! });
    } else if (b >= other.length || (a < one.length && lengths[a + 1]![b]! >= lengths[a]![b + 1]!)) {
      left.push(one[a++]!);
    } else {
      right.push(other[b++]!);
    }
  }
  pair();
  return rows;
}
