import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { closestMatch } from 'leven';
import { checkSingleToolAdvisor } from '../../advisor/advisor-chain.js';
import type { ToolSource } from '../../client/chat-client-settings.js';
import { isToolQuery } from '../../client/tool-query.js';
import { flatten, verifyTool } from '../../client/tool-selection.js';
import { unknownToolText } from '../../execution/tool-lookup.js';
import type { ChatModel } from '../../model/chat-model.js';
import { isToolCallbackProvider } from '../../model/tool-callback.js';
import { ToolCallbacks } from '../../tool/tool-callbacks.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { AdvisorExplorer } from '../discovery/advisor.explorer.js';
import { ClientProperties } from '../properties/client-properties.js';
import { ToolRegistry } from '../discovery/tool.registry.js';
import { verifyModel } from '../verify-model.js';
import { AI_CHAT_MODEL, ChatClientFactory } from './chat-client.factory.js';
import { NAMED_CLIENTS } from './feature.module.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { type NamedClient } from './named-client.js';

/** Finds what is wrong with the clients of `AiModule.forFeature()`. */
@Injectable()
export class NamedClientCheck {
  private readonly logger = new Logger('AiModule');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly advisors: AdvisorExplorer,
    private readonly properties: ClientProperties,
    private readonly problems: BootstrapProblems,
    private readonly registry: ToolRegistry,
    private readonly clients: ChatClientFactory,
    @Inject(AI_CHAT_MODEL) private readonly chatModel: ChatModel,
  ) {}

  /** The names of all clients but the default one. */
  get names(): readonly string[] {
    return this.discovery
      .getProviders()
      .filter(({ token }) => token === NAMED_CLIENTS)
      .flatMap(({ instance }) => (instance as readonly Pick<NamedClient, 'name'>[]).map(({ name }) => name));
  }

  /** Adds what is wrong to the problems of the bootstrap. */
  run(): void {
    const { names } = this;
    const known = new Set(names);
    for (const name of names.filter((other, index) => names.indexOf(other) !== index)) {
      this.problems.add(`Two clients are named '${name}' in AiModule.forFeature(). Give each its own name.`);
    }
    for (const name of names) this.#checkName(name);
    for (const name of known) this.problems.add(...this.properties.check(name));
    for (const name of [DEFAULT_CHAT_CLIENT, ...known]) {
      this.problems.collect(() => checkSingleToolAdvisor(this.advisors.of(name)));
    }
    for (const { clientName, advisorName } of this.advisors.joined) {
      if (clientName === DEFAULT_CHAT_CLIENT || known.has(clientName)) continue;
      this.problems.add(
        `${advisorName} has @RegisterAdvisor({ clients: ['${clientName}'] }), but there is no such client. ${listed(clientName, known)}`,
      );
    }
    for (const { name, tools, chatModel, hasOwnLoop } of this.clients.made) {
      if (!hasOwnLoop) this.problems.collect(() => this.clients.loopOf(name));
      if (chatModel !== this.chatModel) this.problems.collect(() => verifyModel(chatModel, `the client '${name}'`));
      for (const source of flatten(tools)) this.problems.collect(() => this.#checkTools(name, source));
    }
    for (const name of this.properties.names.filter((other) => !known.has(other))) {
      this.logger.warn(`ai.clients.${name} is for a client that is not there. ${listed(name, known)}`);
    }
  }

  /** @throws Error when what was given as tools is none; what providers will give is not known yet */
  #checkTools(clientName: string, source: ToolSource): void {
    if (isToolCallbackProvider(source) || (typeof source === 'object' && isToolQuery(source))) return;
    try {
      if (typeof source === 'string') this.#checkToolName(source);
      else (this.registry.toolsOf(source) ?? ToolCallbacks.from(source)).forEach(verifyTool);
    } catch (cause) {
      throw new Error(`The tools of the client '${clientName}': ${(cause as Error).message}`, { cause });
    }
  }

  #checkToolName(name: string): void {
    if (this.registry.get(name) || this.registry.isTurnedOff(name) || this.registry.mayGrow) return;
    throw new Error(unknownToolText(name, [...this.registry.names]));
  }

  #checkName(name: unknown): void {
    if (typeof name === 'string' && name.trim() !== '' && name !== DEFAULT_CHAT_CLIENT) return;
    this.problems.add(
      `A client of AiModule.forFeature() is named '${String(name)}'. It needs a name of its own; '${DEFAULT_CHAT_CLIENT}' is the one that ` +
        'is injected as ChatClient.',
    );
  }
}

function listed(name: string, known: ReadonlySet<string>): string {
  const nearest = closestMatch(name, [...known], { maxDistance: Math.ceil(name.length / 2) });
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  return known.size > 0
    ? `Known: ${[...known].join(', ')}.`
    : 'None has a name: give one with AiModule.forFeature([{ name }]).';
}
