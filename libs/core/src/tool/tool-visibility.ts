import type { Awaitable } from '../model/awaitable.js';
import { LOOP_TOOL, type ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import { messageOf } from '@nestor-ai/schema';
import { recordOf } from './record-of.js';
import { baseOf } from './tool-record.js';

/**
 * Decides per request which tools the model may see. Provide a subclass in
 * `AiModule.forRoot({ providers })`. It applies to all clients of the application, in addition to
 * `@Tool({ visible })`.
 *
 * A hidden tool cannot be called either: for the model it does not exist.
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
   * @param context the tool context of the request; `context.turn.request` is the value given to
   * `.request(…)`
   */
  abstract isVisible(tool: ToolCallback, context: ToolContext): Awaitable<boolean>;
}

/** Whether a tool, or its base tool, has a `visible` condition. */
export function isConditional(callback: ToolCallback): boolean {
  const record = recordOf(callback);
  return record.metadata.visible !== undefined || (record.base && baseOf(record).metadata.visible) !== undefined;
}

/**
 * Whether a request may use a tool.
 *
 * @throws Error that names the tool if a condition fails
 */
export async function isVisible(
  callback: ToolCallback,
  context: ToolContext,
  filter: ToolFilter | undefined,
): Promise<boolean> {
  try {
    for (const visible of conditionsOf(callback)) if (!(await visible(context))) return false;
    if (!filter || LOOP_TOOL in callback) return true;
    // A filter that returns nothing allows nothing.
    const allowed: unknown = await filter.isVisible(callback, context);
    return Boolean(allowed);
  } catch (cause) {
    const { name } = callback.toolDefinition;
    throw new Error(`Cannot decide whether this request may use the tool '${name}': ${messageOf(cause)}`, { cause });
  }
}

function conditionsOf(callback: ToolCallback): ((context: ToolContext) => Awaitable<boolean>)[] {
  const record = recordOf(callback);
  const conditions = [record, baseOf(record)].map(({ metadata }) => metadata.visible);
  return [...new Set(conditions)].filter((visible) => visible !== undefined);
}
