import type { InjectionToken, ModuleMetadata, Provider, Scope, Type } from '@nestjs/common';
import type { Advisor } from '../../advisor/advisor.js';
import type { ToolSource } from '../../client/chat-client-settings.js';
import type { PromptSystemSpec } from '../../client/prompt-text.js';
import type { ChatModel } from '../../model/chat-model.js';
import type { ChatOptions } from '../../model/chat-options.js';

/** What a named client has by default. */
export interface NamedClientOptions {
  /** The model, or the token of a provider that is one. Default: the application's. */
  readonly chatModel?: ChatModel | InjectionToken<ChatModel>;
  /** Its tools: classes, names, `toolsWhere()`, whatever `.tools()` takes. Default: none, whatever the application has. */
  readonly tools?: readonly ToolSource[];
  /** Its instructions. */
  readonly system?: string | ((spec: PromptSystemSpec) => void);
  /** Its advisors: instances, or classes, which are then providers of the module that `forFeature()` makes. */
  readonly advisors?: readonly (Advisor | Type<Advisor>)[];
  /** Options of every request, over those of the model. */
  readonly options?: ChatOptions;
}

/** A client of `AiModule.forFeature()`. */
export interface NamedClient extends NamedClientOptions {
  /** Injected with `@InjectChatClient(name)`, configured under `ai.clients.<name>`. */
  readonly name: string;
  /**
   * `Scope.REQUEST`: a client for each request that comes in, whose tools are called on behalf of that request. Default: one for
   * the application.
   */
  readonly scope?: Scope;
}

/** A client of `AiModule.forFeatureAsync()`. */
export interface NamedClientAsync extends Pick<NamedClient, 'name' | 'scope'> {
  /** Advisors that are providers of the module that `forFeatureAsync()` makes. Others may come from the factory. */
  readonly advisors?: readonly Type<Advisor>[];
  readonly inject?: readonly InjectionToken[];
  readonly useFactory: (...injected: never[]) => NamedClientOptions | Promise<NamedClientOptions>;
}

/** What stands beside the clients in `forFeature()`. */
export interface NamedClientSurroundings {
  /** Modules that export what the clients inject. */
  readonly imports?: ModuleMetadata['imports'];
  /** What else the clients inject. */
  readonly providers?: Provider[];
}

/** The name of a client as text, whatever a program without types has given. */
export function clientNameOf({ name }: { readonly name: unknown }): string {
  return String(name);
}
