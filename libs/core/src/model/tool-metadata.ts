import { fluentBuilder, type FluentBuilder } from './fluent-builder.js';
import type { Awaitable } from './awaitable.js';
import type { ToolContext } from './tool-context.js';
import type { ToolPolicies } from './tool-policies.js';
import type { ToolUi } from './tool-ui.js';

/** How the application treats a tool. Never sent to the model. */
export interface ToolMetadata extends ToolPolicies {
  /** Whether the result is the answer to the user and does not go back to the model. */
  readonly returnDirect: boolean;
  /** Decides whether a request may use the tool. Default: every request may. */
  readonly visible?: (context: ToolContext) => Awaitable<boolean>;
  /** Whether the tool is offered to clients and requests that don't list tools. Default: true. */
  readonly offeredByDefault?: boolean;
  /** What a browser may see of the calls. Default: the property `ai.ui.content`. */
  readonly ui?: ToolUi;
  /**
   * True for a tool that MCP clients may call. For a tool of an MCP server, what the server says
   * about it.
   */
  readonly mcp?: unknown;
  /**
   * True for a tool that other applications may call. For a tool of another service, the service
   * and the name of the tool there.
   */
  readonly remote?: unknown;
  /** Custom data about the tool, such as a category. */
  readonly [key: string]: unknown;
}

export const DEFAULT_TOOL_METADATA: ToolMetadata = Object.freeze({ returnDirect: false });

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the companion of the interface
export const ToolMetadata = {
  builder(): FluentBuilder<Partial<ToolMetadata>, ToolMetadata> {
    return fluentBuilder((options: Partial<ToolMetadata>) => Object.freeze({ ...DEFAULT_TOOL_METADATA, ...options }));
  },
};
