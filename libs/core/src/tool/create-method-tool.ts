import { readMethodInput, type MethodInput } from './declaration/method-input.js';
import { resultConverterOf } from './declaration/result-converter.js';
import { ToolDeclarationException } from './declaration/tool-declaration.exception.js';
import { toolDescriptionOf, toolMetadataOf, toolNameOf, type ToolMethod } from './declaration/tool.decorator.js';
import {
  directInvoker,
  type MethodInvoker,
  MethodToolCallback,
  type MethodToolCallbackOptions,
  RUNS_ITSELF,
} from './method-tool-callback.js';
import type { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { classNameOf } from './type.js';

/** What a method lives in, and what its surroundings say where it says nothing itself. */
export interface MethodToolHost {
  object?: object;
  invoker?: MethodInvoker;
  inferParameterNames?: boolean;
  /** The invoker is given the whole input and the context, whatever parameters the method has. */
  takesWholeInput?: boolean;
  /** The converter of the results, already made of what the method names. */
  resultConverter?: ToolCallResultConverter;
}

/**
 * Makes a tool of a `@Tool()` method.
 *
 * @param method the method as found on `target`
 * @param target the prototype, or the class of a static method
 * @param host the instance or class to call the method on; may be left out with an invoker
 * @throws ToolDeclarationException when its input cannot be known
 */
export function createMethodTool(method: ToolMethod, target: object, host: MethodToolHost): MethodToolCallback {
  const { methodName, options: declared } = method;
  const name = toolNameOf(methodName, declared);
  const read = withToolName(name, target, methodName, () =>
    readMethodInput({
      target,
      methodName,
      options: declared,
      ...(host.inferParameterNames !== undefined && { inferParameterNames: host.inferParameterNames }),
    }),
  );
  const methodInput = host.takesWholeInput ? asWhole(read) : read;
  const resultConverter =
    host.resultConverter ?? (declared.resultConverter && resultConverterOf(declared.resultConverter));
  const options: MethodToolCallbackOptions & { [RUNS_ITSELF]: true } = {
    [RUNS_ITSELF]: true,
    toolDefinition: {
      name,
      description: toolDescriptionOf(methodName, declared),
      inputSchema: methodInput.input.schema,
    },
    toolMetadata: toolMetadataOf(declared),
    toolMethod: methodName,
    target,
    methodInput,
    ...(host.object && { toolObject: host.object }),
    invoker: host.invoker ?? directInvoker(host.object, target, methodName, method),
    ...(resultConverter && { toolCallResultConverter: resultConverter }),
  };
  return new MethodToolCallback(options);
}

function asWhole({ input }: MethodInput): MethodInput {
  return { input, parameters: [], toArguments: (value, context) => [value, context] };
}

function withToolName<T>(name: string, target: object, methodName: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ToolDeclarationException(
      `The tool '${name}' (${classNameOf(target)}.${methodName}) cannot be offered to a model. ${(cause as Error).message}`,
      { cause },
    );
  }
}
