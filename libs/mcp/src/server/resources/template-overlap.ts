import type { ResourceUriTemplate } from './uri-template.js';

/** One character, or a variable that stands for one or more of them. */
interface Step {
  /** Undefined for any character, apart from those that a segment must not contain. */
  readonly character: string | undefined;
  readonly isSegment: boolean;
  /** Whether the step may be taken any number of times, also never. */
  readonly isRepeated: boolean;
}

/** Whether a URI may have the form of both templates, so that it is not clear which one it means. */
export function overlap(one: ResourceUriTemplate, other: ResourceUriTemplate): boolean {
  const [left, right] = [stepsOf(one), stepsOf(other)];
  const reached = new Set<number>();
  const open: (readonly [left: number, right: number])[] = [[0, 0]];
  for (let at = open.pop(); at; at = open.pop()) {
    const [i, j] = at;
    const key = i * (right.length + 1) + j;
    if (reached.has(key)) continue;
    reached.add(key);
    const [a, b] = [left[i], right[j]];
    if (!a && !b) return true;
    if (a?.isRepeated) open.push([i + 1, j]);
    if (b?.isRepeated) open.push([i, j + 1]);
    if (a && b && haveCommon(a, b)) open.push([a.isRepeated ? i : i + 1, b.isRepeated ? j : j + 1]);
  }
  return false;
}

function stepsOf({ parts }: ResourceUriTemplate): Step[] {
  return parts.flatMap((part): Step[] => {
    if ('text' in part) {
      return part.text.split('').map((character) => ({ character, isSegment: false, isRepeated: false }));
    }
    const any = { character: undefined, isSegment: !part.isPath };
    return [
      { ...any, isRepeated: false },
      { ...any, isRepeated: true },
    ];
  });
}

function haveCommon(one: Step, other: Step): boolean {
  if (one.character !== undefined && other.character !== undefined) return one.character === other.character;
  const character = one.character ?? other.character;
  return character !== '/' || !(one.isSegment || other.isSegment);
}
