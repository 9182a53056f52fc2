import type { Type } from '@nestjs/common';

/** Selects tools of the application. A tool has to meet all criteria. */
export interface ToolCriteria {
  /** Tools of providers and controllers of these modules. Modules that they import don't count. */
  readonly include?: readonly Type[];
  /** Tools of these classes. */
  readonly classes?: readonly (Type | (abstract new (...args: never[]) => object))[];
  /** Tools of these names. */
  readonly names?: readonly string[];
  /** Tools with these metadata values, or for whose metadata this function returns true. */
  readonly metadata?: Readonly<Record<string, unknown>> | ((metadata: Readonly<Record<string, unknown>>) => boolean);
}

const TOOL_QUERY = Symbol.for('nestor.ToolQuery');

/** A selection of tools. See {@link toolsWhere}. */
export class ToolQuery {
  readonly [TOOL_QUERY] = true;

  constructor(readonly criteria: ToolCriteria) {}
}

/**
 * Selects tools of the application by criteria. Use it wherever you pass tools: `.tools()`,
 * `defaultTools()`, `AiModule.forFeature()`. Nestor evaluates it for each request.
 *
 * @example
 * const tools = toolsWhere({ include: [OrdersModule], metadata: { category: 'read' } });
 * chatClient.prompt('…').tools(tools);
 */
export function toolsWhere(criteria: ToolCriteria): ToolQuery {
  return new ToolQuery(criteria);
}

/** Whether a value is a {@link ToolQuery}, also from another copy of this package. */
export function isToolQuery(value: object): value is ToolQuery {
  return TOOL_QUERY in value;
}
