import type { ToolCallResultConverter } from '../result/tool-call-result-converter.js';
import type { Constructor, Type } from '../type.js';
import { ToolDeclarationException } from './tool-declaration.exception.js';

/**
 * The converter that a tool names: an instance, or a class.
 *
 * @param find looks for an instance of the class, where there is a container
 * @throws ToolDeclarationException for a class with dependencies that nobody provides
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
      `The resultConverter ${given.name} has dependencies. Provide it in a module, or give an instance of it.`,
    );
  }
  return new (given as Constructor<ToolCallResultConverter>)();
}
