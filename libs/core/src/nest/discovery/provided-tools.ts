import type { RegisteredTools, ToolCallback } from '../../model/tool-callback.js';
import { messageOf } from '../../tool/tool-execution.exception.js';
import type { Exploration } from './tool.explorer.js';

/** The tools that providers of the application give when a request is made. */
export class ProvidedTools {
  #last: readonly ToolCallback[] = [];

  constructor(private readonly providers: Exploration['providers']) {}

  /**
   * The tools of the application and those that its providers give now. A provider of objects that are providers themselves gives
   * what is known already.
   *
   * @returns the same frozen list as before, as long as there are the same tools
   * @throws Error naming the provider that fails
   */
  async joinedWith(callbacks: readonly ToolCallback[], registered: RegisteredTools): Promise<readonly ToolCallback[]> {
    const provided = await Promise.all(this.providers.map((source) => this.#ask(source, registered)));
    const joined = [...new Set([...callbacks, ...provided.flat()])];
    const isSame = joined.length === this.#last.length && joined.every((callback, at) => callback === this.#last[at]);
    if (!isSame) this.#last = Object.freeze(joined);
    return this.#last;
  }

  async #ask(
    { provider, host }: Exploration['providers'][number],
    registered: RegisteredTools,
  ): Promise<readonly ToolCallback[]> {
    try {
      const callbacks = await provider.getToolCallbacks(registered);
      return callbacks.flatMap((callback) => registered(callback) ?? callback);
    } catch (cause) {
      throw new Error(`The tools of ${host.type.name} in ${host.moduleName} cannot be had: ${messageOf(cause)}`, {
        cause,
      });
    }
  }
}
