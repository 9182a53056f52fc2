import { checkSingleToolAdvisor } from '../../advisor/advisor-chain.js';
import { isToolAdvisor } from '../../advisor/advisor.js';
import { flatten, type ToolSource } from '../../client/chat-client-settings.js';
import { requireToolSource, verifyTool } from '../../client/tool-selection.js';
import { unknownToolText } from '../../execution/tool-lookup.js';
import type { ChatModel } from '../../model/chat-model.js';
import { isProviderTool } from '../../model/provider-tool.js';
import { isToolCallbackProvider, type ToolCallback } from '../../model/tool-callback.js';
import { duplicateToolsText } from '../../model/tool-calling-chat-options.js';
import { ToolCallbacks } from '../../tool/tool-callbacks.js';
import { knownText, problemsOf } from '../bootstrap-problems.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import type { ToolRegistry } from '../discovery/tool.registry.js';
import { contentsShownBy } from '../observability.js';
import type { AiApplication } from './ai-application.js';

/** Names that a client cannot have. */
const UNNAMED = new Set([DEFAULT_CHAT_CLIENT, 'undefined', 'null']);

/** Checks that every client of `AiModule.forFeature()` has a unique name. */
export function checkClientNames({ namedClients }: AiApplication): readonly string[] {
  const repeated = namedClients.filter((name, index) => namedClients.indexOf(name) !== index);
  const unnamed = namedClients.filter((name) => name.trim() === '' || UNNAMED.has(name));
  return [
    ...repeated.map((name) => `Two clients are named '${name}' in AiModule.forFeature(). Give each its own name.`),
    ...unnamed.map(
      (name) =>
        `A client of AiModule.forFeature() is named '${name}'. Choose another name; '${DEFAULT_CHAT_CLIENT}' is the client that is ` +
        'injected as ChatClient.',
    ),
  ];
}

/** Checks the properties of named clients. */
export function checkClientProperties({ namedClients, clients }: AiApplication): readonly string[] {
  return namedClients.flatMap((name) => clients.named.check(name));
}

/** Warns about properties of clients that do not exist. */
export function checkConfiguredClients({ namedClients, clients }: AiApplication): readonly string[] {
  return clients.named
    .namesBeyond(namedClients)
    .map((name) => `ai.clients.${name} is for a client that does not exist. ${knownClientsText(name, namedClients)}`);
}

/** Checks that advisors join existing clients and that no client has two tool advisors. */
export function checkClientAdvisors({
  advisors,
  clientNames,
  enabledClients,
  namedClients,
  madeClients,
}: AiApplication): readonly string[] {
  const joining = enabledClients.map((name) => advisors.of(name));
  const given = madeClients.map((client) => client.advisors);
  const lost = advisors.joined.filter(({ clientName }) => !clientNames.includes(clientName));
  return [
    ...[...joining, ...given].flatMap((list) => problemsOf(() => checkSingleToolAdvisor(list))),
    ...lost.map(
      ({ clientName, advisorName }) =>
        `${advisorName} has @RegisterAdvisor({ clients: ['${clientName}'] }), but that client does not exist. ` +
        knownClientsText(clientName, namedClients),
    ),
  ];
}

/** Checks that every client has a tool loop that matches its configuration. */
export function checkToolLoops({ madeClients, clientFactory }: AiApplication): readonly string[] {
  const without = madeClients.filter(({ advisors }) => !advisors.some(isToolAdvisor));
  return without.flatMap(({ name }) => problemsOf(() => clientFactory?.loopOf(name)));
}

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

/** Checks the models of all clients. */
export function checkChatModels(application: AiApplication): readonly string[] {
  return application.madeClients.flatMap(({ name, chatModel }) => {
    if (name === DEFAULT_CHAT_CLIENT) return problemsOf(() => verify(chatModel, 'AiModule'));
    return chatModel === application.chatModel ? [] : problemsOf(() => verify(chatModel, `the client '${name}'`));
  });
}

/** @throws Error if the model cannot be called */
function verify(chatModel: ChatModel, owner: string): void {
  if (typeof chatModel?.call !== 'function' || typeof chatModel.stream !== 'function') {
    throw new Error(
      `The ChatModel given to ${owner} has no call() or no stream(). Pass an instance of a class that extends ChatModel.`,
    );
  }
  chatModel.verify?.();
}

/** Suggests the client with the most similar name, or lists all of them. */
function knownClientsText(given: string, namedClients: readonly string[]): string {
  return namedClients.length > 0
    ? knownText(given, [...new Set(namedClients)])
    : 'There are no named clients. Add one with AiModule.forFeature([{ name }]).';
}

const OF_TOOLS =
  'ai.tools.observations.include-content is true: spans and logs contain arguments, results and error messages of tools.';

/**
 * Warns if spans and logs contain contents. The person who operates the application may not know.
 */
export function checkShownContents({ properties, enabledClients, clients }: AiApplication): readonly string[] {
  const ofClients = enabledClients.flatMap((client) => {
    const shown = contentsShownBy(clients.of(client));
    const text = `Spans and logs contain ${shown.join(' and ')} of the client '${client}'.`;
    return shown.length > 0 ? [text] : [];
  });
  return properties.tools.observations.includeContent ? [OF_TOOLS, ...ofClients] : ofClients;
}
