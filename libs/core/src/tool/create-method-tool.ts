import { createToolDefinition, toolModelOptions } from '../model/tool-definition.js';
import {
  classNameOf,
  declaredOutput,
  type MethodTypes,
  readMethodInput,
  ToolDeclarationException,
} from '@nestor-ai/schema';
import type { Enhancers } from './declaration/enhancers.js';
import { resultConverterOf } from './declaration/result-converter.js';
import { checkRouteParameters } from './declaration/route-parameters.js';
import { toolDescriptionOf, toolMetadataOf, toolNameOf, type ToolMethod } from './declaration/tool.decorator.js';
import { checkCallable, MethodToolRecord } from './method-tool-record.js';
import { DefaultToolCallResultConverter, type ToolCallResultConverter } from './result/tool-call-result-converter.js';
import type { ToolAround, ToolId } from './tool-record.js';

/** The object of a method tool, and defaults for what its declaration leaves out. */
export interface MethodToolHost {
  readonly object?: object | undefined;
  /** Runs the method inside a container. */
  readonly around?: ToolAround | undefined;
  /** The enhancers of the class, if already read. */
  readonly ofClass?: Enhancers['effective'] | undefined;
  /** The result converter, already instantiated. */
  readonly resultConverter?: ToolCallResultConverter | undefined;
  /** The id of the tool that this one is a variant of. */
  readonly id?: ToolId | undefined;
}

/**
 * Creates the record of a `@Tool()` method.
 *
 * @param method the method as found on `target`
 * @param target the prototype, or the class of a static method
 * @param host the instance or class to call the method on, or how a container calls it
 * @throws ToolDeclarationException when its input cannot be determined
 */
export function createMethodTool(method: ToolMethod, target: object, host: MethodToolHost): MethodToolRecord {
  const { methodName, options, declared } = method;
  const name = toolNameOf(methodName, options);
  const { around, object, id } = host;
  const { methodInput, output, metadata } = withToolName(method, target, () => {
    checkRouteParameters(target, methodName);
    const input = readMethodInput({ target, methodName, options });
    const returned = declaredOutput(options, outputOf(method, host, input.types));
    return { methodInput: input, output: returned, metadata: toolMetadataOf(options) };
  });
  if (!around) checkCallable(object, target, methodName, declared, host.ofClass);
  return new MethodToolRecord({
    definition: createToolDefinition({
      name,
      description: toolDescriptionOf(methodName, options, methodInput.types),
      inputSchema: methodInput.input.schema,
      ...output,
      ...toolModelOptions(options),
    }),
    metadata,
    methodName,
    target,
    object,
    methodInput,
    around,
    id,
    resultConverter: host.resultConverter ?? (options.resultConverter && resultConverterOf(options.resultConverter)),
  });
}

/**
 * The schema of the result from types. A handler is no tool. A converter may hide parts of the
 * result, so only the tool itself may declare that they are shown.
 */
function outputOf(
  { options: { kind, resultConverter } }: ToolMethod,
  host: MethodToolHost,
  types: MethodTypes | undefined,
): MethodTypes['output'] {
  if (kind !== undefined || resultConverter !== undefined) return undefined;
  const { constructor } = host.resultConverter ?? {};
  const isDefault = !host.resultConverter || constructor === DefaultToolCallResultConverter;
  return isDefault ? types?.output : undefined;
}

function withToolName<T>({ methodName, options }: ToolMethod, target: object, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const what = `${options.kind ?? 'tool'} '${toolNameOf(methodName, options)}' (${classNameOf(target)}.${methodName})`;
    throw new ToolDeclarationException(
      `The ${what} cannot be offered${options.kind === undefined ? ' to a model' : ''}. ${(cause as Error).message}`,
      { cause },
    );
  }
}
