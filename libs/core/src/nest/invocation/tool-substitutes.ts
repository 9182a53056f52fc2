import type { ToolFunction } from '../../tool/function-tool-callback.js';

/** Where the container keeps {@link ToolSubstitutes}: none, unless a test overrides some. */
export const TOOL_SUBSTITUTES: unique symbol = Symbol.for('nestor.ToolSubstitutes');

/** What is run in the place of tools, by their names. Their schemas, guards and policies hold all the same. */
export type ToolSubstitutes = ReadonlyMap<string, ToolFunction<unknown>>;
