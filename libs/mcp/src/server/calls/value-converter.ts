import { type ToolResult, ToolCallResultConverter } from '@nestor-ai/core';

/** Converts the return value of a method to what the client receives, in the `value` of the result. */
export class ValueConverter extends ToolCallResultConverter {
  /** @param toResult throws an error if the method returned something else than it should */
  constructor(private readonly toResult: (returned: unknown) => ToolResult | Promise<ToolResult>) {
    super();
  }

  override convert(returned: unknown): ToolResult | Promise<ToolResult> {
    return this.toResult(returned);
  }
}
