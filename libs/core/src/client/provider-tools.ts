import { isProviderTool, type ProviderTool, toProviderTool } from '../model/provider-tool.js';
import type { ChatOptions } from '../model/chat-options.js';
import { remembered } from '../model/remembered.js';
import { type ChatClientRequestSettings, flatten, type ToolSource } from './chat-client-settings.js';

/**
 * The tools of the model's provider that a request may use, from the source that also lists its
 * other tools: the request, its options, the client, the default options of the model.
 *
 * @throws Error for two tools with the same name
 */
export function providerToolsOf(settings: ChatClientRequestSettings): readonly ProviderTool[] | undefined {
  const { requestTools, tools, chatModel } = settings;
  if (requestTools) return listed(requestTools);
  const given = toolsNamedIn(settings);
  if (given) return given.providerTools && listed(given.providerTools);
  if (tools) return listed(tools);
  const ofModel = chatModel.defaultOptions?.providerTools;
  return ofModel && listed(ofModel);
}

/** The options that list the tools: those of the request, or else those of the client. */
export function toolsNamedIn({ requestOptions, options }: ChatClientRequestSettings): ChatOptions | undefined {
  if (requestOptions?.toolCallbacks || requestOptions?.toolNames || requestOptions?.providerTools)
    return requestOptions;
  return options?.toolCallbacks || options?.toolNames || options?.providerTools ? options : undefined;
}

const listed = remembered(
  (sources: readonly ToolSource[]): readonly ProviderTool[] | undefined => {
    const tools = flatten(sources).flatMap(membersOf).filter(isProviderTool).map(toProviderTool);
    const names = new Set<string>();
    for (const { name, id } of tools) {
      if (names.has(name)) {
        throw new Error(
          `Two tools of the provider have the name '${name}'. Name one of them: providerTool('${id}', {}, { name: '…' }).`,
        );
      }
      names.add(name);
    }
    return tools.length > 0 ? Object.freeze(tools) : undefined;
  },
  // The tools of a client are the same list in every request. A set may change between two.
  (sources) => Object.isFrozen(sources) && !flatten(sources).some((source) => source instanceof Set),
);

function membersOf(source: ToolSource): readonly ToolSource[] {
  return source instanceof Set ? flatten([...(source as Set<ToolSource>)]).flatMap(membersOf) : [source];
}
