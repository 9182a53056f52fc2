import { flatten, type ToolSource } from '../../client/chat-client-settings.js';
import { requireToolSource, verifyTool } from '../../client/tool-selection.js';
import { unknownToolText } from '../../execution/tool-lookup.js';
import { isProviderTool } from '../../model/provider-tool.js';
import { isToolCallbackProvider, type ToolCallback } from '../../model/tool-callback.js';
import { duplicateToolsText } from '../../model/tool-calling-chat-options.js';
import { ToolCallbacks } from '../../tool/tool-callbacks.js';
import { problemsOf } from '../bootstrap-problems.js';
import type { ToolRegistry } from '../discovery/tool.registry.js';
import type { AiApplication } from './ai-application.js';

/**
 * Checks the tools of named clients: each must be a valid tool, may not bypass guards, and its
 * name must be unique.
 */
export function checkClientTools({ registry, madeClients }: AiApplication): readonly string[] {
  return madeClients.flatMap(({ name, tools }) => {
    const known = new Set<ToolCallback>();
    const problems = flatten(tools).flatMap((source) =>
      problemsOf(() => {
        const callbacks = callbacksOf(source, registry);
        callbacks.forEach(verifyTool);
        callbacks.forEach((callback) => registry.admit(callback));
        callbacks.forEach((callback) => known.add(callback));
      }),
    );
    const all = [...problems, duplicateToolsText([...known]) ?? []].flat();
    return all.map((problem) => `The tools of the client '${name}': ${problem}`);
  });
}

/**
 * The tools of a source. Tools that providers will list later are left out.
 *
 * @throws Error if the source contains no tools
 */
function callbacksOf(source: ToolSource, registry: ToolRegistry): readonly ToolCallback[] {
  requireToolSource(source);
  if (isToolCallbackProvider(source) || isProviderTool(source)) return [];
  if (typeof source !== 'string') return registry.toolsOf(source) ?? ToolCallbacks.from(source);
  const found = registry.get(source);
  if (found) return [found.callback];
  if (registry.isTurnedOff(source) || registry.mayGrow) return [];
  throw new Error(unknownToolText(source, [...registry.names]));
}
