import { type ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';

/** Provides a fixed list of tools. */
export class StaticToolCallbackProvider extends ToolCallbackProvider {
  readonly #callbacks: readonly ToolCallback[];

  constructor(...callbacks: readonly (ToolCallback | readonly ToolCallback[])[]) {
    super();
    this.#callbacks = Object.freeze(callbacks.flat<readonly (ToolCallback | readonly ToolCallback[])[]>());
  }

  getToolCallbacks(): readonly ToolCallback[] {
    return this.#callbacks;
  }
}
