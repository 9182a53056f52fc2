import type { InjectionToken, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { Advisor } from '../../advisor/advisor.js';
import type { ToolSource } from '../../client/chat-client-settings.js';
import type { PromptSystemSpec } from '../../client/prompt-text.js';
import type { ChatModel } from '../../model/chat-model.js';
import type { ChatOptions } from '../../model/chat-options.js';

/** The defaults of a named client. */
export interface NamedClientOptions {
  /** The model, or the injection token of one. Default: the model of the application. */
  readonly chatModel?: ChatModel | InjectionToken<ChatModel>;
  /**
   * The tools: classes, names, `toolsWhere()` and everything else that `.tools()` accepts. Default:
   * none.
   */
  readonly tools?: readonly ToolSource[];
  /** The system instructions. */
  readonly system?: string | ((spec: PromptSystemSpec) => void);
  /** The advisors: instances or classes. `forFeature()` provides the classes in its module. */
  readonly advisors?: readonly (Advisor | Type<Advisor>)[];
  /** Options for every request. They override those of the model. */
  readonly options?: ChatOptions;
}

/** A client of `AiModule.forFeature()`. */
export interface NamedClient extends NamedClientOptions {
  /** The name for `@InjectChatClient(name)` and for the properties under `ai.clients.<name>`. */
  readonly name: string;
}

/** A client of `AiModule.forFeatureAsync()`. */
export interface NamedClientAsync extends Pick<NamedClient, 'name'> {
  /**
   * Advisor classes. `forFeatureAsync()` provides them in its module. The factory can add
   * instances.
   */
  readonly advisors?: readonly Type<Advisor>[];
  readonly inject?: readonly InjectionToken[];
  readonly useFactory: (...injected: never[]) => NamedClientOptions | Promise<NamedClientOptions>;
}

/** The second parameter of `forFeature()`. */
export interface NamedClientSurroundings {
  /** Modules that export the dependencies of the clients. */
  readonly imports?: ModuleMetadata['imports'];
  /** Further providers that the clients inject. */
  readonly providers?: Provider[];
}

/** The name of a client as text, since untyped code may pass anything. */
export function clientNameOf({ name }: { readonly name: unknown }): string {
  return String(name);
}
