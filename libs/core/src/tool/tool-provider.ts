import type { FactoryProvider, InjectionToken, OptionalFactoryDependency, Scope } from '@nestjs/common';
import { ToolCallback } from '../model/tool-callback.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import { resultConverterOf } from './declaration/result-converter.js';
import { ToolDeclarationException } from '@nestor-ai/schema';
import type { FunctionToolOptions, ToolOptions } from './declaration/tool-options.js';
import { FunctionToolCallback, type ToolFunction } from './function-tool-callback.js';

/** The options of {@link toolProvider}: those of `@Tool()`, and the factory of the function. */
export interface ToolProviderOptions<Input = unknown> extends FunctionToolOptions<Input> {
  /**
   * Converts the result for the model: an instance, or a class, which can be a provider. Default:
   * the converter of `AiModule`.
   */
  resultConverter?: ToolOptions['resultConverter'];
  /** The dependencies of the factory, as with any factory provider. */
  inject?: (InjectionToken | OptionalFactoryDependency)[];
  scope?: Scope;
  /** Creates the function of the tool. */
  useFactory: (...injected: never[]) => ToolFunction<Input> | Promise<ToolFunction<Input>>;
}

const TEMPLATE = Symbol.for('nestor.ToolProvider.template');

/** The parts of a tool that are known before its function is created. */
export interface ToolTemplate {
  /** The tool without its function. */
  readonly callback: FunctionToolCallback;
  readonly resultConverter: ToolOptions['resultConverter'];
}

/**
 * Creates a Nest provider for a function tool. `AiModule` discovers it.
 *
 * @param name the name that the model uses; requests use it to list the tool:
 * `tools('currentWeather')`
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
  createToolDefinition({ name, inputSchema: {} });
  const { inject = [], scope, resultConverter } = options;
  let template: ToolTemplate | undefined;
  const readTemplate = (): ToolTemplate =>
    (template ??= { callback: toolWithoutFunction(name, options), resultConverter });
  const useFactory = async (...injected: unknown[]): Promise<ToolCallback> => {
    const toolFunction: unknown = await options.useFactory(...(injected as never[]));
    // An error thrown here would end the process. Instead, AiModule reports it at startup with all
    // others.
    try {
      return makeTool(readTemplate(), toolFunction as ToolFunction<unknown>);
    } catch (error) {
      return new InvalidTool(name, error as Error);
    }
  };
  Object.defineProperty(useFactory, TEMPLATE, { value: readTemplate });
  return { provide: getToolToken(name), useFactory, inject, ...(scope !== undefined && { scope }) };
}

function toolWithoutFunction<Input>(name: string, options: ToolProviderOptions<Input>): FunctionToolCallback {
  const { resultConverter: _converter, inject: _inject, scope: _scope, useFactory: _factory, ...tool } = options;
  return new FunctionToolCallback<Input>({ ...tool, name, toolFunction: () => undefined }) as FunctionToolCallback;
}

function makeTool({ callback, resultConverter }: ToolTemplate, toolFunction: ToolFunction<unknown>): ToolCallback {
  if (typeof toolFunction !== 'function') {
    throw new ToolDeclarationException(
      `useFactory of toolProvider('${callback.toolDefinition.name}') must return the function of the tool, but returned ` +
        `${toolFunction === null ? 'null' : typeof toolFunction}.`,
    );
  }
  // AiModule resolves converter classes with dependencies.
  const isMade = typeof resultConverter !== 'function' || resultConverter.length === 0;
  return callback.withFunction(
    toolFunction,
    isMade && resultConverter ? resultConverterOf(resultConverter) : undefined,
  );
}

/** The injection token of a tool from {@link toolProvider}. */
export function getToolToken(name: string): string {
  return TOKEN_PREFIX + name;
}

const TOKEN_PREFIX = 'nestor.Tool:';

/** Whether an injection token belongs to a tool from {@link toolProvider}. */
export function isToolToken(token: unknown): boolean {
  return typeof token === 'string' && token.startsWith(TOKEN_PREFIX);
}

/**
 * The template of the tool that a {@link toolProvider} factory creates. Undefined for other
 * factories.
 */
export function toolTemplateOf(factory: unknown): (() => ToolTemplate) | undefined {
  return typeof factory === 'function' && TEMPLATE in factory ? (factory[TEMPLATE] as () => ToolTemplate) : undefined;
}

/** Placeholder for a tool that could not be created. */
class InvalidTool extends ToolCallback {
  override readonly toolDefinition: ToolDefinition;

  constructor(
    name: string,
    private readonly reason: Error,
  ) {
    super();
    this.toolDefinition = createToolDefinition({ name, inputSchema: { type: 'object' } });
  }

  override call(): Promise<string> {
    return Promise.reject(this.reason);
  }

  override verify(): void {
    throw this.reason;
  }
}
