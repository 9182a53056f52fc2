import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isToolCallback,
  type RegisteredTools,
  type ToolCallback,
  type ToolCallbackProvider,
} from '../../model/tool-callback.js';
import type { AugmentedToolCallback } from '../../tool/augmentation/augmented-tool-callback.js';
import { messageOf } from '../../model/message-of.js';
import type { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import type { Exploration } from './discovered-tool.js';

/** What is offered to requests that name no tools themselves. */
export interface DefaultOffer {
  includes(host: ProviderHost): boolean;
  isDefault(callback: ToolCallback): boolean;
}

/** The tools that providers give when a request is made. */
export class ProvidedTools {
  readonly #hosts: ReadonlyMap<ToolCallbackProvider, ProviderHost>;
  readonly #enhanced = new WeakMap<ToolCallback, ToolCallback>();
  /** The providers that are being asked for their tools. */
  readonly #asking = new AsyncLocalStorage<ReadonlySet<ToolCallbackProvider>>();
  /** What was joined last, for each offer. */
  readonly #last = new WeakMap<DefaultOffer, readonly ToolCallback[]>();

  /** @param providers those of the application */
  constructor(
    providers: Exploration['providers'],
    private readonly arounds: ToolAroundFactory,
    private readonly registered: RegisteredTools,
  ) {
    this.#hosts = new Map(firstOfEachClass(providers).map(({ provider, host }) => [provider, host]));
  }

  /** Whether no provider of the application gives tools. */
  get isEmpty(): boolean {
    return this.#hosts.size === 0;
  }

  /**
   * The tools of the application and those that its providers give now. A provider of objects that are providers themselves gives
   * what is known already.
   *
   * @param offer which of the providers are asked, and which of their tools are taken
   * @returns the same frozen list as before, as long as there are the same tools
   * @throws Error naming the provider that fails
   */
  async joinedWith(callbacks: readonly ToolCallback[], offer: DefaultOffer): Promise<readonly ToolCallback[]> {
    const asked = [...this.#hosts].filter(([, host]) => offer.includes(host));
    const provided = await Promise.all(asked.map(([provider]) => this.of(provider)));
    const given = provided.flat().filter((callback) => offer.isDefault(callback));
    // A tool that asks for more than another takes its place.
    const replaced = new Set(given.map((callback) => (callback as Partial<AugmentedToolCallback>).delegate));
    const joined = [...new Set([...callbacks, ...given])].filter((callback) => !replaced.has(callback));
    const last = this.#last.get(offer);
    if (last && joined.length === last.length && joined.every((callback, at) => callback === last[at])) return last;
    this.#last.set(offer, Object.freeze(joined));
    return joined;
  }

  /**
   * The tools that any provider gives now: of one that lives in the container, behind the enhancers of the application.
   *
   * @throws Error naming the provider when it fails
   */
  async of(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
    const host = this.#hosts.get(provider);
    const given = await this.#ask(provider, host);
    return given.map(
      (callback) => this.registered.of(callback)?.[0] ?? (host ? this.#enhance(callback, host) : callback),
    );
  }

  /** What stands for a tool that a provider of the application has given. */
  enhancedOf(callback: ToolCallback): ToolCallback | undefined {
    return this.#enhanced.get(callback);
  }

  async #ask(provider: ToolCallbackProvider, host: ProviderHost | undefined): Promise<readonly ToolCallback[]> {
    const place = host ? `${host.type.name} in ${host.moduleName}` : provider.constructor.name;
    const asking = this.#asking.getStore() ?? new Set();
    try {
      if (asking.has(provider)) {
        throw new Error(
          'it asks a ChatClient that offers these very tools. Give that request its own tools with .tools(…), or none with .tools().',
        );
      }
      const given: unknown = await this.#asking.run(new Set([...asking, provider]), () =>
        provider.getToolCallbacks(this.registered),
      );
      return checkTools(given);
    } catch (cause) {
      throw new Error(`The tools of ${place} cannot be had: ${messageOf(cause)}`, { cause });
    }
  }

  #enhance(callback: ToolCallback, host: ProviderHost): ToolCallback {
    let enhanced = this.#enhanced.get(callback);
    if (!enhanced) {
      enhanced = this.arounds.register(callback, host);
      this.#enhanced.set(callback, enhanced).set(enhanced, enhanced);
    }
    return enhanced;
  }
}

/** @throws Error unless it is an array of tools */
function checkTools(given: unknown): readonly ToolCallback[] {
  if (!Array.isArray(given)) throw new Error(`getToolCallbacks() has to give an array, but gave ${String(given)}.`);
  for (const [index, callback] of given.entries()) {
    if (isToolCallback(callback) && typeof callback.toolDefinition?.name === 'string') continue;
    throw new Error(
      `getToolCallbacks() has to give ToolCallbacks, but number ${index + 1} is none, or has no toolDefinition.`,
    );
  }
  return given as ToolCallback[];
}

/** A class that several modules provide is asked once. */
function firstOfEachClass(providers: Exploration['providers']): Exploration['providers'] {
  const known = new Set<unknown>();
  return providers.filter(({ provider, host }) => {
    const identity = host.isNestMade ? host.type : provider;
    if (known.has(identity)) return false;
    known.add(identity);
    return true;
  });
}
