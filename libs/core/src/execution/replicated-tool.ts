import { stableJson } from '@nestor-ai/schema';
import { baseOf, type ToolRecord } from '../tool/tool-record.js';

/**
 * Tells a tool from all others in every process of an application. Undefined for a tool that only
 * this process knows: an object or a function of one request has a state of its own. The tools of
 * providers that the container creates are the same everywhere.
 */
export function replicatedIdOf(record: ToolRecord): string | undefined {
  const { method, id, origin, definition } = baseOf(record);
  // Without `around`, other code may run in place of the provider's.
  if (!record.around || !method || method.object || id.owner !== method) return undefined;
  const { name, description, inputSchema } = definition;
  return stableJson([origin, name, description, inputSchema]);
}
