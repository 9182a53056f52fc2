import 'reflect-metadata';
import { RUNS_WITH_RUNNER, type ToolContext } from '../model/tool-context.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from '../model/tool-metadata.js';
import type { JsonSchema } from '../model/json-schema.js';
import { stableJson } from '../model/stable-json.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { CallableToolCallback, DEFAULT_RESULT_CONVERTER } from './callable-tool-callback.js';
import { readMethodInput, type MethodInput, type ToolParameter } from './declaration/method-input.js';
import { readEnhancers } from './declaration/enhancers.js';
import { ToolDeclarationException } from './declaration/tool-declaration.exception.js';
import { findToolMethod, offerOf, type ToolMethod } from './declaration/tool.decorator.js';
import { JsonSchemaInput } from './input/json-schema-input.js';
import type { ToolInput } from './input/tool-input.js';
import type { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { policiesOf } from './policies.js';
import { runCode, runMethod } from './run-code.js';
import { classNameOf, type Type } from './type.js';

/** Calls a method with its arguments laid out. Replaced where the container has a say in the call. */
export type MethodInvoker = (args: unknown[], context: ToolContext) => unknown;

/** The mark of options whose invoker calls the method with `runMethod()`. */
export const RUNS_ITSELF = Symbol('nestor.RunsItself');

/** The options of {@link MethodToolCallback}. */
export interface MethodToolCallbackOptions {
  toolDefinition: ToolDefinition;
  toolMetadata?: ToolMetadata;
  /** The name of the method. */
  toolMethod: string;
  /** The instance whose method is called. */
  toolObject?: object;
  /** The class whose static method is called. */
  toolClass?: Type;
  toolCallResultConverter?: ToolCallResultConverter;
  /** How the method takes its input. Default: read from its decorators. */
  methodInput?: MethodInput;
  /** Where the method is declared. Default: the class of `toolObject`, or `toolClass`. */
  target?: object;
  /** How the method is called. Default: directly. */
  invoker?: MethodInvoker;
}

/** A method as a tool. */
export class MethodToolCallback extends CallableToolCallback {
  override readonly toolDefinition: ToolDefinition;
  override readonly toolMetadata: ToolMetadata;
  protected override readonly resultConverter: ToolCallResultConverter;
  override readonly origin: string;
  /** The instance, or the class of a static method, whose method is called; undefined where the container makes it. */
  readonly toolObject: object | undefined;
  readonly methodName: string;
  readonly #target: object;
  readonly #invoker: MethodInvoker;
  readonly #runsItself: boolean;
  readonly #readInput: (() => MethodInput) | undefined;
  #returnType: readonly unknown[] | undefined;
  #methodInput: MethodInput | undefined;

  /** @throws ToolDeclarationException when there is no such method */
  constructor(options: MethodToolCallbackOptions) {
    super();
    const { toolObject, toolClass, toolMethod } = options;
    this.toolDefinition = createToolDefinition(options.toolDefinition);
    this.toolMetadata = RUNS_ITSELF in options ? (options.toolMetadata ?? DEFAULT_TOOL_METADATA) : metadataOf(options);
    this.resultConverter = options.toolCallResultConverter ?? DEFAULT_RESULT_CONVERTER;
    this.#methodInput = options.methodInput;
    const host = toolObject ?? toolClass;
    if (!host && !options.target) throw needsHost(toolMethod);
    const target = options.target ?? ((typeof host === 'object' ? Object.getPrototypeOf(host) : host) as object);
    this.#runsItself = !options.invoker || RUNS_ITSELF in options;
    this.#invoker = options.invoker ?? directInvoker(host, target, toolMethod, findToolMethod(target, toolMethod));
    this.origin = `${classNameOf(target)}.${toolMethod}()`;
    this.#target = target;
    this.methodName = toolMethod;
    this.toolObject = host;
    // Kept only where it is needed: an application may have thousands of these.
    if (options.methodInput) return;
    this.#readInput = () => {
      const read = readMethodInput({
        target,
        methodName: toolMethod,
        options: findToolMethod(target, toolMethod)?.options ?? {},
      });
      return heldTo(this.toolDefinition.inputSchema, read);
    };
  }

  static builder(): FluentBuilder<MethodToolCallbackOptions, MethodToolCallback> {
    return fluentBuilder((options: MethodToolCallbackOptions) => new MethodToolCallback(options));
  }

  /** The parameters of the method that take what the model sends. */
  get parameters(): readonly ToolParameter[] {
    return this.#plan.parameters;
  }

  protected override get returnType(): unknown {
    this.#returnType ??= [Reflect.getMetadata('design:returntype', this.#target, this.methodName)];
    return this.#returnType[0];
  }

  protected override get input(): ToolInput {
    return this.#plan.input;
  }

  get [RUNS_WITH_RUNNER](): unknown {
    return this.invoke === MethodToolCallback.prototype.invoke ? CallableToolCallback.prototype.call : undefined;
  }

  protected override invoke(input: unknown, context: ToolContext): unknown {
    const args = this.#plan.toArguments(input, context);
    return this.#runsItself ? this.#invoker(args, context) : runCode(context, () => this.#invoker(args, context));
  }

  get #plan(): MethodInput {
    return (this.#methodInput ??= this.#readInput!());
  }
}

/** What a model is shown has to hold, also where it is not what the method says itself. */
function heldTo(schema: JsonSchema, methodInput: MethodInput): MethodInput {
  const { input } = methodInput;
  if (stableJson(schema) === stableJson(input.schema)) return methodInput;
  const shown = new JsonSchemaInput(schema);
  return {
    ...methodInput,
    input: {
      schema,
      parse: (json) => input.parse(shown.parse(json)),
      verify: () => {
        shown.verify();
        input.verify?.();
      },
    },
  };
}

/** What is said here, and what the method says itself: who has to approve it and who may see it cannot be said away. */
function metadataOf({
  toolMetadata,
  toolMethod,
  toolObject,
  toolClass,
  target,
}: MethodToolCallbackOptions): ToolMetadata {
  const host = target ?? (toolObject ? (Object.getPrototypeOf(toolObject) as object) : toolClass);
  const options = (host && findToolMethod(host, toolMethod)?.options) ?? {};
  const declared = { ...policiesOf(options), ...offerOf(options) };
  if (Object.keys(declared).length === 0) return toolMetadata ?? DEFAULT_TOOL_METADATA;
  const { needsApproval, visible } = declared;
  return Object.freeze({
    ...DEFAULT_TOOL_METADATA,
    ...declared,
    ...toolMetadata,
    ...(needsApproval !== undefined && { needsApproval }),
    ...(visible && { visible }),
  });
}

function needsHost(methodName: string): ToolDeclarationException {
  return new ToolDeclarationException(
    `The tool method '${methodName}' needs a toolObject, or a toolClass if it is static.`,
  );
}

/** Calls the method as it is. What only the container could run before it must not be left out. */
export function directInvoker(
  host: object | undefined,
  target: object,
  methodName: string,
  method: ToolMethod | undefined,
): MethodInvoker {
  if (!host) {
    throw needsHost(methodName);
  }
  if (typeof (host as Record<string, unknown>)[methodName] !== 'function') {
    throw new ToolDeclarationException(
      `${classNameOf(host)} has no method '${methodName}' that could be called as a tool.`,
    );
  }
  refuseEnhancers(target, methodName, method?.declared);
  // Looked up at each call: whoever replaces the method later, such as a spy, is respected.
  const instance = host as Record<string, (...args: unknown[]) => unknown>;
  return (args, context) => runMethod(instance, methodName, args, context);
}

function refuseEnhancers(target: object, methodName: string, declared: unknown): void {
  const { effective, lost } = readEnhancers(target, methodName, declared);
  if (effective.size === 0 && lost.length === 0) return;
  const kinds = new Set([...effective.keys(), ...lost]);
  throw new ToolDeclarationException(
    `${classNameOf(target)}.${methodName}() has ${[...kinds].join(' and ')}, which would not run: the object is used outside the Nest ` +
      'container. Provide its class in a module and use the ChatClient of AiModule.',
  );
}
