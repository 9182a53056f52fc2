import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { DiscoveryService } from '@nestjs/core';
import { verifyTool } from '../client/tool-selection.js';
import type { ChatModel } from '../model/chat-model.js';
import { AiBootstrapException, BootstrapCheck, BootstrapProblems } from './bootstrap-problems.js';
import { AI_CHAT_MODEL } from './clients/chat-client.factory.js';
import { MissingClients } from './clients/missing-clients.js';
import { ToolLoopSources } from './clients/tool-loop-sources.js';
import { DEFAULT_CHAT_CLIENT } from './decorators/inject-chat-client.decorator.js';
import { NamedClientCheck } from './clients/named-client.check.js';
import { AdvisorExplorer } from './discovery/advisor.explorer.js';
import { ToolRegistry } from './discovery/tool.registry.js';
import { toolTable } from './discovery/tool-table.js';
import { unknownToolText } from '../execution/tool-lookup.js';
import { TOOL_SUBSTITUTES, type ToolSubstitutes } from './invocation/tool-substitutes.js';
import { MisplacedProviders } from './misplaced-providers.js';
import { EventEmitterBridge } from './events/event-emitter-bridge.js';
import { Observability } from './observability.js';
import { AiProperties } from './properties/ai-properties.js';
import { ClientProperties, type ClientSettings } from './properties/client-properties.js';
import { CONFIGURATION, type PropertySource } from './properties/property-source.js';
import { ToolProperties } from './properties/tool-properties.js';
import { verifyModel } from './verify-model.js';

/** What every provider of models accepts as the name of a tool. */
const PORTABLE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Decides when tools and advisors are looked for, and tells every mistake at once. */
@Injectable()
export class AiRegistrar implements OnModuleInit {
  private readonly logger = new Logger('AiModule');
  #isChecked = false;

  constructor(
    private readonly problems: BootstrapProblems,
    private readonly registry: ToolRegistry,
    private readonly advisors: AdvisorExplorer,
    private readonly toolProperties: ToolProperties,
    private readonly properties: AiProperties,
    private readonly discovery: DiscoveryService,
    private readonly namedClients: NamedClientCheck,
    private readonly missingClients: MissingClients,
    private readonly misplaced: MisplacedProviders,
    private readonly loopSources: ToolLoopSources,
    private readonly observability: Observability,
    private readonly emitter: EventEmitterBridge,
    private readonly clients: ClientProperties,
    @Inject(AI_CHAT_MODEL) private readonly chatModel: ChatModel,
    @Inject(CONFIGURATION) private readonly config: PropertySource | undefined,
    @Inject(TOOL_SUBSTITUTES) private readonly substitutes: ToolSubstitutes,
    private readonly bootstrap: BootstrapCheck,
  ) {
    // Told, since whoever makes clients cannot inject who checks them.
    bootstrap.checkWith(() => this.#ensureChecked());
  }

  /** @throws AiBootstrapException with all problems found, those of another `AiModule` in the application included */
  onModuleInit(): void {
    const all = this.discovery.getProviders().filter(({ token }) => token === AiRegistrar);
    const registrars = all.map(({ instance }) => instance as AiRegistrar);
    // The first one looks after all.
    if (registrars.every(({ isChecked }) => isChecked)) return;
    for (const { emitter } of registrars) emitter.complete();
    // By now every provider is there; what was found before that is not to be relied on.
    for (const registrar of registrars) registrar.look();
    const found = new Set(registrars.flatMap((registrar, index) => registrar.check(index === 0)));
    if (found.size > 0) throw new AiBootstrapException([...found]);
    if (registrars.length > 1) {
      this.logger.warn(
        `AiModule.forRoot() is imported ${registrars.length} times, each time with clients and settings of its own. Import it once, and ` +
          'use AiModule.forFeature() for more clients.',
      );
    }
    this.misplaced.warn();
    for (const registrar of registrars) registrar.warnOfContents();
  }

  /** Tells that contents are shown. */
  warnOfContents(): void {
    const settingsOf = (name: string): ClientSettings =>
      name === DEFAULT_CHAT_CLIENT ? this.clients.ofDefault : this.clients.of(name);
    this.observability.warn(new Map(this.#clientNames.map((name) => [name, settingsOf(name)])));
  }

  /**
   * Tells what is wrong also where nobody has initialised the application, as in a testing module that was only compiled.
   *
   * @throws AiBootstrapException with all problems found
   */
  #ensureChecked(): void {
    if (this.#isChecked || !this.registry.isComplete) return;
    const found = this.check(true);
    if (found.length > 0) throw new AiBootstrapException(found);
  }

  /** Whether everything was looked at, and nothing was wrong. */
  get isChecked(): boolean {
    return this.#isChecked;
  }

  /** Looks for tools and advisors, once and for all. */
  look(): void {
    if (this.#isChecked) return;
    this.registry.refresh();
    this.advisors.refresh();
  }

  /**
   * Looks at everything.
   *
   * @param tells whether to write to the log what is no problem, but worth knowing
   * @returns what is wrong
   */
  check(tells: boolean): readonly string[] {
    if (!this.#isChecked) {
      this.#checkConfiguration();
      this.misplaced.check();
      this.#checkTools(tells);
      this.problems.add(...this.loopSources.check(this.#clientNames), ...this.emitter.check());
      this.namedClients.run();
      this.missingClients.run();
      if (this.properties.chat.client.enabled) this.problems.collect(() => verifyModel(this.chatModel, 'AiModule'));
      // With problems, whoever asks again is to be told again.
      this.#isChecked = this.problems.list.length === 0;
      this.bootstrap.isOver = this.#isChecked;
    }
    return this.problems.list;
  }

  /** The clients that are not turned off. */
  get #clientNames(): readonly string[] {
    const named = [...new Set(this.namedClients.names)].filter((name) => this.namedClients.isEnabled(name));
    return this.properties.chat.client.enabled ? [DEFAULT_CHAT_CLIENT, ...named] : named;
  }

  #checkConfiguration(): void {
    if (this.config) return;
    const isThere = this.discovery
      .getProviders()
      .some(({ token, instance }) => token === ConfigService && instance instanceof ConfigService);
    if (!isThere) return;
    this.problems.add(
      'There is a ConfigModule, but AiModule cannot see it, so the properties ai.* would be ignored. Use ' +
        'ConfigModule.forRoot({ isGlobal: true }), or AiModule.forRoot({ imports: [ConfigModule] }).',
    );
  }

  #checkTools(tells: boolean): void {
    const known = this.registry.names;
    if (!this.toolProperties.isEmpty) for (const name of known) this.problems.add(...this.toolProperties.check(name));
    for (const { name, callback, host } of this.registry.found) {
      this.problems.collect(() => verifyTool(callback));
      if (!tells) continue;
      this.logger.debug(`Tool '${name}' is ${callback.origin} of ${host.moduleName}`, {
        tool: name,
        module: host.moduleName,
      });
      if (!PORTABLE_NAME.test(name)) {
        this.logger.warn(
          `The tool name '${name}' (${callback.origin}) may be refused by providers of models: use 1 to 64 ` +
            'letters, digits, _ and -.',
        );
      }
    }
    if (tells && this.properties.tools.observations.logTools) this.logger.log(toolTable(this.registry.list()));
    for (const { key, name } of this.toolProperties.named.filter((other) => tells && !known.has(other.name))) {
      this.logger.warn(
        `${key}.${name} is for a tool that is not known when the application starts. ${unknownToolText(name, [...known])}`,
      );
    }
    for (const name of this.substitutes.keys()) {
      if (known.has(name) || this.registry.mayGrow) continue;
      this.problems.add(`overrideTool() is for a tool that is not there. ${unknownToolText(name, [...known])}`);
    }
    for (const name of this.registry.missingModules) {
      const text = `AiModule is to include the tools of ${name}, which is no module of the application. Import it.`;
      if (name === undefined) this.problems.add(`${text} It may be imported in a circle.`);
      else if (tells) this.logger.warn(text);
    }
    // With no default set, each client says itself which tools it has.
    const { client } = this.properties.chat;
    if ((!client.enabled || client.defaultTools === 'none') && !this.namedClients.anyHasAll) return;
    for (const { name, places } of this.registry.findDuplicates()) {
      this.problems.add(
        `The tool name '${name}' is taken more than once: by ${places.join(' and by ')}. Give each its own with @Tool({ name }), ` +
          'or set ai.chat.client.default-tools=none and give each client its tools.',
      );
    }
  }
}
