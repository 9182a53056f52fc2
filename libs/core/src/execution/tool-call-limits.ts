import type { Message, ToolCall } from '../model/messages.js';
import type { ToolCallCounts } from '../model/turn-control.js';

/** What happens to a call beyond a limit: the turn ends, or the model is told. */
export type ToolCallLimitBehavior = 'THROW' | 'RETURN_ERROR_RESPONSE';

/** How many tool calls one turn may make. A turn starts at the last user message. */
export interface ToolCallLimits {
  /** Calls of one tool; -1 for no limit. Default: 40. */
  readonly maxCallsPerTool?: number;
  /** Calls of single tools, by their names or asked for by name; -1 for no limit. */
  readonly maxCallsPerToolName?: Readonly<Record<string, number>> | ((toolName: string) => number | undefined);
  /** Tools without a limit of their own. Their calls still count to the total. */
  readonly excludedTools?: readonly string[];
  /** Calls of all tools together; -1 for no limit. Default: 150. */
  readonly maxTotalToolCalls?: number;
  /** Default: `THROW`, which the tool loop turns into an answer that says so. */
  readonly onLimitExceeded?: ToolCallLimitBehavior;
}

export const DEFAULT_MAX_CALLS_PER_TOOL = 40;
export const DEFAULT_MAX_TOTAL_TOOL_CALLS = 150;
const NO_LIMIT = -1;

/** A limit that a call went beyond. */
export interface LimitBreach {
  /** Undefined when it is the total that is used up. */
  readonly toolName: string | undefined;
  readonly limit: number;
  /** What the model is told. */
  readonly text: string;
}

/** The calls that a history tells of, from its last user message on. */
export function countToolCalls(messages: readonly Message[]): ToolCallCounts {
  const counts: ToolCallCounts = { byName: new Map(), total: 0 };
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role === 'user') break;
    if (message.role === 'tool') for (const { name } of message.responses) add(counts, name);
  }
  return counts;
}

function add(counts: ToolCallCounts, name: string): number {
  counts.total++;
  const calls = (counts.byName.get(name) ?? 0) + 1;
  counts.byName.set(name, calls);
  return calls;
}

/** Counts the calls of one turn, in the order in which the model asked for them. */
export class ToolCallCounter {
  /** @param counts the calls so far; counted on in place */
  constructor(
    private readonly limits: ToolCallLimits,
    private readonly counts: ToolCallCounts,
  ) {}

  /**
   * Counts a call and says whether it goes beyond a limit.
   *
   * @param isTool whether the name is that of a tool, and nothing that a model made up
   */
  count(call: ToolCall, isTool: boolean): LimitBreach | undefined {
    const calls = add(this.counts, call.name);
    const limit = this.#limitOf(call.name, isTool);
    if (limit !== NO_LIMIT && calls > limit) {
      return {
        toolName: call.name,
        limit,
        text: `Tool call limit (${limit}) exceeded for tool '${call.name}'. No further calls to this tool are allowed in this turn.`,
      };
    }
    const total = this.limits.maxTotalToolCalls ?? DEFAULT_MAX_TOTAL_TOOL_CALLS;
    if (total === NO_LIMIT || this.counts.total <= total) return undefined;
    return {
      toolName: undefined,
      limit: total,
      text: `Total tool call limit (${total}) exceeded for this turn. No further tool calls are allowed.`,
    };
  }

  #limitOf(name: string, isTool: boolean): number {
    const { excludedTools, maxCallsPerToolName, maxCallsPerTool } = this.limits;
    if (excludedTools?.includes(name)) return NO_LIMIT;
    const own =
      typeof maxCallsPerToolName === 'function'
        ? isTool && maxCallsPerToolName(name)
        : maxCallsPerToolName && Object.hasOwn(maxCallsPerToolName, name) && maxCallsPerToolName[name];
    return own || (maxCallsPerTool ?? DEFAULT_MAX_CALLS_PER_TOOL);
  }
}

/** @throws RangeError naming the limit that is neither -1 nor a positive whole number */
export function checkToolCallLimits(limits: ToolCallLimits): void {
  const check = (name: string, value: number | undefined): void => {
    if (value === undefined || value === NO_LIMIT || (Number.isInteger(value) && value > 0)) return;
    throw new RangeError(`${name} must be greater than 0, or -1 for no limit, but is ${value}.`);
  };
  check('maxCallsPerTool', limits.maxCallsPerTool);
  check('maxTotalToolCalls', limits.maxTotalToolCalls);
  const named = typeof limits.maxCallsPerToolName === 'function' ? {} : limits.maxCallsPerToolName;
  for (const [tool, limit] of Object.entries(named ?? {})) {
    check(`maxCallsPerToolName['${tool}']`, limit);
  }
}
