import { OWN_CATALOGUE } from './catalogue/read-catalogue.js';

const OPTIONS = ['--once', '--trace', '--catalogue'];

/** What the assistant was started with. */
export interface Arguments {
  /** Whether to end after the questions, without listening. */
  readonly once: boolean;
  /** Whether traces and measurements are printed. */
  readonly trace: boolean;
  /** The catalogue to search; undefined for the quick start. */
  readonly catalogue: string | URL | undefined;
  /** Questions in place of the built-in ones. */
  readonly questions: readonly string[];
}

/**
 * Reads `[--once] [--trace] [--catalogue [FILE.jsonl] [QUESTION…]]`.
 *
 * @throws Error for an option that there is not
 */
export function readArguments(given: readonly string[]): Arguments {
  const unknown = given.find((argument) => argument.startsWith('--') && !OPTIONS.includes(argument));
  if (unknown !== undefined) {
    throw new Error(`There is no option ${unknown}. Known: --once, --trace, --catalogue [FILE.jsonl] [QUESTION…].`);
  }
  const once = given.includes('--once');
  const trace = given.includes('--trace');
  const at = given.indexOf('--catalogue');
  const rest = given.slice(at + 1).filter((argument) => !OPTIONS.includes(argument));
  if (at < 0) return { once, trace, catalogue: undefined, questions: [] };
  const isFile = rest[0]?.endsWith('.jsonl') === true;
  return { once, trace, catalogue: isFile ? rest[0] : OWN_CATALOGUE, questions: isFile ? rest.slice(1) : rest };
}
