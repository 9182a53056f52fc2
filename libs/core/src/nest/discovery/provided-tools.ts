import type { RegisteredTools, ToolCallback, ToolCallbackProvider } from '../../model/tool-callback.js';
import { messageOf } from '../../tool/tool-execution.exception.js';
import type { ToolInvokerFactory } from '../invocation/tool-invoker.factory.js';
import type { ProviderHost } from './provider-host.js';
import type { Exploration } from './tool.explorer.js';

/** The tools that providers give when a request is made. */
export class ProvidedTools {
  readonly #hosts: ReadonlyMap<ToolCallbackProvider, ProviderHost>;
  readonly #enhanced = new WeakMap<ToolCallback, ToolCallback>();
  #last: readonly ToolCallback[] = [];

  /** @param providers those of the application */
  constructor(
    providers: Exploration['providers'],
    private readonly invokers: ToolInvokerFactory,
    private readonly registered: RegisteredTools,
  ) {
    this.#hosts = new Map(providers.map(({ provider, host }) => [provider, host]));
  }

  /** Whether no provider of the application gives tools. */
  get isEmpty(): boolean {
    return this.#hosts.size === 0;
  }

  /**
   * The tools of the application and those that its providers give now. A provider of objects that are providers themselves gives
   * what is known already.
   *
   * @returns the same frozen list as before, as long as there are the same tools
   * @throws Error naming the provider that fails
   */
  async joinedWith(callbacks: readonly ToolCallback[]): Promise<readonly ToolCallback[]> {
    const provided = await Promise.all([...this.#hosts.keys()].map((provider) => this.of(provider)));
    const joined = [...new Set([...callbacks, ...provided.flat()])];
    const isSame = joined.length === this.#last.length && joined.every((callback, at) => callback === this.#last[at]);
    if (!isSame) this.#last = Object.freeze(joined);
    return this.#last;
  }

  /**
   * The tools that any provider gives now: of one that lives in the container, behind the enhancers of the application.
   *
   * @throws Error naming the provider when it fails
   */
  async of(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
    const host = this.#hosts.get(provider);
    const given = await this.#ask(provider, host);
    return given.flatMap((callback) => this.registered(callback) ?? (host ? this.#enhance(callback, host) : callback));
  }

  async #ask(provider: ToolCallbackProvider, host: ProviderHost | undefined): Promise<readonly ToolCallback[]> {
    const place = host ? `${host.type.name} in ${host.moduleName}` : provider.constructor.name;
    let given: unknown;
    try {
      given = await provider.getToolCallbacks(this.registered);
    } catch (cause) {
      throw new Error(`The tools of ${place} cannot be had: ${messageOf(cause)}`, { cause });
    }
    if (!Array.isArray(given)) {
      throw new Error(
        `The tools of ${place} cannot be had: getToolCallbacks() has to give an array, but gave ${String(given)}.`,
      );
    }
    return given as ToolCallback[];
  }

  #enhance(callback: ToolCallback, host: ProviderHost): ToolCallback {
    let enhanced = this.#enhanced.get(callback);
    if (!enhanced) this.#enhanced.set(callback, (enhanced = this.invokers.enhance(callback, host)));
    return enhanced;
  }
}
