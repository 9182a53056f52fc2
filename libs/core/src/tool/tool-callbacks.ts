import type { ToolCallback } from '../model/tool-callback.js';
import { duplicateToolsText } from '../model/tool-calling-chat-options.js';
import { readClassEnhancers } from './declaration/enhancers.js';
import { classNameOf, ToolDeclarationException } from '@nestor-ai/schema';
import { usableToolMethods } from './declaration/tool.decorator.js';
import { createMethodTool } from './create-method-tool.js';
import { MethodToolCallback } from './method-tool-callback.js';

/** Creates tools from objects outside a Nest container. */
export const ToolCallbacks = {
  /**
   * Creates tools from the `@Tool()` methods of instances, and from the static ones of classes.
   *
   * @throws ToolDeclarationException when an object has no tools, two tools have the same name, or
   * a method has guards or other enhancers, which only the container can run
   */
  from(...toolObjects: object[]): ToolCallback[] {
    const callbacks = toolObjects.flatMap(toolsOf);
    const text = duplicateToolsText(callbacks);
    if (text !== undefined) throw new ToolDeclarationException(text);
    return callbacks;
  },
};

function toolsOf(source: object): ToolCallback[] {
  const target = typeof source === 'function' ? source : (Object.getPrototypeOf(source) as object);
  const methods = usableToolMethods(target);
  if (methods.length === 0) {
    const name = classNameOf(source);
    throw new ToolDeclarationException(
      typeof source === 'function' && usableToolMethods(Object(source.prototype)).length > 0
        ? `The @Tool() methods of ${name} need an instance. In Nest, provide the class in a module.`
        : `No @Tool() methods found in ${name}. Did you mean to pass a ToolCallback or a ToolCallbackProvider?`,
    );
  }
  const host = { object: source, ofClass: readClassEnhancers(target) };
  return methods.map((method) => new MethodToolCallback(createMethodTool(method, target, host)));
}
