import type { Awaitable } from '../model/awaitable.js';
import { LOOP_TOOL, type ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import { messageOf } from '../model/message-of.js';
import { recordOf } from './record-of.js';
import { baseOf } from './tool-record.js';

/**
 * Decides for each request which of its tools the model may see. Provided in `AiModule.forRoot({ providers })`, it decides for all
 * clients of the application, in addition to what `@Tool({ visible })` says.
 *
 * A tool that is not seen cannot be called either: to the model, it does not exist.
 *
 * @example
 * \@Injectable()
 * class PlanFilter extends ToolFilter {
 *   isVisible(tool: ToolCallback, context: ToolContext) {
 *     return tool.toolMetadata.category !== 'admin' || context.get('role') === 'admin';
 *   }
 * }
 */
export abstract class ToolFilter {
  /**
   * @param tool the tool, with its name and metadata
   * @param context the values that the request gives its tools, and in `context.turn.request` what was given with `.request(…)`
   */
  abstract isVisible(tool: ToolCallback, context: ToolContext): Awaitable<boolean>;
}

/** Whether a tool, or the one that it was derived from, decides who may see it. */
export function isConditional(callback: ToolCallback): boolean {
  const record = recordOf(callback);
  return record.metadata.visible !== undefined || (record.base && baseOf(record).metadata.visible) !== undefined;
}

/**
 * Whether a request may have a tool.
 *
 * @throws Error naming the tool when it cannot be known
 */
export async function isVisible(
  callback: ToolCallback,
  context: ToolContext,
  filter: ToolFilter | undefined,
): Promise<boolean> {
  try {
    for (const visible of conditionsOf(callback)) if (!(await visible(context))) return false;
    if (!filter || LOOP_TOOL in callback) return true;
    // What somebody forgets to return allows nothing.
    const allowed: unknown = await filter.isVisible(callback, context);
    return Boolean(allowed);
  } catch (cause) {
    const { name } = callback.toolDefinition;
    throw new Error(`Whether this request may have the tool '${name}' cannot be known: ${messageOf(cause)}`, { cause });
  }
}

function conditionsOf(callback: ToolCallback): ((context: ToolContext) => Awaitable<boolean>)[] {
  const record = recordOf(callback);
  const conditions = [record, baseOf(record)].map(({ metadata }) => metadata.visible);
  return [...new Set(conditions)].filter((visible) => visible !== undefined);
}
