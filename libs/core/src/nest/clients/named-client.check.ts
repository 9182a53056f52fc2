import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { closestMatch } from 'leven';
import { isToolAdvisor } from '../../advisor/advisor.js';
import { checkSingleToolAdvisor } from '../../advisor/advisor-chain.js';
import type { ToolSource } from '../../client/chat-client-settings.js';
import { flatten, requireToolSource, verifyTool } from '../../client/tool-selection.js';
import { unknownToolText } from '../../execution/tool-lookup.js';
import type { ChatModel } from '../../model/chat-model.js';
import { isToolCallbackProvider, type ToolCallback } from '../../model/tool-callback.js';
import { ToolCallingChatOptions } from '../../model/tool-calling-chat-options.js';
import { ToolCallbacks } from '../../tool/tool-callbacks.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { AdvisorExplorer } from '../discovery/advisor.explorer.js';
import { ClientProperties } from '../properties/client-properties.js';
import { ToolRegistry } from '../discovery/tool.registry.js';
import { verifyModel } from '../verify-model.js';
import { AI_CHAT_MODEL, ChatClientFactory } from './chat-client.factory.js';
import { NAMED_CLIENTS } from './feature.module.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { clientNameOf, type NamedClient } from './named-client.js';

/** What is no name of a client's own. */
const UNNAMED = new Set([DEFAULT_CHAT_CLIENT, 'undefined', 'null']);

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
    private readonly moduleRef: ModuleRef,
    @Inject(AI_CHAT_MODEL) private readonly chatModel: ChatModel,
  ) {}

  /** The names of all clients but the default one. */
  get names(): readonly string[] {
    return this.discovery
      .getProviders()
      .filter(({ token }) => token === NAMED_CLIENTS)
      .flatMap(({ instance }) => (instance as readonly NamedClient[]).map(clientNameOf));
  }

  /** Whether a client is there, and not turned off. */
  isEnabled(name: string): boolean {
    return this.properties.of(name).enabled;
  }

  /** Whether a named client has all tools of the application. */
  get anyHasAll(): boolean {
    return this.names.some((name) => {
      const { enabled, defaultTools } = this.properties.of(name);
      return enabled && defaultTools === 'discovered';
    });
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
    const clients = this.#clients;
    for (const { name, tools, chatModel, advisors } of clients?.made ?? []) {
      this.problems.collect(() => checkSingleToolAdvisor(advisors));
      if (!advisors.some(isToolAdvisor)) this.problems.collect(() => clients?.loopOf(name));
      if (chatModel !== this.chatModel) this.problems.collect(() => verifyModel(chatModel, `the client '${name}'`));
      const known = flatten(tools).map((source) => this.problems.collect(() => this.#checkTools(name, source)) ?? []);
      this.problems.collect(() => checkNames(name, known.flat()));
    }
    for (const name of this.properties.names.filter((other) => !known.has(other))) {
      this.logger.warn(`ai.clients.${name} is for a client that is not there. ${listed(name, known)}`);
    }
  }

  /** What makes clients; it cannot be had when something that it needs lives as long as a request. */
  get #clients(): ChatClientFactory | undefined {
    try {
      return this.moduleRef.get(ChatClientFactory, { strict: true });
    } catch {
      // Told of by whoever checks what was provided.
      return undefined;
    }
  }

  /**
   * @returns the tools, as far as they are known: what providers will give is not
   * @throws Error when what was given as tools is none
   */
  #checkTools(clientName: string, source: ToolSource): readonly ToolCallback[] {
    try {
      requireToolSource(source);
      if (isToolCallbackProvider(source)) return [];
      const found = typeof source === 'string' ? this.#toolNamed(source) : this.#toolsOf(source);
      found.forEach(verifyTool);
      return found;
    } catch (cause) {
      throw new Error(`The tools of the client '${clientName}': ${(cause as Error).message}`, { cause });
    }
  }

  #toolsOf(source: object): readonly ToolCallback[] {
    return this.registry.toolsOf(source) ?? ToolCallbacks.from(source);
  }

  #toolNamed(name: string): readonly ToolCallback[] {
    const found = this.registry.get(name);
    if (found || this.registry.isTurnedOff(name) || this.registry.mayGrow) return found ? [found.callback] : [];
    throw new Error(unknownToolText(name, [...this.registry.names]));
  }

  #checkName(name: string): void {
    if (name.trim() !== '' && !UNNAMED.has(name)) return;
    this.problems.add(
      `A client of AiModule.forFeature() is named '${name}'. It needs a name of its own; '${DEFAULT_CHAT_CLIENT}' is the one that ` +
        'is injected as ChatClient.',
    );
  }
}

/** @throws Error when two tools of a client have one name */
function checkNames(clientName: string, callbacks: readonly ToolCallback[]): void {
  try {
    ToolCallingChatOptions.validateToolCallbacks([...new Set(callbacks)]);
  } catch (cause) {
    throw new Error(`The tools of the client '${clientName}': ${(cause as Error).message}`, { cause });
  }
}

function listed(name: string, known: ReadonlySet<string>): string {
  const nearest = closestMatch(name, [...known], { maxDistance: Math.ceil(name.length / 2) });
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  return known.size > 0
    ? `Known: ${[...known].join(', ')}.`
    : 'None has a name: give one with AiModule.forFeature([{ name }]).';
}
