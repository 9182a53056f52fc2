import 'reflect-metadata';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { CallableToolRecord } from './callable-tool-record.js';
import { type Enhancers, readEnhancers, unrunEnhancersText } from './declaration/enhancers.js';
import {
  classNameOf,
  type MethodInput,
  ToolDeclarationException,
  type ToolInput,
  type ToolInputSources,
  type ToolParameter,
} from '@nestor-ai/schema';
import type { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import type { ToolAround, ToolId, ToolMethodPlace } from './tool-record.js';

/** The values that a {@link MethodToolRecord} is created from. */
export interface MethodToolRecordInit {
  readonly definition: ToolDefinition;
  readonly metadata: ToolMetadata;
  readonly methodName: string;
  /** The prototype that declares the method, or the class of a static method. */
  readonly target: object;
  /**
   * The instance to call the method on, or the class of a static method. Optional with `around`.
   */
  readonly object: object | undefined;
  /** How the method takes its input, or a function that determines it on first use. */
  readonly methodInput: MethodInput | (() => MethodInput);
  readonly resultConverter?: ToolCallResultConverter | undefined;
  /** Runs the method inside a container. */
  readonly around?: ToolAround | undefined;
  /** The id of the tool that this one is a variant of. */
  readonly id?: ToolId | undefined;
}

/** A method as a tool. */
export class MethodToolRecord extends CallableToolRecord implements ToolMethodPlace {
  override readonly id: ToolId;
  override readonly definition: ToolDefinition;
  override readonly metadata: ToolMetadata;
  override readonly method: ToolMethodPlace = this;
  readonly object: object | undefined;
  readonly target: object;
  readonly methodName: string;
  override readonly around: ToolAround | undefined;
  #methodInput: MethodInput | (() => MethodInput);
  #returnType: readonly unknown[] | undefined;

  constructor(init: MethodToolRecordInit) {
    super(init.resultConverter);
    const { definition, methodName, target, object } = init;
    this.definition = definition;
    this.metadata = init.metadata;
    this.object = object;
    this.methodName = methodName;
    this.around = init.around;
    this.id = init.id ?? { owner: object ?? this, name: methodName };
    this.target = target;
    this.#methodInput = init.methodInput;
  }

  override get origin(): string {
    return `${classNameOf(this.target)}.${this.methodName}()`;
  }

  get parameters(): readonly ToolParameter[] {
    return this.#plan.parameters;
  }

  get sources(): ToolInputSources {
    return this.#plan.sources;
  }

  override toArguments(input: unknown, context: ToolContext): readonly unknown[] {
    return this.#plan.toArguments(input, context);
  }

  override run(input: unknown, context: ToolContext): unknown {
    const { object, methodName } = this;
    // Looked up on each call, so that a replaced method, such as a spy, is called.
    const instance = object as Record<string, (...args: unknown[]) => unknown>;
    return instance[methodName]!(...this.#plan.toArguments(input, context));
  }

  protected override get input(): ToolInput {
    return this.#plan.input;
  }

  protected override get returnType(): unknown {
    this.#returnType ??= [Reflect.getMetadata('design:returntype', this.target, this.methodName)];
    return this.#returnType[0];
  }

  protected override get isOutputTyped(): boolean {
    return this.definition.outputSchema === this.#plan.types?.output;
  }

  get #plan(): MethodInput {
    if (typeof this.#methodInput === 'function') this.#methodInput = this.#methodInput();
    return this.#methodInput;
  }
}

/**
 * Checks that a method can be called without a container.
 *
 * @param declared the function that `@Tool()` was applied to
 * @param ofClass the enhancers of the class, if already read
 * @throws ToolDeclarationException when the method does not exist or has enhancers, which only a
 * container can run
 */
export function checkCallable(
  object: object | undefined,
  target: object,
  methodName: string,
  declared: unknown,
  ofClass?: Enhancers['effective'],
): void {
  if (!object) {
    throw new ToolDeclarationException(
      `The tool method '${methodName}' needs a toolObject, or a toolClass if it is static.`,
    );
  }
  if (typeof (object as Record<string, unknown>)[methodName] !== 'function') {
    throw new ToolDeclarationException(`${classNameOf(object)} has no method '${methodName}' to call as a tool.`);
  }
  const { effective, lost } = readEnhancers(target, methodName, declared, ofClass);
  if (effective.size === 0 && lost.length === 0) return;
  const kinds = new Set([...effective.keys(), ...lost]);
  throw new ToolDeclarationException(unrunEnhancersText(`${classNameOf(target)}.${methodName}()`, kinds));
}
