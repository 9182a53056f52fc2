import { re2js } from '../lazy-modules.cjs';

/** A regular expression of a schema. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles the regular expressions of a schema.
 *
 * @throws Error when one is invalid
 */
export type PatternEngine = (source: string) => Pattern;

/**
 * Compiles a pattern of a schema. ECMA-262 requires the `u` flag, but patterns that are only valid
 * without it are common and harmless: `[\\w-.]`.
 *
 * @throws SyntaxError when it is invalid
 */
export function patternOf(source: string): Pattern {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** A reference to a group. The translation would treat it as text. */
const BACK_REFERENCE = /(?:^|[^\\])(?:\\\\)*\\[1-9k]/;

/**
 * Compiles a pattern from strangers, so that matching takes time linear in the text. Unsupported
 * are look-around, references to groups, and more than 1000 repetitions.
 *
 * @throws Error when it is invalid or unsupported
 */
export function linearPatternOf(source: string): Pattern {
  if (BACK_REFERENCE.test(source))
    throw new Error(`the pattern ${source} contains a back-reference, which is not supported for tools of providers`);
  const { RE2JS: engine } = re2js();
  const pattern = engine.compile(engine.translateRegExp(source));
  return { test: (text) => pattern.matcher(text).find() };
}
