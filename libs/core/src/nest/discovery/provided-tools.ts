import { AsyncLocalStorage } from 'node:async_hooks';
import { messageOf } from '@nestor-ai/schema';
import type { RegisteredTools, ToolCallback, ToolCallbackProvider } from '../../model/tool-callback.js';
import { isAugmentedTool } from '../../tool/augmentation/augmented-tool-callback.js';
import { asGivenBy, isForeign } from '../../tool/trust/provider-tool.js';
import type { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import { remembered } from '../../model/remembered.js';
import { checkListedTools, DEFINITION_FAULTS, definitionFaultOf } from './definition-fault.js';
import type { Exploration } from './discovered-tool.js';
import { ProvidedNames } from './provided-names.js';
import { TimelyAnswers } from './timely-answers.js';
import type { ToolPins } from './tool-pins.js';
import type { ToolProviderFault, ToolProviderStatus } from './tool-provider-status.js';

/** Selects the tools for requests that don't list tools. */
export interface DefaultOffer {
  includes(host: ProviderHost): boolean;
  isDefault(callback: ToolCallback): boolean;
  /** Whether this offer reports a provider's tools whose names are taken: only one may, since offers differ. */
  reportsTaken(host: ProviderHost): boolean;
}

/** Settings for calls of `getToolCallbacks()`. */
export interface ProviderAsking {
  /** Records the providers that fail. */
  readonly status: ToolProviderStatus;
  /** How long to wait for a provider, in milliseconds. */
  readonly timeout: number;
  /** Knows the hashes of foreign tools. */
  readonly pins: ToolPins;
  /** The names of the application's own tools. */
  readonly names: ReadonlySet<string>;
}

/** The tools that providers list for each request. */
export class ProvidedTools {
  readonly #hosts: ReadonlyMap<ToolCallbackProvider, ProviderHost>;
  /** How messages name the providers. The status and the pins know each by its own name. */
  readonly #places: ReadonlyMap<ToolCallbackProvider, string>;
  readonly #enhanced = new WeakMap<ToolCallback, ToolCallback>();
  /** The providers whose `getToolCallbacks()` is running. */
  readonly #asking = new AsyncLocalStorage<ReadonlySet<ToolCallbackProvider>>();
  readonly #answers: TimelyAnswers<object>;
  readonly #names: ProvidedNames;
  readonly #status: ToolProviderStatus;
  readonly #pins: ToolPins;
  readonly #faultOf = remembered(definitionFaultOf);
  /** The last result for each offer. */
  readonly #last = new WeakMap<DefaultOffer, readonly ToolCallback[]>();

  /** @param providers the tool providers of the application */
  constructor(
    providers: Exploration['providers'],
    private readonly arounds: ToolAroundFactory,
    private readonly registered: RegisteredTools,
    { status, timeout, pins, names }: ProviderAsking,
  ) {
    this.#hosts = new Map(firstOfEachClass(providers).map(({ provider, host }) => [provider, host]));
    this.#places = placesOf(this.#hosts);
    this.#status = status;
    this.#pins = pins;
    this.#answers = new TimelyAnswers(timeout);
    const prefixes = providers.flatMap(({ provider: { prefix } }) => (prefix ? [prefix] : []));
    this.#names = new ProvidedNames(names, prefixes);
  }

  /** Whether the application has no such providers. */
  get isEmpty(): boolean {
    return this.#hosts.size === 0;
  }

  /**
   * The tools of the application together with those that its providers list now. If a provider
   * lists a tool of the application, the registered tool is used. Requests don't depend on a
   * single provider: a provider that fails is left out, and so are invalid tools and tools whose
   * name is taken.
   *
   * @param offer selects the providers and their tools
   * @param request the caller's request
   * @returns the same frozen list as before if the tools are the same
   * @throws Error that names the provider, if a required one fails
   */
  async joinedWith(
    callbacks: readonly ToolCallback[],
    offer: DefaultOffer,
    request?: unknown,
  ): Promise<readonly ToolCallback[]> {
    const asked = [...this.#hosts].filter(([, host]) => offer.includes(host)).map(([provider]) => provider);
    const listed = await Promise.all(asked.map((provider) => this.#listedOrLeftOut(provider, request)));
    // Names depend on the order of the providers, not on which one answers first.
    const given = asked.map((provider, index) => ({
      provider,
      callbacks: this.#given(provider, listed[index], offer),
    }));
    // An augmented tool replaces the tool that it wraps.
    const replaced = new Set(
      given.flatMap((of) => of.callbacks.filter(isAugmentedTool).map(({ delegate }) => delegate)),
    );
    const joined = new Set(callbacks.filter((callback) => !replaced.has(callback)));
    const names = new Set([...joined].map(({ toolDefinition }) => toolDefinition.name));
    for (const { provider, callbacks: tools } of given) {
      const taken: string[] = [];
      for (const callback of tools.filter((tool) => !joined.has(tool) && !replaced.has(tool))) {
        const { name } = callback.toolDefinition;
        if (names.has(name) && !provider.required) taken.push(name);
        else joined.add(callback);
        names.add(name);
      }
      if (offer.reportsTaken(this.#hosts.get(provider)!)) this.#report(provider, 'name-taken', taken);
    }
    return this.#sameAsBefore([...joined], offer);
  }

  /**
   * The tools that a provider lists now. If the provider is in the container, they run behind the
   * enhancers of the application.
   *
   * @param request the caller's request
   * @throws Error that names the provider if it fails
   */
  async of(provider: ToolCallbackProvider, request?: unknown): Promise<readonly ToolCallback[]> {
    const parts = provider.parts ?? [provider];
    const listed = await Promise.all(parts.map((part) => this.#listed(part, request)));
    return parts.flatMap((part, index) => this.#named(part, listed[index]!));
  }

  /** The registered tool for a tool from a provider of the application. */
  enhancedOf(callback: ToolCallback): ToolCallback | undefined {
    return this.#enhanced.get(callback);
  }

  /** @throws Error that names the provider if it fails */
  async #listed(provider: ToolCallbackProvider, request: unknown): Promise<readonly ToolCallback[]> {
    try {
      return await this.#ask(provider, request);
    } catch (cause) {
      throw this.#failureOf(provider, cause);
    }
  }

  /** Undefined if the provider fails and requests do not need it. */
  async #listedOrLeftOut(
    provider: ToolCallbackProvider,
    request: unknown,
  ): Promise<readonly ToolCallback[] | undefined> {
    try {
      return await this.#listed(provider, request);
    } catch (error) {
      if (provider.required || isCircular(error)) throw error;
      return undefined;
    }
  }

  /**
   * The tools under the names that requests know.
   *
   * @throws Error that names the provider if its tools cannot be used
   */
  #named(provider: ToolCallbackProvider, listed: readonly ToolCallback[]): readonly ToolCallback[] {
    const place = this.#placeOf(provider);
    const host = this.#hosts.get(provider);
    try {
      const tools = listed.map(
        (callback) => this.registered.of(callback)?.[0] ?? this.#toolOf(callback, provider, host),
      );
      if (host) this.#status.report(place, 'unavailable', undefined);
      return this.#unchanged(tools, provider, place);
    } catch (cause) {
      throw this.#failureOf(provider, cause);
    }
  }

  #failureOf(provider: ToolCallbackProvider, cause: unknown): Error {
    const place = this.#placeOf(provider);
    if (this.#hosts.has(provider) && !isCircular(cause)) this.#status.failed(place, cause);
    return new Error(`The tools of ${place} are not available: ${messageOf(cause)}`, { cause });
  }

  #placeOf(provider: ToolCallbackProvider): string {
    return this.#places.get(provider) ?? provider.displayName ?? provider.constructor.name;
  }

  #given(
    provider: ToolCallbackProvider,
    listed: readonly ToolCallback[] | undefined,
    offer: DefaultOffer,
  ): readonly ToolCallback[] {
    if (!listed) return [];
    try {
      const tools = this.#named(provider, listed);
      const callbacks = tools.filter((callback) => offer.isDefault(callback));
      if (provider.required) return callbacks;
      // Of all its tools, so that each offer reports the same.
      for (const fault of DEFINITION_FAULTS) {
        this.#report(provider, fault, tools.filter((callback) => this.#faultOf(callback) === fault).map(nameOf));
      }
      return callbacks.filter((callback) => !this.#faultOf(callback));
    } catch (error) {
      if (provider.required) throw error;
      return [];
    }
  }

  #report(provider: ToolCallbackProvider, fault: ToolProviderFault, toolNames: readonly string[]): void {
    this.#status.report(this.#placeOf(provider), fault, toolNames.length > 0 ? { toolNames } : undefined);
  }

  /**
   * Leaves out tools that have changed if `ai.tools.pin` is `refuse`.
   *
   * @throws Error with the names of changed tools, if they are refused and the provider is
   *   required
   */
  #unchanged(tools: readonly ToolCallback[], provider: ToolCallbackProvider, place: string): readonly ToolCallback[] {
    const hashes = new Map<string, string>();
    for (const callback of tools.filter((tool) => isForeign(provider, tool))) {
      const hash = this.#pins.changedHashOf(place, callback.toolDefinition);
      if (hash !== undefined) hashes.set(nameOf(callback), hash);
    }
    const toolNames = [...hashes.keys()];
    const { refuses } = this.#pins;
    this.#status.report(place, 'changed', hashes.size > 0 ? { toolNames, hashes } : undefined);
    if (hashes.size === 0 || !refuses) return tools;
    if (provider.required)
      throw new Error(`these tools have changed, and ai.tools.pin is refuse: ${toolNames.join(', ')}.`);
    return tools.filter((callback) => !hashes.has(nameOf(callback)));
  }

  #sameAsBefore(joined: readonly ToolCallback[], offer: DefaultOffer): readonly ToolCallback[] {
    const last = this.#last.get(offer);
    if (last && joined.length === last.length && joined.every((callback, at) => callback === last[at])) return last;
    this.#last.set(offer, Object.freeze(joined));
    return joined;
  }

  async #ask(provider: ToolCallbackProvider, request: unknown): Promise<readonly ToolCallback[]> {
    const asking = this.#asking.getStore() ?? new Set();
    if (asking.has(provider)) throw new CircularAskingException();
    // If the list for one caller is too slow, the list for another one may not be.
    const asked = provider.perRequest ? {} : provider;
    const given: unknown = await this.#asking.run(new Set([...asking, provider]), () =>
      this.#answers.of(asked, () => provider.getToolCallbacks(this.registered, request)),
    );
    return checkListedTools(given);
  }

  #toolOf(callback: ToolCallback, provider: ToolCallbackProvider, host: ProviderHost | undefined): ToolCallback {
    if (!host) return asGivenBy(provider, callback);
    let enhanced = this.#enhanced.get(callback);
    if (!enhanced) {
      const prefix = this.#names.prefixOf(provider, nameOf(callback));
      enhanced = asGivenBy(provider, this.arounds.register(callback, host), prefix);
      this.#enhanced.set(callback, enhanced).set(enhanced, enhanced);
    }
    return enhanced;
  }
}

function nameOf({ toolDefinition }: ToolCallback): string {
  return toolDefinition.name;
}

/** A mistake in the application: it fails every request, even if the provider is not required. */
class CircularAskingException extends Error {
  constructor() {
    super(
      'getToolCallbacks() calls a ChatClient that offers these same tools. Give that request other tools with .tools(…), or none with .tools().',
    );
  }
}

function isCircular(error: unknown): boolean {
  return error instanceof Error && (error instanceof CircularAskingException || isCircular(error.cause));
}

/** The second provider of one class and module is `McpTools in AppModule (2)`. */
function placesOf(hosts: ReadonlyMap<ToolCallbackProvider, ProviderHost>): ReadonlyMap<ToolCallbackProvider, string> {
  const named = [...hosts].map(
    ([provider, { type, moduleName }]) => [provider, provider.displayName ?? `${type.name} in ${moduleName}`] as const,
  );
  return new Map(
    named.map(([provider, place], at) => {
      const before = named.slice(0, at).filter(([, other]) => other === place).length;
      return [provider, before === 0 ? place : `${place} (${before + 1})`];
    }),
  );
}

/** Each class once, even if several modules provide it. */
function firstOfEachClass(providers: Exploration['providers']): Exploration['providers'] {
  const known = new Set<unknown>();
  return providers.filter(({ provider, host }) => {
    const identity = host.isNestMade && host.wrapper.instance === provider ? host.type : provider;
    if (known.has(identity)) return false;
    known.add(identity);
    return true;
  });
}
