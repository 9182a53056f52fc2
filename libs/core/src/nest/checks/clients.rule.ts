import { closestMatch } from 'leven';
import { checkSingleToolAdvisor } from '../../advisor/advisor-chain.js';
import { isToolAdvisor } from '../../advisor/advisor.js';
import type { ChatModel } from '../../model/chat-model.js';
import { problemsOf } from '../bootstrap-problems.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import type { AiApplication } from './ai-application.js';

/** What is no name of a client's own. */
const UNNAMED = new Set([DEFAULT_CHAT_CLIENT, 'undefined', 'null']);

/** Every client of `AiModule.forFeature()` has a name of its own. */
export function checkClientNames({ namedClients }: AiApplication): readonly string[] {
  const repeated = namedClients.filter((name, index) => namedClients.indexOf(name) !== index);
  const unnamed = namedClients.filter((name) => name.trim() === '' || UNNAMED.has(name));
  return [
    ...repeated.map((name) => `Two clients are named '${name}' in AiModule.forFeature(). Give each its own name.`),
    ...unnamed.map(
      (name) =>
        `A client of AiModule.forFeature() is named '${name}'. It needs a name of its own; '${DEFAULT_CHAT_CLIENT}' is the one that ` +
        'is injected as ChatClient.',
    ),
  ];
}

/** What the configuration says of named clients has allowed values. */
export function checkClientProperties({ namedClients, clients }: AiApplication): readonly string[] {
  return namedClients.flatMap((name) => clients.check(name));
}

/** The clients that the configuration names are there. */
export function checkConfiguredClients({ namedClients, clients }: AiApplication): readonly string[] {
  return clients.names
    .filter((name) => !namedClients.includes(name))
    .map((name) => `ai.clients.${name} is for a client that is not there. ${knownClientsText(name, namedClients)}`);
}

/** Advisors join clients that are there, and no client has two tool advisors. */
export function checkClientAdvisors({
  advisors,
  clientNames,
  namedClients,
  madeClients,
}: AiApplication): readonly string[] {
  const joining = clientNames.map((name) => advisors.of(name));
  const given = madeClients.map((client) => client.advisors);
  const lost = advisors.joined.filter(({ clientName }) => !clientNames.includes(clientName));
  return [
    ...[...joining, ...given].flatMap((list) => problemsOf(() => checkSingleToolAdvisor(list))),
    ...lost.map(
      ({ clientName, advisorName }) =>
        `${advisorName} has @RegisterAdvisor({ clients: ['${clientName}'] }), but there is no such client. ` +
        knownClientsText(clientName, namedClients),
    ),
  ];
}

/** Every client that brings no tool loop of its own has one, made as it is configured. */
export function checkToolLoops({
  loopSources,
  enabledClients,
  madeClients,
  clientFactory,
}: AiApplication): readonly string[] {
  const without = madeClients.filter(({ advisors }) => !advisors.some(isToolAdvisor));
  return [
    ...loopSources.check(enabledClients),
    ...without.flatMap(({ name }) => problemsOf(() => clientFactory?.loopOf(name))),
  ];
}

/** The models of all clients can be asked. */
export function checkChatModels(application: AiApplication): readonly string[] {
  return application.madeClients.flatMap(({ name, chatModel }) => {
    if (name === DEFAULT_CHAT_CLIENT) return problemsOf(() => verify(chatModel, 'AiModule'));
    return chatModel === application.chatModel ? [] : problemsOf(() => verify(chatModel, `the client '${name}'`));
  });
}

/** @throws Error when the model cannot be asked */
function verify(chatModel: ChatModel, owner: string): void {
  if (typeof chatModel?.call !== 'function' || typeof chatModel.stream !== 'function') {
    throw new Error(`The ChatModel given to ${owner} is none: it has no call() or no stream(). Extend ChatModel.`);
  }
  chatModel.verify?.();
}

/** The named client that somebody may have meant, else those that there are. */
function knownClientsText(given: string, namedClients: readonly string[]): string {
  const known = [...new Set(namedClients)];
  const nearest = closestMatch(given, known, { maxDistance: Math.ceil(given.length / 2) });
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  return known.length > 0
    ? `Known: ${known.join(', ')}.`
    : 'None has a name: give one with AiModule.forFeature([{ name }]).';
}
