import type { ToolFunction } from '../../tool/function-tool-callback.js';

/** The injection token of {@link ToolSubstitutes}. Empty unless a test overrides tools. */
export const TOOL_SUBSTITUTES: unique symbol = Symbol.for('nestor.ToolSubstitutes');

/** Replacements for the code of tools, by tool name. Schemas, guards and policies still apply. */
export type ToolSubstitutes = ReadonlyMap<string, ToolFunction<unknown>>;
