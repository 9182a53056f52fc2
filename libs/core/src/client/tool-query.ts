import type { Type } from '@nestjs/common';

/** Which tools of the application are meant: those of which everything holds that is said. */
export interface ToolCriteria {
  /** Tools of providers and controllers of these modules; not of the modules that they import. */
  readonly include?: readonly Type[];
  /** Tools of these classes. */
  readonly classes?: readonly (Type | (abstract new (...args: never[]) => object))[];
  /** Tools of these names. */
  readonly names?: readonly string[];
  /** Tools with these values in their metadata, or of which this function of the metadata is true. */
  readonly metadata?: Readonly<Record<string, unknown>> | ((metadata: Readonly<Record<string, unknown>>) => boolean);
}

const TOOL_QUERY = Symbol.for('nestor.ToolQuery');

/** Stands for tools of the application where tools are given: see {@link toolsWhere}. */
export class ToolQuery {
  readonly [TOOL_QUERY] = true;

  constructor(readonly criteria: ToolCriteria) {}
}

/**
 * The tools of the application of which something holds, wherever tools can be given: `.tools()`, `defaultTools()`,
 * `AiModule.forFeature()`. Looked up when a request is made.
 *
 * @example
 * chatClient.prompt('…').tools(toolsWhere({ include: [OrdersModule], metadata: { category: 'read' } }))
 */
export function toolsWhere(criteria: ToolCriteria): ToolQuery {
  return new ToolQuery(criteria);
}

/** Whether a value is a {@link ToolQuery}, of whichever copy of this package. */
export function isToolQuery(value: object): value is ToolQuery {
  return TOOL_QUERY in value;
}
