import { AsyncLocalStorage } from 'node:async_hooks';
import { messageOf } from '../../model/message-of.js';
import {
  isToolCallback,
  type RegisteredTools,
  type ToolCallback,
  type ToolCallbackProvider,
} from '../../model/tool-callback.js';
import { isAugmentedTool } from '../../tool/augmentation/augmented-tool-callback.js';
import { asGivenBy, isForeign } from '../../tool/trust/provider-tool.js';
import type { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import { DEFINITION_FAULTS, type DefinitionFault, definitionFaultOf } from './definition-fault.js';
import type { Exploration } from './discovered-tool.js';
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
}

/** The tools that a provider listed for a request. */
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
  readonly #answers: TimelyAnswers<ToolCallbackProvider>;
  readonly #status: ToolProviderStatus;
  readonly #pins: ToolPins;
  /** The problems of the tools checked so far. */
  readonly #faults = new WeakMap<ToolCallback, { readonly fault: DefinitionFault | undefined }>();
  /** The last result for each offer. */
  readonly #last = new WeakMap<DefaultOffer, readonly ToolCallback[]>();

  /** @param providers the tool providers of the application */
  constructor(
    providers: Exploration['providers'],
    private readonly arounds: ToolAroundFactory,
    private readonly registered: RegisteredTools,
    { status, timeout, pins }: ProviderAsking,
  ) {
    this.#hosts = new Map(firstOfEachClass(providers).map(({ provider, host }) => [provider, host]));
    this.#status = status;
    this.#pins = pins;
    this.#answers = new TimelyAnswers(timeout);
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
   * @returns the same frozen list as before if the tools are the same
   * @throws Error that names the provider, if a required one fails
   */
  async joinedWith(callbacks: readonly ToolCallback[], offer: DefaultOffer): Promise<readonly ToolCallback[]> {
    const asked = [...this.#hosts].filter(([, host]) => offer.includes(host));
    const given = await Promise.all(asked.map(([provider, host]) => this.#given(provider, host, offer)));
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
   * @throws Error that names the provider if it fails
   */
  async of(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
    const host = this.#hosts.get(provider);
    const place = host ? placeOf(host) : provider.constructor.name;
    try {
      const given = await this.#ask(provider);
      const tools = given.map(
        (callback) => this.registered.of(callback)?.[0] ?? this.#toolOf(callback, provider, host),
      );
      if (host) this.#status.report(place, 'unavailable', undefined);
      return this.#unchanged(tools, provider, place);
    } catch (cause) {
      if (host && !isCircular(cause)) this.#status.failed(place, cause);
      throw new Error(`The tools of ${place} are not available: ${messageOf(cause)}`, { cause });
    }
  }

  /** The registered tool for a tool from a provider of the application. */
  enhancedOf(callback: ToolCallback): ToolCallback | undefined {
    return this.#enhanced.get(callback);
  }

  async #given(provider: ToolCallbackProvider, host: ProviderHost, offer: DefaultOffer): Promise<Given> {
    const place = placeOf(host);
    const isRequired = provider.required === true;
    try {
      const callbacks = (await this.of(provider)).filter((callback) => offer.isDefault(callback));
      if (isRequired) return { place, isRequired, callbacks };
      for (const fault of DEFINITION_FAULTS) {
        const found = callbacks.filter((callback) => this.#faultOf(callback) === fault);
        this.#status.report(place, fault, found.length > 0 ? { toolNames: found.map(nameOf) } : undefined);
      }
      return { place, isRequired, callbacks: callbacks.filter((callback) => !this.#faultOf(callback)) };
    } catch (error) {
      if (isRequired || isCircular(error)) throw error;
      return { place, isRequired, callbacks: [] };
    }
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

  #faultOf(callback: ToolCallback): DefinitionFault | undefined {
    let found = this.#faults.get(callback);
    if (!found) this.#faults.set(callback, (found = { fault: definitionFaultOf(callback) }));
    return found.fault;
  }

  #sameAsBefore(joined: readonly ToolCallback[], offer: DefaultOffer): readonly ToolCallback[] {
    const last = this.#last.get(offer);
    if (last && joined.length === last.length && joined.every((callback, at) => callback === last[at])) return last;
    this.#last.set(offer, Object.freeze(joined));
    return joined;
  }

  async #ask(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
    const asking = this.#asking.getStore() ?? new Set();
    if (asking.has(provider)) throw new CircularAskingException();
    const given: unknown = await this.#asking.run(new Set([...asking, provider]), () =>
      this.#answers.of(provider, () => provider.getToolCallbacks(this.registered)),
    );
    return checkTools(given);
  }

  #toolOf(callback: ToolCallback, provider: ToolCallbackProvider, host: ProviderHost | undefined): ToolCallback {
    if (!host) return asGivenBy(provider, callback);
    let enhanced = this.#enhanced.get(callback);
    if (!enhanced) {
      enhanced = asGivenBy(provider, this.arounds.register(callback, host));
      this.#enhanced.set(callback, enhanced).set(enhanced, enhanced);
    }
    return enhanced;
  }
}

function nameOf({ toolDefinition }: ToolCallback): string {
  return toolDefinition.name;
}

function placeOf({ type, moduleName }: ProviderHost): string {
  return `${type.name} in ${moduleName}`;
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

/** @throws TypeError unless it is an array of tools */
function checkTools(given: unknown): readonly ToolCallback[] {
  if (!Array.isArray(given))
    throw new TypeError(`getToolCallbacks() has to return an array, but returned ${String(given)}.`);
  for (const [index, callback] of given.entries()) {
    if (isToolCallback(callback) && typeof callback.toolDefinition?.name === 'string') continue;
    throw new TypeError(
      `getToolCallbacks() has to return ToolCallbacks, but item ${index + 1} is not one, or has no toolDefinition.`,
    );
  }
  return given as ToolCallback[];
}

/** Each class once, even if several modules provide it. */
function firstOfEachClass(providers: Exploration['providers']): Exploration['providers'] {
  const known = new Set<unknown>();
  return providers.filter(({ provider, host }) => {
    const identity = host.isNestMade ? host.type : provider;
    if (known.has(identity)) return false;
    known.add(identity);
    return true;
  });
}
