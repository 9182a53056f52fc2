import { ToolInputException, type ToolInputIssue } from './tool-input.js';

/**
 * Converts values one after the other, and tells of all that do not fit at once.
 *
 * @param nameOf the name of a value in what a model is told, such as `city` or `[2]`
 * @throws ToolInputException with the issues of all values
 */
export async function convertEach<Key>(
  keys: readonly Key[],
  nameOf: (key: Key) => string,
  convert: (key: Key) => unknown,
): Promise<unknown[]> {
  const converted: unknown[] = [];
  const issues: ToolInputIssue[] = [];
  for (const key of keys) {
    try {
      converted.push(await convert(key));
    } catch (error) {
      if (!(error instanceof ToolInputException)) throw error;
      issues.push(...error.inside(nameOf(key)).issues);
    }
  }
  if (issues.length > 0) throw new ToolInputException(issues);
  return converted;
}
