import 'reflect-metadata';
import { readEnhancers } from './enhancers.js';
import { ToolDeclarationException } from '@nestor-ai/schema';

/** A function that carries the metadata for guards. It is never called. */
export type ToolHandler = () => undefined;

/**
 * Applies method decorators to a function that represents a tool.
 *
 * @param decorators in the order in which they would stand above a method
 * @throws ToolDeclarationException for a decorator that adds no metadata or replaces the function,
 * and for enhancers, because nothing would run them
 */
export function decoratedHandler(toolName: string, decorators: readonly MethodDecorator[]): ToolHandler {
  const handler: ToolHandler = () => undefined;
  // Decorators may also write to the class, so each tool gets its own.
  const { prototype } = class {};
  const descriptor: PropertyDescriptor = { value: handler, configurable: true, writable: true };
  for (const [index, decorate] of [...decorators.entries()].toReversed()) {
    const place = `Decorator number ${index + 1} of the tool '${toolName}'`;
    if (typeof decorate !== 'function') {
      throw new ToolDeclarationException(`${place} is not a decorator, but ${String(decorate)}.`);
    }
    const before = metadataOf(handler);
    const returned: unknown = decorate(prototype, toolName, descriptor);
    if (metadataOf(handler).every(([key, value]) => before.some(([k, v]) => k === key && v === value))) {
      throw new ToolDeclarationException(
        `${place} adds no metadata to the function, so guards would not see it. If a function creates the decorator, call it: [Roles(['admin'])].`,
      );
    }
    if (((returned as PropertyDescriptor | undefined) ?? descriptor).value !== handler) {
      throw new ToolDeclarationException(
        `${place} replaces the function. Wrap the function where you create it instead.`,
      );
    }
  }
  refuseEnhancers(toolName, handler);
  return handler;
}

function metadataOf(handler: ToolHandler): [unknown, unknown][] {
  return Reflect.getMetadataKeys(handler).map((key: string) => [key, Reflect.getMetadata(key, handler)]);
}

function refuseEnhancers(toolName: string, handler: ToolHandler): void {
  const kinds = [...readEnhancers({ handler }, 'handler').effective.keys()];
  if (kinds.length === 0) return;
  throw new ToolDeclarationException(
    `The tool '${toolName}' has ${kinds.join(' and ')} among its decorators, which do not run for a function. Put them on a @Tool() method, ` +
      'or use global ones that read metadata.',
  );
}
