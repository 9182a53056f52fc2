import { Inject, Injectable, Logger, type OnModuleInit, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { DiscoveryService } from '@nestjs/core';
import { ChatClient, ChatClientBuilder } from '../client/chat-client.js';
import { verifyTool } from '../client/tool-selection.js';
import type { ChatModel } from '../model/chat-model.js';
import { AI_EXPORTS } from './ai.providers.js';
import { AI_CHAT_MODEL } from './clients/chat-client.factory.js';
import { NamedClientCheck } from './clients/named-client.check.js';
import { BootstrapProblems } from './bootstrap-problems.js';
import { verifyModel } from './verify-model.js';
import { MissingClients } from './clients/missing-clients.js';
import { AdvisorExplorer } from './discovery/advisor.explorer.js';
import { ToolRegistry } from './discovery/tool.registry.js';
import { AiProperties } from './properties/ai-properties.js';
import { ToolProperties } from './properties/tool-properties.js';

/** What every provider of models accepts as the name of a tool. */
const PORTABLE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Decides when tools and advisors are looked for, and tells every mistake at once. */
@Injectable()
export class AiRegistrar implements OnModuleInit {
  private readonly logger = new Logger('AiModule');

  constructor(
    private readonly problems: BootstrapProblems,
    private readonly registry: ToolRegistry,
    private readonly advisors: AdvisorExplorer,
    private readonly toolProperties: ToolProperties,
    private readonly properties: AiProperties,
    private readonly discovery: DiscoveryService,
    private readonly namedClients: NamedClientCheck,
    private readonly missingClients: MissingClients,
    @Inject(AI_CHAT_MODEL) private readonly chatModel: ChatModel,
    @Optional() @Inject(ConfigService) private readonly config: ConfigService | undefined,
  ) {}

  /** @throws AiBootstrapException with all problems found */
  onModuleInit(): void {
    // By now every provider is there; what was found before that is not to be relied on.
    this.registry.refresh();
    this.advisors.refresh();
    this.#checkConfiguration();
    this.#checkTools();
    this.namedClients.run();
    this.missingClients.run();
    if (this.properties.chat.client.enabled) this.problems.collect(() => verifyModel(this.chatModel, 'AiModule'));
    this.problems.throwIfAny();
    this.#warnOfProvidersElsewhere();
  }

  #checkConfiguration(): void {
    if (this.config || !this.discovery.getProviders().some(({ token }) => token === ConfigService)) return;
    this.problems.add(
      'There is a ConfigModule, but AiModule cannot see it, so the properties ai.* would be ignored. Use ' +
        'ConfigModule.forRoot({ isGlobal: true }), or AiModule.forRoot({ imports: [ConfigModule] }).',
    );
  }

  #checkTools(): void {
    const tools = this.registry.list();
    const known = this.registry.names;
    for (const name of known) this.problems.add(...this.toolProperties.check(name));
    for (const tool of tools) {
      this.problems.collect(() => verifyTool(tool.callback));
      this.logger.debug(`Tool '${tool.name}' is ${tool.callback.origin} of ${tool.moduleName}`);
      if (!PORTABLE_NAME.test(tool.name)) {
        this.logger.warn(
          `The tool name '${tool.name}' (${tool.callback.origin}) may be refused by providers of models: use 1 to 64 ` +
            'letters, digits, _ and -.',
        );
      }
    }
    for (const name of this.toolProperties.names.filter((other) => !known.has(other))) {
      this.logger.warn(
        `ai.tools.overrides.${name} is for a tool that is not known when the application starts. Known: ${[...known].join(', ')}.`,
      );
    }
    // With no default set, each client says itself which tools it has.
    if (this.properties.chat.client.defaultTools === 'none') return;
    for (const { name, places } of this.registry.findDuplicates()) {
      this.problems.add(
        `The tool name '${name}' is taken more than once: by ${places.join(' and by ')}. Give each its own with @Tool({ name }), ` +
          'or set ai.chat.client.default-tools=none and give each client its tools.',
      );
    }
  }

  /** A provider of another module serves that module alone, which is rarely what was meant. */
  #warnOfProvidersElsewhere(): void {
    // A client of a module's own is a good thing to have.
    const replaceable = new Set<unknown>(
      AI_EXPORTS.filter((token) => token !== ChatClient && token !== ChatClientBuilder),
    );
    for (const { token, host, isAlias } of this.discovery.getProviders()) {
      if (isAlias || typeof token === 'symbol' || !replaceable.has(token) || host?.name === 'AiModule') continue;
      this.logger.warn(
        `${(token as { name: string }).name} is provided in ${host?.name}, where it replaces nothing of AiModule. Give the provider to ` +
          'AiModule.forRoot({ providers: [ … ] }).',
      );
    }
  }
}
