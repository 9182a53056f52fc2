import { Logger } from '@nestjs/common';
import { ChatModel, ChatModelException, ModelRouter } from '@nestor-ai/core';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import type { PropertyNames } from '../failure/advice.js';
import { ConfiguredProvider, DEFAULT_NAMES, type ProviderSettings } from './configured-provider.js';
import { isModelProvider, type ModelProvider } from './provider-table.js';

/** The token of the models. Nest's error shows its description if a module cannot see it. */
export const CONFIGURED_MODELS: unique symbol = Symbol('AiSdkModule.forRoot(), global or among the imports');

/** How many names to create models for and keep. Requests may name any number. */
const MAX_KEPT = 100;

/**
 * The models of the application by name. A name is, in this order: one of `ai.models`, a provider
 * and an id such as `anthropic:claude-sonnet-4-5`, or another id at the provider of the model that
 * would be called.
 */
export class ConfiguredModels extends ModelRouter {
  readonly #named = new Map<string, ChatModel>();
  /** The names that code has given. The configuration may describe them as well. */
  readonly #inCode = new Set<string>();
  readonly #problems = new Map<string, readonly string[]>();
  /** The settings of the configured providers, for models that requests name. */
  readonly #settings = new Map<ModelProvider, readonly [ProviderSettings, PropertyNames]>();
  /** The providers that have created models. */
  readonly #origins = new WeakMap<ChatModel, ConfiguredProvider>();
  readonly #warned = new Set<string>();
  readonly #made = new Map<string, Promise<ChatModel>>();

  /** @param defaults the settings of the application's model */
  constructor(readonly defaults: ProviderSettings) {
    super();
    this.useSettings(defaults, DEFAULT_NAMES);
  }

  /**
   * Adds a model. One from code replaces one that only the configuration describes.
   *
   * @returns the model
   */
  add(name: string, model: ChatModel, { isInCode }: { readonly isInCode: boolean }): ChatModel {
    if (isInCode && this.#inCode.has(name)) {
      this.report(`twice ${name}`, [`Two models are named '${name}'. Give each its own name.`]);
      return model;
    }
    if (isInCode) this.#inCode.add(name);
    this.#named.set(name, model);
    return model;
  }

  /** Sets the problems of a model, for the bootstrap. They replace earlier ones of that name. */
  report(name: string, problems: readonly string[]): void {
    this.#problems.set(name, problems);
  }

  /** Logs a warning, if there is one, once. */
  warn(warning: string | undefined): void {
    if (warning === undefined || this.#warned.has(warning)) return;
    this.#warned.add(warning);
    new Logger('AiSdkModule').warn(warning);
  }

  /** Uses settings for models of their provider that requests name. The first ones count. */
  useSettings(settings: ProviderSettings, names: PropertyNames): void {
    const { provider } = settings;
    if (provider && !this.#settings.has(provider)) this.#settings.set(provider, [settings, names]);
  }

  /** Records the provider of a model, so that requests can name others of the same provider. */
  created(model: ChatModel, provider: ConfiguredProvider): ChatModel {
    this.#origins.set(model, provider);
    return model;
  }

  /** The model of a name. Undefined if there is none. */
  get(name: string): ChatModel | undefined {
    return this.#named.get(name);
  }

  override resolve(name: string, current: ChatModel): ChatModel | Promise<ChatModel> | undefined {
    requireText(name);
    const found = this.#named.get(name) ?? (current.modelName === name ? current : undefined);
    if (found) return found;
    const [provider, id] = splitName(name);
    if (provider !== undefined) return this.#keep(name, () => this.#ofProvider(provider, id));
    const origin = this.#origins.get(current);
    if (origin) return origin.chatModel(name, current.defaultOptions);
    // Other models may take the id themselves.
    if (!(current instanceof AiSdkChatModel)) return undefined;
    throw this.#unknown(name);
  }

  override verify(name: string): void {
    if (this.#named.has(name) || splitName(name)[0] !== undefined) return;
    throw this.#unknown(name);
  }

  override check(): readonly string[] {
    return [...[...this.#problems.values()].flat(), ...sharedVariables([...this.#named.keys()])];
  }

  /**
   * Loads the providers of names such as `openai:gpt-5-mini`. What is missing becomes a problem.
   *
   * @param names the fallbacks of a model
   */
  async load(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const [provider, id] = splitName(name);
      if (provider === undefined || this.#named.has(name)) continue;
      const failure = await this.#keep(name, () => this.#ofProvider(provider, id)).then(
        () => undefined,
        (error: unknown) => error as Error,
      );
      if (failure) this.report(name, [failure.message]);
    }
  }

  #unknown(name: string): ChatModelException {
    const names = [...this.#named.keys()];
    const known = names.length > 0 ? `Known: ${names.join(', ')}.` : 'No model has a name.';
    return new ChatModelException(
      `There is no model '${name}'. ${known} Add it as ai.models.${name}, or write a provider and an id, such as ` +
        'openai:gpt-5-mini.',
    );
  }

  async #ofProvider(provider: ModelProvider, id: string): Promise<ChatModel> {
    const [settings, names] = this.#settings.get(provider) ?? [{ fetch: this.defaults.fetch }];
    const origin = await ConfiguredProvider.load({ ...settings, provider }, names);
    return this.created(origin.chatModel(id), origin);
  }

  /** A failed attempt is not kept. */
  #keep(name: string, make: () => Promise<ChatModel>): Promise<ChatModel> {
    const known = this.#made.get(name);
    if (known) return known;
    if (this.#made.size >= MAX_KEPT) this.#made.clear();
    const made = make();
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }
}

/** @throws ChatModelException if the option `model` of a request names nothing */
function requireText(name: unknown): void {
  if (typeof name === 'string' && name.trim() !== '') return;
  throw new ChatModelException(
    `The option model of a request is ${typeof name === 'string' ? 'empty' : `a ${typeof name}`}. Set it to the name ` +
      'of a model, or leave it out.',
  );
}

/** `openai:gpt-5-mini` in two parts. Ids contain colons as well, such as `llama3:8b`. */
function splitName(name: string): readonly [provider: ModelProvider, id: string] | readonly [undefined] {
  const at = name.indexOf(':');
  const provider = name.slice(0, Math.max(at, 0));
  const id = name.slice(at + 1);
  return isModelProvider(provider) && id !== '' ? [provider, id] : [undefined];
}

/** The start of the environment variables of a model: `AI_MODELS_MY_FAST` for `myFast`, as core reads them. */
export function variableOf(name: string): string {
  return `AI_MODELS_${name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_')}`.toUpperCase();
}

/** Problems of names that differ, but not in environment variables. */
function sharedVariables(names: readonly string[]): string[] {
  return names.flatMap((name, at) => {
    const other = names.slice(0, at).findLast((one) => variableOf(one) === variableOf(name));
    return other === undefined
      ? []
      : `The models '${other}' and '${name}' have the same environment variables ${variableOf(name)}_*. Rename one of them.`;
  });
}
