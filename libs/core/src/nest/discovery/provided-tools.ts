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
import type { ToolProviderStatus } from './tool-provider-status.js';

/** Selects the tools for requests that don't list tools. */
export interface DefaultOffer {
  includes(host: ProviderHost): boolean;
  isDefault(callback: ToolCallback): boolean;
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

/** The tools of a provider under the names that requests know, or an error that names the provider. */
type Answer = readonly ToolCallback[] | Error;

/** The tools that a provider gives to a request. */
interface Given {
  readonly place: string;
  /** Whether a problem with the tools fails the request. */
  readonly isRequired: boolean;
  readonly callbacks: readonly ToolCallback[];
}

/** The tools that providers list for each request. */
export class ProvidedTools {
  readonly #hosts: ReadonlyMap<ToolCallbackProvider, ProviderHost>;
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
    const answers = await this.#askAll(asked, request, offer);
    const given = asked.map((provider, index) => this.#given(provider, answers[index]!));
    // An augmented tool replaces the tool that it wraps.
    const replaced = new Set(
      given.flatMap((of) => of.callbacks.filter(isAugmentedTool).map(({ delegate }) => delegate)),
    );
    const joined = new Set(callbacks.filter((callback) => !replaced.has(callback)));
    const names = new Set([...joined].map(({ toolDefinition }) => toolDefinition.name));
    for (const { place, isRequired, callbacks: tools } of given) {
      const taken: string[] = [];
      for (const callback of tools.filter((tool) => !joined.has(tool) && !replaced.has(tool))) {
        const { name } = callback.toolDefinition;
        if (names.has(name) && !isRequired) taken.push(name);
        else joined.add(callback);
        names.add(name);
      }
      this.#status.report(place, 'name-taken', taken.length > 0 ? { toolNames: taken } : undefined);
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
    const answers = await this.#askAll(provider.parts ?? [provider], request);
    return answers.flatMap((answer) => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
  }

  /** The registered tool for a tool from a provider of the application. */
  enhancedOf(callback: ToolCallback): ToolCallback | undefined {
    return this.#enhanced.get(callback);
  }

  /**
   * Asks providers for their tools. They get the names that requests know when all have answered:
   * names depend on the order of the providers, not on which one answers first.
   *
   * @param offer selects the tools
   */
  async #askAll(
    providers: readonly ToolCallbackProvider[],
    request: unknown,
    offer?: DefaultOffer,
  ): Promise<readonly Answer[]> {
    const listed = await Promise.allSettled(providers.map((provider) => this.#ask(provider, request)));
    return providers.map((provider, index) => this.#named(provider, listed[index]!, offer));
  }

  #named(
    provider: ToolCallbackProvider,
    listed: PromiseSettledResult<readonly ToolCallback[]>,
    offer: DefaultOffer | undefined,
  ): Answer {
    const place = this.#placeOf(provider);
    const host = this.#hosts.get(provider);
    try {
      if (listed.status === 'rejected') throw listed.reason;
      const tools = listed.value.map(
        (callback) => this.registered.of(callback)?.[0] ?? this.#toolOf(callback, provider, host),
      );
      if (host) this.#status.report(place, 'unavailable', undefined);
      const unchanged = this.#unchanged(tools, provider, place);
      return offer ? unchanged.filter((callback) => offer.isDefault(callback)) : unchanged;
    } catch (cause) {
      if (host && !isCircular(cause)) this.#status.failed(place, cause);
      return new Error(`The tools of ${place} are not available: ${messageOf(cause)}`, { cause });
    }
  }

  #placeOf(provider: ToolCallbackProvider): string {
    const host = this.#hosts.get(provider);
    if (provider.displayName !== undefined) return provider.displayName;
    return host ? `${host.type.name} in ${host.moduleName}` : provider.constructor.name;
  }

  /** @throws Error that names the provider, if it has failed and requests need it */
  #given(provider: ToolCallbackProvider, answer: Answer): Given {
    const place = this.#placeOf(provider);
    const isRequired = provider.required === true;
    if (answer instanceof Error) {
      if (isRequired || isCircular(answer)) throw answer;
      return { place, isRequired, callbacks: [] };
    }
    if (isRequired) return { place, isRequired, callbacks: answer };
    for (const fault of DEFINITION_FAULTS) {
      const found = answer.filter((callback) => this.#faultOf(callback) === fault);
      this.#status.report(place, fault, found.length > 0 ? { toolNames: found.map(nameOf) } : undefined);
    }
    return { place, isRequired, callbacks: answer.filter((callback) => !this.#faultOf(callback)) };
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
