import type { ToolOptions } from '@nestor-ai/core';
import { Handler } from '@nestor-ai/core/internal';
import type { McpMethodPolicies } from '../calls/method-policies.js';
import { declareCompletions, type McpCompletions } from '../completion/completions.js';
import { toPromptResult } from './prompt-messages.js';

/** The kind of the methods, for `ToolRegistry.handlers()`. */
export const PROMPT_KIND = 'MCP prompt';

/** The key of the declaration in the metadata of the method. */
export const PROMPT_DECLARATION = 'mcpPrompt';

/** The options of {@link McpPrompt}. */
export interface McpPromptOptions extends McpMethodPolicies {
  /** The name that programs use. Default: the method's name. */
  readonly name?: string;
  /** The name that people see. */
  readonly title?: string;
  /** What the prompt is for. */
  readonly description?: string;
  /** The class of the arguments. The method receives an instance of it, then the `ToolContext`. */
  readonly argsType?: ToolOptions['inputType'];
  /**
   * The schema of the arguments: a Standard Schema (Zod, ArkType, Valibot, …) or JSON Schema. The
   * method receives all arguments as one object, then the `ToolContext`.
   */
  readonly argsSchema?: ToolOptions['inputSchema'];
  /** Completes values of arguments. */
  readonly complete?: McpCompletions;
}

/**
 * Offers the messages that a method returns to MCP clients as a prompt. Models of the application
 * never see it. Guards, interceptors, pipes, filters and `REQUEST` scope work as for `@Tool()`.
 *
 * Arguments are declared as for a tool: as parameters, as a class with class-validator decorators,
 * or as a schema. Clients send text, which is converted: `"5"` to 5 for a number, `"true"` to true,
 * JSON text to an object or array. Dates are ISO 8601.
 *
 * Return a string for a message of the user, one or more messages of `@nestor-ai/core` or of the
 * protocol, or `{ description, messages }`.
 *
 * @example
 * \@McpPrompt({ description: 'Reviews a file', complete: { language: ['go', 'rust', 'typescript'] } })
 * review(code: string, language = 'typescript'): string { return `Review this ${language}: ${code}`; }
 * @throws TypeError if `complete` names a method that the class does not have
 */
export function McpPrompt(options: McpPromptOptions = {}): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const methodName = String(key);
    const { name = methodName, title, description, metadata, argsType, argsSchema, complete } = options;
    Handler({
      ...options,
      ...(argsType && { inputType: argsType }),
      ...(argsSchema && { inputSchema: argsSchema }),
      kind: PROMPT_KIND,
      name: `prompt:${name}`,
      description: description ?? title ?? name,
      effect: 'read',
      resultConverter: { convert: toPromptResult },
      metadata: { ...metadata, [PROMPT_DECLARATION]: { ...options, name } },
    })(target, key, descriptor);
    if (complete) declareCompletions({ target, methodName, descriptor }, complete, { type: 'prompt', name, metadata });
  };
}
