import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AdvisorParams } from '../../advisor/advisor-params.js';
import type { Advisor, ToolAdvisor } from '../../advisor/advisor.js';
import { MessageChatMemoryAdvisor } from '../../advisor/message-chat-memory-advisor.js';
import { ToolCallingAdvisor } from '../../advisor/tool-calling-advisor.js';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../../advisor/tool-calling-advisor.options.js';
import { type ChatClient, ChatClientBuilder } from '../../client/chat-client.js';
import { ChatClientCustomizer } from '../../client/chat-client-customizer.js';
import type { ToolSource } from '../../client/chat-client-settings.js';
import type { ClientRuntime } from '../../client/client-runtime.js';
import { ToolCallbackResolver } from '../../execution/tool-callback-resolver.js';
import { ChatModel } from '../../model/chat-model.js';
import { messageOf } from '@nestor-ai/schema';
import { BootstrapProblems, knownText } from '../bootstrap-problems.js';
import { AdvisorExplorer } from '../discovery/advisor.explorer.js';
import { ToolRegistry } from '../discovery/tool.registry.js';
import { CurrentRequest } from '../invocation/current-request.js';
import { singletonOf } from '../hosts/provider-host.js';
import { LocatedChatModel } from '../located-chat-model.js';
import { AiProperties } from '../properties/ai-properties.js';
import { ClientProperties, type ClientSettings, loopOptionsOf } from '../properties/client-properties.js';
import { kebab } from '../properties/property-spelling.js';
import { ApplicationModels } from './application-models.js';
import { ApplicationServices } from './application-services.js';
import { contentLogOf } from './content-log.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import { type NamedClientOptions } from './named-client.js';
import { Extensions } from '../extensions/extensions.js';

/**
 * The token through which modules with named clients inject the factory. Nest's error shows its
 * description if a module cannot see it.
 */
export const AI_CLIENTS: unique symbol = Symbol('AiModule.forRoot(), global or among the imports');

/** The token of the model that the clients of AiModule call. */
export const AI_CHAT_MODEL: unique symbol = Symbol('nestor.AiChatModel');

/** The options of a named client, with instances of its advisors. */
type ResolvedClientOptions = Omit<NamedClientOptions, 'advisors'> & { readonly advisors: readonly Advisor[] };

/** The options in code. The compiler does not check those that a factory returns. */
const CLIENT_OPTIONS = ['name', 'chatModel', 'tools', 'system', 'advisors', 'options'];

/** A named client that was created. */
export interface MadeClient {
  readonly name: string;
  readonly tools: readonly ToolSource[];
  readonly chatModel: ChatModel;
  readonly advisors: readonly Advisor[];
}

/** Creates the clients of the application. */
@Injectable()
export class ChatClientFactory {
  #memoryAdvisor: MessageChatMemoryAdvisor | undefined;

  constructor(
    @Inject(AI_CHAT_MODEL) private readonly chatModel: ChatModel,
    private readonly properties: ClientProperties,
    private readonly registry: ToolRegistry,
    private readonly advisors: AdvisorExplorer,
    private readonly toolCallbackResolver: ToolCallbackResolver,
    private readonly toolCallingAdvisor: ToolCallingAdvisor,
    @Inject(TOOL_CALLING_ADVISOR_OPTIONS) private readonly advisorOptions: ToolCallingAdvisorOptions,
    private readonly moduleRef: ModuleRef,
    private readonly problems: BootstrapProblems,
    private readonly extensions: Extensions,
    @Inject(ChatClientCustomizer) private readonly customizer: ChatClientCustomizer | undefined,
    private readonly services: ApplicationServices,
    private readonly aiProperties: AiProperties,
    private readonly currentRequest: CurrentRequest,
    private readonly models: ApplicationModels,
  ) {}

  /** The named clients created so far, for the bootstrap rules. Request-scoped clients come later. */
  readonly made: MadeClient[] = [];

  /** A builder with the defaults of the application. Undefined if the client is turned off. */
  builder(): ChatClientBuilder | undefined {
    const settings = this.properties.ofDefault;
    return settings.enabled ? this.#builder(DEFAULT_CHAT_CLIENT, settings, this.chatModel) : undefined;
  }

  /** A named client. Undefined if it is turned off. */
  named(name: string, options: ResolvedClientOptions): ChatClient | undefined {
    const settings = this.properties.of(name);
    if (!settings.enabled) return undefined;
    const { chatModel, tools, system, advisors, options: chatOptions } = options;
    const other = Object.keys(options).find((key) => !CLIENT_OPTIONS.includes(key));
    if (other !== undefined) throw new TypeError(`it has no option '${other}'. ${knownText(other, CLIENT_OPTIONS)}`);
    const model = this.#modelOf(name, chatModel);
    if (tools && !Array.isArray(tools)) throw new TypeError('tools has to be a list: write tools: [ … ].');
    // A request-scoped client is recorded once.
    if (!this.made.some((client) => client.name === name)) {
      this.made.push({ name, tools: tools ?? [], chatModel: model, advisors });
    }
    const builder = this.#builder(name, settings, model);
    if (tools && settings.defaultTools !== 'discovered') builder.defaultTools(...tools);
    if (system !== undefined) builder.defaultSystem(system);
    builder.defaultAdvisors(advisors);
    const configured = this.properties.modelOf(name);
    const modelOptions = configured === undefined ? chatOptions : { ...chatOptions, model: configured };
    if (modelOptions) builder.defaultOptions(modelOptions);
    return builder.build();
  }

  #builder(name: string, settings: ClientSettings, chatModel: ChatModel): ChatClientBuilder {
    const { toolCalling, promptCaching } = settings;
    const runtime = this.#runtimeOf(name, settings);
    const builder = ChatClientBuilder.in(runtime, chatModel).defaultAdvisors(
      ...contentLogOf(name, runtime.observability),
      ...this.models.advisorsOf(chatModel !== this.chatModel),
    );
    if (!toolCalling.enabled) builder.defaultAdvisors(AdvisorParams.toolCallingAdvisorAutoRegister(false));
    if (promptCaching) builder.defaultOptions({ promptCaching });
    this.customizer?.customize(builder, name);
    return builder;
  }

  /** Connects a client to the application. */
  #runtimeOf(name: string, settings: ClientSettings) {
    const { registry, currentRequest, advisors } = this;
    return {
      ...this.services.of(name, settings),
      clientName: name === DEFAULT_CHAT_CLIENT ? undefined : name,
      catalog: registry,
      toolCallbackResolver: this.toolCallbackResolver,
      ...(settings.defaultTools === 'discovered' && {
        defaultTools: (request: unknown) => registry.currentCallbacks(request),
      }),
      createToolLoop: () => this.loopOf(name, settings),
      memoryAdvisor: () => this.#memory(),
      currentRequest: () => currentRequest.get(),
      advisors: () => advisors.of(name),
    } satisfies Partial<ClientRuntime>;
  }

  /** Not injected: the memory may be request-scoped if no client needs it. */
  #memory(): MessageChatMemoryAdvisor | undefined {
    if (!this.aiProperties.chat.memory.enabled) return undefined;
    return (this.#memoryAdvisor ??= this.moduleRef.get(MessageChatMemoryAdvisor, { strict: true }));
  }

  /**
   * The tool loop of a client: that of an `AiExtension` if it has one for the client,
   * otherwise the application's `ToolCallingAdvisor`, or a new one if the client's settings differ.
   *
   * @throws Error if the settings differ and Nestor cannot create the class of the tool advisor
   */
  loopOf(name: string, { toolCalling }: ClientSettings = this.properties.of(name)): Advisor & ToolAdvisor {
    const ofAnotherKind = this.extensions.toolLoopOf(name);
    if (ofAnotherKind) return ofAnotherKind;
    const ofAll = this.properties.ofDefault.toolCalling;
    if (toolCalling === ofAll) return this.toolCallingAdvisor;
    const options = loopOptionsOf(toolCalling);
    if (isDeepStrictEqual(options, loopOptionsOf(ofAll))) return this.toolCallingAdvisor;
    if (this.toolCallingAdvisor.constructor === ToolCallingAdvisor) {
      return new ToolCallingAdvisor({ ...this.advisorOptions, ...options });
    }
    throw new Error(
      `ai.clients.${name}.tool-calling.${Object.keys(options).map(kebab).join(' and .')} has no effect, because ` +
        `${this.toolCallingAdvisor.constructor.name} replaces the ToolCallingAdvisor of the application. Give the client its own ` +
        `tool advisor: AiModule.forFeature([{ name: '${name}', advisors: [ … ] }]).`,
    );
  }

  #modelOf(name: string, chatModel: NamedClientOptions['chatModel']): ChatModel {
    if (chatModel === undefined || chatModel === null) return this.chatModel;
    if (typeof chatModel === 'object') return chatModel;
    const what = { name: `The ChatModel of the client '${name}'`, remedy: 'make it a singleton' };
    const token = typeof chatModel === 'function' ? chatModel.name : String(chatModel);
    const missing = `${what.name} is missing. Provide ${token} in a module of the application.`;
    return new LocatedChatModel(() => singletonOf(this.moduleRef, chatModel, false, what), missing);
  }

  /**
   * Creates a client while the application starts. A failure becomes a bootstrap problem. Until
   * that is thrown, every request of the client fails with it.
   *
   * @throws the error of `make` after the bootstrap
   */
  async attempt(clientName: string, make: () => Promise<ChatClient | undefined>): Promise<ChatClient | undefined> {
    try {
      return await make();
    } catch (cause) {
      if (this.problems.isOver) throw cause;
      const error = new Error(`The client '${clientName}' cannot be created: ${messageOf(cause)}`, { cause });
      this.problems.add(error.message);
      const ensureReady = (): never => {
        throw error;
      };
      return ChatClientBuilder.in({ ensureReady }, this.chatModel).build();
    }
  }
}
