import type { FactoryProvider, InjectionToken, OptionalFactoryDependency, Scope } from '@nestjs/common';
import type { JsonSchema } from '../model/json-schema.js';
import { ToolCallback } from '../model/tool-callback.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import { resultConverterOf } from './declaration/result-converter.js';
import { ToolDeclarationException } from './declaration/tool-declaration.exception.js';
import { toolMetadataOf, type ToolOptions } from './declaration/tool.decorator.js';
import { FunctionToolCallback, type InputType, type ToolFunction } from './function-tool-callback.js';
import type { StandardSchema } from './input/standard-schema-input.js';
import { ToolCallResultConverter } from './result/tool-call-result-converter.js';

/** The options of {@link toolProvider}: those of `@Tool()`, and how the function is made. */
export interface ToolProviderOptions<Input = unknown> extends Omit<ToolOptions, 'name' | 'inputType' | 'inputSchema'> {
  /** The class of the input. */
  inputType?: InputType<Input>;
  /** The schema of the input. Without it and `inputType`, the tool takes no input. */
  inputSchema?: StandardSchema<unknown, Input> | JsonSchema;
  /** What the factory receives, as with any factory provider. */
  inject?: (InjectionToken | OptionalFactoryDependency)[];
  scope?: Scope;
  /** Makes the function of the tool. */
  useFactory: (...injected: never[]) => ToolFunction<Input> | Promise<ToolFunction<Input>>;
}

const TEMPLATE = Symbol.for('nestor.ToolProvider.template');

/**
 * A Nest provider of a function as a tool: found by `AiModule` and known by its name.
 *
 * @param name the name the model uses, and by which a request may ask for the tool: `tools('currentWeather')`
 * @throws TypeError when the name is empty
 *
 * @example
 * \@Module({
 *   providers: [
 *     toolProvider('currentWeather', {
 *       description: 'Get the weather of a city',
 *       inputType: WeatherRequest,
 *       inject: [WeatherService],
 *       useFactory: (weather: WeatherService) => ({ city }) => weather.of(city),
 *     }),
 *   ],
 * })
 */
export function toolProvider<Input = unknown>(
  name: string,
  options: ToolProviderOptions<Input>,
): FactoryProvider<ToolCallback> {
  const { description, inputType, inputSchema, unknownArguments, inject = [], scope, resultConverter } = options;
  createToolDefinition({ name, inputSchema: {} });
  let template: FunctionToolCallback<Input> | undefined;
  const readTemplate = (): FunctionToolCallback<Input> =>
    (template ??= new FunctionToolCallback<Input>({
      name,
      ...(description !== undefined && { description }),
      ...(inputType && { inputType }),
      ...(inputSchema !== undefined && { inputSchema }),
      ...(unknownArguments && { unknownArguments }),
      toolFunction: () => undefined,
      toolMetadata: toolMetadataOf(options),
      ...(resultConverter && { toolCallResultConverter: resultConverterOf(resultConverter) }),
    }));
  const useFactory = async (
    converter: ToolCallResultConverter | undefined,
    ...injected: unknown[]
  ): Promise<ToolCallback> => {
    const toolFunction: unknown = await options.useFactory(...(injected as never[]));
    // An error thrown here would end the process; this one is told at bootstrap, with all others.
    return typeof toolFunction === 'function'
      ? readTemplate().withFunction(toolFunction as ToolFunction<Input>, converter)
      : new MissingFunction(readTemplate().toolDefinition, toolFunction);
  };
  Object.defineProperty(useFactory, TEMPLATE, { value: readTemplate });
  return {
    provide: getToolToken(name),
    useFactory,
    // The one of AiModule, for a tool that names none.
    inject: [{ token: ToolCallResultConverter, optional: true }, ...inject],
    ...(scope !== undefined && { scope }),
  };
}

/** The injection token of a tool made with {@link toolProvider}. */
export function getToolToken(name: string): string {
  return `nestor.Tool:${name}`;
}

/** The tool that a factory of {@link toolProvider} will make, as far as it is known before; of any other, undefined. */
export function toolTemplateOf(factory: unknown): ToolCallback | undefined {
  if (typeof factory !== 'function' || !(TEMPLATE in factory)) return undefined;
  return (factory[TEMPLATE] as () => ToolCallback)();
}

/** Stands for a tool whose factory has made no function. */
class MissingFunction extends ToolCallback {
  constructor(
    override readonly toolDefinition: ToolDefinition,
    private readonly made: unknown,
  ) {
    super();
  }

  override call(): Promise<string> {
    return Promise.reject(this.#error());
  }

  override verify(): void {
    throw this.#error();
  }

  #error(): Error {
    return new ToolDeclarationException(
      `useFactory of toolProvider('${this.toolDefinition.name}') has to return the function of the tool, but returned ` +
        `${this.made === null ? 'null' : typeof this.made}.`,
    );
  }
}
