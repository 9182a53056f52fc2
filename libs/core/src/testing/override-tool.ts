import type { ToolContext } from '../model/tool-context.js';
import { TOOL_SUBSTITUTES } from '../nest/invocation/tool-substitutes.js';

/** What takes the place of a tool: its result, or a function that makes it of the checked arguments, by their names. */
export type ToolSubstitute<Input = never> =
  ((input: Input, context: ToolContext) => unknown) | string | number | object;

/** As much of a `TestingModuleBuilder` as is needed. */
interface OverridesProviders<Builder> {
  overrideProvider(token: unknown): { useValue(value: unknown): Builder };
}

const substitutesOf = new WeakMap<object, Map<string, (input: never, context: ToolContext) => unknown>>();

/**
 * Has a test run something else than a tool. What the model is told of it, its arguments, guards and policies stay as they are;
 * pipes do not run. A name that no tool has stops the bootstrap.
 *
 * @example
 * const builder = Test.createTestingModule({ imports: [AppModule] });
 * overrideTool(builder, 'getWeather').useValue(({ city }: { city: string }) => `It is sunny in ${city}`);
 * const app = (await builder.compile()).createNestApplication();
 */
export function overrideTool<Builder extends OverridesProviders<Builder>>(
  builder: Builder,
  toolName: string,
): { useValue<Input = never>(substitute: ToolSubstitute<Input>): Builder } {
  return {
    useValue: (substitute) => {
      const substitutes =
        substitutesOf.get(builder) ?? new Map<string, (input: never, context: ToolContext) => unknown>();
      substitutesOf.set(builder, substitutes);
      substitutes.set(toolName, typeof substitute === 'function' ? (substitute as () => unknown) : () => substitute);
      return builder.overrideProvider(TOOL_SUBSTITUTES).useValue(substitutes);
    },
  };
}
