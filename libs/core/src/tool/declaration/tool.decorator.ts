import { Logger } from '@nestjs/common';
import 'reflect-metadata';
import { describeName } from '../../model/tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from '../../model/tool-metadata.js';
import { checkOptions, offerOf, policiesOf } from '../policies.js';
import { classNameOf, type MethodTypes, ownValuesOf, typedMethodOf } from '@nestor-ai/schema';
import type { OptionsInput, ToolDecorator } from './checked-method.js';
import { markAsEntryProvider } from './enhancers.js';
import type { CommonToolOptions, HandlerOptions, ToolOptions } from './tool-options.js';

const TOOLS = Symbol.for('nestor.Tools');

/**
 * Lets a model call this method.
 *
 * The options are stored on the class under the method's name, not on the function. So they
 * survive decorators that replace the function, and an overriding method of a subclass is a tool
 * as well.
 *
 * A method whose parameter cannot take what `inputSchema` or `inputType` gives does not compile.
 *
 * @example
 * \@Tool({ description: 'The current date and time in the user's time zone' })
 * getCurrentDateTime(): string { return new Date().toISOString(); }
 */
export function Tool<Input = never, Declared = unknown>(
  options?: ToolOptions<OptionsInput<Input, Declared>, Declared>,
): unknown extends Declared ? MethodDecorator : ToolDecorator<Declared>;
export function Tool(options: MethodOptions = {}): unknown {
  return (target: object, key: string | symbol, descriptor: PropertyDescriptor | undefined) => {
    if (typeof key === 'symbol') {
      throw new TypeError(`@Tool() needs a method whose name is a string, but was applied to ${String(key)}.`);
    }
    if (typeof descriptor?.value !== 'function') {
      throw new TypeError(
        `@Tool() needs a method, but ${classNameOf(target)}.${key} is a property or an accessor. Write it as a method.`,
      );
    }
    let tools = Object.getOwnPropertyDescriptor(target, TOOLS)?.value as ToolMap | undefined;
    if (!tools) {
      tools = new Map();
      Object.defineProperty(target, TOOLS, { value: tools });
    }
    const entry = { methodName: key, options: { ...options }, declared: descriptor.value };
    tools.set(options.kind === undefined ? key : `${key} ${options.kind}`, entry);
    markAsEntryProvider(target);
  };
}

/** Makes a method a handler of a kind, in place of a tool. */
export const Handler: (options: HandlerOptions) => MethodDecorator = Tool;

/** The options of a tool, or of a handler. */
type MethodOptions = ToolOptions & Partial<Pick<HandlerOptions, 'kind'>>;

/** The stored data of a method: its options, and the function at the time it was decorated. */
interface ToolEntry {
  readonly methodName: string;
  readonly options: MethodOptions;
  readonly declared: unknown;
}

/** By method, and by kind for handlers. */
type ToolMap = Map<string, ToolEntry>;

/** A method decorated with {@link Tool}. */
export interface ToolMethod {
  readonly methodName: string;
  readonly options: MethodOptions;
  /** The decorated function. Another decorator may have replaced it since. */
  readonly declared?: unknown;
}

/**
 * The decorated methods of a prototype, or the static ones of a class: its own first, then
 * inherited ones. An overridden method appears once for each kind, with the options closest to the
 * class.
 */
export function findToolMethods(target: object): ToolMethod[] {
  if (!hasToolMethods(target)) return [];
  const found = new Map<string, ToolEntry>();
  for (const tools of ownValuesOf(target, TOOLS) as ToolMap[]) {
    for (const [name, entry] of tools) if (!found.has(name)) found.set(name, entry);
  }
  return [...found.values()];
}

/**
 * Whether a class declares or inherits `@Tool()` methods. A single lookup along the prototype
 * chain.
 */
export function hasToolMethods(target: object): boolean {
  return TOOLS in target;
}

/** The methods that are handlers of a kind, not tools. */
export function handlerMethods(target: object): ToolMethod[] {
  return findToolMethods(target).filter(({ options }) => options.kind !== undefined);
}

/**
 * The `@Tool()` methods that can be tools. Methods that return a function are left out with a
 * warning, because a model cannot read a function.
 */
export function usableToolMethods(target: object): ToolMethod[] {
  return findToolMethods(target).filter(({ methodName, options }) => {
    if (options.kind !== undefined) return false;
    if (Reflect.getMetadata('design:returntype', target, methodName) !== Function) return true;
    // TypeScript also emits Function for a class that is imported with `import type`.
    const typed = typedMethodOf(target, methodName);
    if (typed && !typed.types.returnsFunction) return true;
    const place = `${classNameOf(target)}.${methodName}()`;
    new Logger('Tool').warn(
      `${place} returns a function, so it is not a tool. Return the value itself, or turn the function into a tool with ` +
        'FunctionToolCallback or toolProvider().',
    );
    return false;
  });
}

/** The `@Tool()` method with this name, if there is one. */
export function findToolMethod(target: object, methodName: string): ToolMethod | undefined {
  return findToolMethods(target).find(
    (method) => method.methodName === methodName && method.options.kind === undefined,
  );
}

/** The name that the model uses for a method. */
export function toolNameOf(methodName: string, options: ToolOptions): string {
  return options.name?.trim() ? options.name : methodName;
}

/** The description of a method: of `@Tool()`, else of its comment, else the words of its name. */
export function toolDescriptionOf(methodName: string, options: ToolOptions, types?: MethodTypes): string {
  if (options.description?.trim()) return options.description;
  return types?.description?.trim() ? types.description : describeName(toolNameOf(methodName, options));
}

/** The options that concern running the tool. */
export function toolMetadataOf(options: CommonToolOptions): ToolMetadata {
  const { returnDirect = false, metadata } = options;
  checkOptions(options);
  const policies = policiesOf(options);
  const offer = offerOf(options);
  if (!returnDirect && !policies && !metadata && !offer) return DEFAULT_TOOL_METADATA;
  return Object.freeze({ ...metadata, ...policies, ...offer, returnDirect });
}
