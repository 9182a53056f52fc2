import { type ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';

/** Gives a fixed list of tools. */
export class StaticToolCallbackProvider extends ToolCallbackProvider {
  readonly #callbacks: readonly ToolCallback[];

  /** @throws TypeError when a tool is missing */
  constructor(...callbacks: readonly (ToolCallback | readonly ToolCallback[])[]) {
    super();
    const list = callbacks.flat<readonly (ToolCallback | readonly ToolCallback[])[]>();
    if (list.some((callback: unknown) => callback === null || callback === undefined)) {
      throw new TypeError('toolCallbacks cannot contain null elements');
    }
    this.#callbacks = Object.freeze(list);
  }

  getToolCallbacks(): readonly ToolCallback[] {
    return this.#callbacks;
  }
}
