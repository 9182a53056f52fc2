import type { ToolCallResultConverter } from '../result/tool-call-result-converter.js';
import { type Constructor, ToolDeclarationException, type Type } from '@nestor-ai/schema';

/**
 * Returns the result converter of a tool, which is declared as an instance or a class.
 *
 * @param find looks up an instance of the class in the container, if there is one
 * @throws ToolDeclarationException for a class with dependencies that no module provides
 */
export function resultConverterOf(
  given: ToolCallResultConverter | Type<ToolCallResultConverter>,
  find?: (type: Type<ToolCallResultConverter>) => ToolCallResultConverter | undefined,
): ToolCallResultConverter {
  if (typeof given !== 'function') return given;
  const found = find?.(given);
  if (found) return found;
  if (given.length > 0) {
    throw new ToolDeclarationException(
      `The resultConverter ${given.name} has dependencies. Provide it in a module or pass an instance.`,
    );
  }
  return new (given as Constructor<ToolCallResultConverter>)();
}
