import type { ChatOptions } from './chat-options.js';
import { fluentBuilder, type FluentBuilder } from './fluent-builder.js';
import type { ToolCallback } from './tool-callback.js';
import type { ToolDefinition } from './tool-definition.js';

/** The same as {@link ChatOptions}, which can always contain tools. */
export type ToolCallingChatOptions = ChatOptions;

/** How to give tools of the same name different names. */
export const OWN_NAMES =
  'Give each tool its own name, for example with @Tool({ name }). If classes inherit the method from one class, override it ' +
  "in each, with its options and guards: @Tool({ name: 'listUsers' }) override list(input: Input) { return super.list(input); }";

/**
 * Describes tools that share a name: their sources and the remedy. Undefined if all names are
 * unique.
 */
export function duplicateToolsText(
  tools: readonly { readonly toolDefinition: { readonly name: string }; readonly origin: string }[],
  remedy = OWN_NAMES,
): string | undefined {
  if (new Set(tools.map(({ toolDefinition }) => toolDefinition.name)).size === tools.length) return undefined;
  const origins = new Map<string, string[]>();
  for (const { toolDefinition, origin } of tools) {
    origins.set(toolDefinition.name, [...(origins.get(toolDefinition.name) ?? []), origin]);
  }
  const duplicates = [...origins].filter(([, found]) => found.length > 1);
  const places = duplicates.map(([name, found]) => `'${name}' is ${found.join(' and ')}`);
  return (
    `Multiple tools with the same name (${duplicates.map(([name]) => name).join(', ')}) found in sources: ${places.join('; ')}. ` +
    remedy
  );
}

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the companion of the type
export const ToolCallingChatOptions = {
  builder(): FluentBuilder<Omit<ChatOptions, symbol>, ChatOptions> {
    return fluentBuilder((options: Omit<ChatOptions, symbol>): ChatOptions => Object.freeze(options));
  },

  /** The tools of the request if it has any, otherwise the default ones. Never both. */
  mergeToolCallbacks(
    runtime: readonly ToolCallback[] | undefined,
    defaults: readonly ToolCallback[] | undefined,
  ): readonly ToolCallback[] | undefined {
    return runtime && runtime.length > 0 ? runtime : (defaults ?? runtime);
  },

  /** Merges both contexts. Values of the request win. */
  mergeToolContext(
    runtime: Readonly<Record<string, unknown>> | undefined,
    defaults: Readonly<Record<string, unknown>> | undefined,
  ): Readonly<Record<string, unknown>> | undefined {
    return runtime && defaults ? { ...defaults, ...runtime } : (runtime ?? defaults);
  },

  /** @throws Error that names tools with the same name, or the class of a tool without a name */
  validateToolCallbacks(callbacks: readonly ToolCallback[] | undefined): void {
    callbacks?.forEach(requireName);
    const text = duplicateToolsText(callbacks ?? []);
    if (text !== undefined) throw new Error(text);
  },
};

function requireName(callback: ToolCallback): void {
  const { toolDefinition } = callback as { toolDefinition?: Partial<ToolDefinition> };
  if (typeof toolDefinition?.name === 'string' && toolDefinition.name !== '') return;
  throw new TypeError(
    `The ToolCallback ${callback.constructor.name} has no toolDefinition with a name. Set it in the constructor or in the field's initializer.`,
  );
}
