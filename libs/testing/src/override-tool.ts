import type { ToolContext } from '@nestor-ai/core';
import { TOOL_SUBSTITUTES } from '@nestor-ai/core/internal';

/**
 * The replacement of a tool: its result, or a function that returns it. The function receives the
 * validated arguments by name.
 */
export type ToolSubstitute<Input = never> =
  ((input: Input, context: ToolContext) => unknown) | string | number | object;

/** The used part of a `TestingModuleBuilder`. */
interface OverridesProviders<Builder> {
  overrideProvider(token: unknown): { useValue(value: unknown): Builder };
}

const substitutesOf = new WeakMap<object, Map<string, (input: never, context: ToolContext) => unknown>>();

/**
 * Replaces the code of a tool in a test. Its description, arguments, guards and policies stay the
 * same. Pipes don't run. If no tool has this name, the application does not start.
 *
 * @example
 * const builder = Test.createTestingModule({ imports: [AppModule] });
 * overrideTool(builder, 'getWeather').useValue({ temperature: 20 });
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
