import type { ChatOptions } from './chat-options.js';
import { fluentBuilder, type FluentBuilder } from './fluent-builder.js';
import type { ToolCallback } from './tool-callback.js';

/** The same as {@link ChatOptions}, which always may carry tools. */
export type ToolCallingChatOptions = ChatOptions;

/** Names that occur more than once, each named once. */
export function duplicateToolNames(callbacks: readonly ToolCallback[]): string[] {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  for (const { toolDefinition } of callbacks) {
    if (seen.has(toolDefinition.name)) duplicates.add(toolDefinition.name);
    seen.add(toolDefinition.name);
  }
  return [...duplicates];
}

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the companion of the type
export const ToolCallingChatOptions = {
  builder(): FluentBuilder<Omit<ChatOptions, symbol>, ChatOptions> {
    return fluentBuilder((options: Omit<ChatOptions, symbol>): ChatOptions => Object.freeze(options));
  },

  /** The tools of the request if it has any, else the default ones; never a mixture. */
  mergeToolCallbacks(
    runtime: readonly ToolCallback[] | undefined,
    defaults: readonly ToolCallback[] | undefined,
  ): readonly ToolCallback[] | undefined {
    return runtime && runtime.length > 0 ? runtime : (defaults ?? runtime);
  },

  /** Both contexts united; the request's value wins. */
  mergeToolContext(
    runtime: Readonly<Record<string, unknown>> | undefined,
    defaults: Readonly<Record<string, unknown>> | undefined,
  ): Readonly<Record<string, unknown>> | undefined {
    return runtime && defaults ? { ...defaults, ...runtime } : (runtime ?? defaults);
  },

  /** @throws Error naming the tools when two have the same name */
  validateToolCallbacks(callbacks: readonly ToolCallback[] | undefined): void {
    const duplicates = duplicateToolNames(callbacks ?? []);
    if (duplicates.length > 0) {
      throw new Error(
        `Multiple tools with the same name (${duplicates.join(', ')}) found in ToolCallingChatOptions. ` +
          'Give each tool its own name, for example with @Tool({ name }).',
      );
    }
  },
};
