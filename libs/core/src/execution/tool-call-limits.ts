import type { AssistantMessage, Message, ToolCall } from '../model/messages.js';
import type { ProviderTool } from '../model/provider-tool.js';
import type { ToolCallCounts } from '../model/turn-control.js';

/**
 * What happens to a call beyond a limit: `THROW` ends the turn, `RETURN_ERROR_RESPONSE` tells the
 * model.
 */
export type ToolCallLimitBehavior = 'THROW' | 'RETURN_ERROR_RESPONSE';

/**
 * The limits for the tool calls of one turn. A turn starts at the last user message.
 *
 * Calls of tools that the provider runs count as well. They have already run, so they are never
 * refused. A provider tool that has reached its limit is not offered to the model again in the
 * turn, and none is after the total.
 */
export interface ToolCallLimits {
  /** The most calls of each tool; -1 for no limit. Default: 40. */
  readonly maxCallsPerTool?: number;
  /** The most calls of specific tools, by name or as a function of the name; -1 for no limit. */
  readonly maxCallsPerToolName?: Readonly<Record<string, number>> | ((toolName: string) => number | undefined);
  /** Tools without a limit per tool. Their calls still count towards the total. */
  readonly excludedTools?: readonly string[];
  /** The most calls of all tools together; -1 for no limit. Default: 150. */
  readonly maxTotalToolCalls?: number;
  /**
   * What happens beyond a limit. Default: `THROW`, which the tool loop turns into an answer about
   * the limit.
   */
  readonly onLimitExceeded?: ToolCallLimitBehavior;
}

export const DEFAULT_MAX_CALLS_PER_TOOL = 40;
export const DEFAULT_MAX_TOTAL_TOOL_CALLS = 150;
const NO_LIMIT = -1;

/** A limit that a call exceeded. */
export interface LimitBreach {
  /** The tool with the limit. Undefined for the total limit. */
  readonly toolName: string | undefined;
  readonly limit: number;
  /** The text for the model. */
  readonly text: string;
}

/** The number of calls in a history after its last user message. */
export function countToolCalls(messages: readonly Message[]): ToolCallCounts {
  const counts: ToolCallCounts = { byName: new Map(), total: 0 };
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role === 'user') break;
    if (message.role === 'tool') for (const { name } of message.responses) add(counts, name);
    else if (message.role === 'assistant') countProviderCalls(message, counts);
  }
  return counts;
}

/** Counts the calls of a message that the provider has run. */
export function countProviderCalls({ providerToolCalls }: AssistantMessage, counts: ToolCallCounts): void {
  if (providerToolCalls) for (const { name } of providerToolCalls) add(counts, name);
}

/** The tools of the provider that have not reached a limit. The same list if that is all of them. */
export function providerToolsWithin(
  tools: readonly ProviderTool[],
  limits: ToolCallLimits,
  counts: ToolCallCounts,
): readonly ProviderTool[] {
  const total = totalOf(limits);
  if (total !== NO_LIMIT && counts.total >= total) return [];
  const left = tools.filter(({ name }) => {
    const limit = limitOf(name, () => true, limits);
    return limit === NO_LIMIT || (counts.byName.get(name) ?? 0) < limit;
  });
  return left.length === tools.length ? tools : left;
}

function add(counts: ToolCallCounts, name: string): number {
  counts.total++;
  const calls = (counts.byName.get(name) ?? 0) + 1;
  counts.byName.set(name, calls);
  return calls;
}

/**
 * Counts a call. Calls are counted in the order of the model's requests.
 *
 * @param isTool whether the name can be that of a tool, rather than one that the model made up
 * @param counts the calls so far; updated in place
 * @returns the limit that the call exceeds, if any
 */
export function countCall(
  { name }: ToolCall,
  isTool: () => boolean,
  limits: ToolCallLimits,
  counts: ToolCallCounts,
): LimitBreach | undefined {
  const calls = add(counts, name);
  const limit = limitOf(name, isTool, limits);
  if (limit !== NO_LIMIT && calls > limit) {
    return {
      toolName: name,
      limit,
      text: `Tool call limit (${limit}) exceeded for tool '${name}'. No further calls to this tool are allowed in this turn.`,
    };
  }
  const total = totalOf(limits);
  if (total === NO_LIMIT || counts.total <= total) return undefined;
  return {
    toolName: undefined,
    limit: total,
    text: `Total tool call limit (${total}) exceeded for this turn. No further tool calls are allowed.`,
  };
}

function limitOf(name: string, isTool: () => boolean, limits: ToolCallLimits): number {
  const { excludedTools, maxCallsPerToolName, maxCallsPerTool } = limits;
  if (excludedTools?.includes(name)) return NO_LIMIT;
  const own =
    (typeof maxCallsPerToolName === 'function'
      ? isTool() && maxCallsPerToolName(name)
      : maxCallsPerToolName && Object.hasOwn(maxCallsPerToolName, name) && maxCallsPerToolName[name]) ?? false;
  if (own === false) return maxCallsPerTool ?? DEFAULT_MAX_CALLS_PER_TOOL;
  checkLimit(`maxCallsPerToolName('${name}')`, own);
  return own;
}

function totalOf({ maxTotalToolCalls }: ToolCallLimits): number {
  return maxTotalToolCalls ?? DEFAULT_MAX_TOTAL_TOOL_CALLS;
}

/** @throws RangeError that names a limit that is neither -1 nor a positive whole number */
export function checkToolCallLimits({ maxCallsPerTool, maxTotalToolCalls, maxCallsPerToolName }: ToolCallLimits): void {
  checkLimit('maxCallsPerTool', maxCallsPerTool);
  checkLimit('maxTotalToolCalls', maxTotalToolCalls);
  const named = typeof maxCallsPerToolName === 'function' ? {} : maxCallsPerToolName;
  for (const [tool, limit] of Object.entries(named ?? {})) checkLimit(`maxCallsPerToolName['${tool}']`, limit);
}

function checkLimit(name: string, value: number | undefined): void {
  if (value === undefined || value === NO_LIMIT || (Number.isInteger(value) && value > 0)) return;
  throw new RangeError(`${name} must be greater than 0, or -1 for no limit, but is ${value}.`);
}
