import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { type RegisteredTools, type ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';
import { duplicateToolsText } from '../model/tool-calling-chat-options.js';
import { ToolDeclarationException } from '@nestor-ai/schema';
import { ToolCallbacks } from './tool-callbacks.js';

/** The options of {@link MethodToolCallbackProvider}. */
export interface MethodToolCallbackProviderOptions {
  /** Instances with `@Tool()` methods, or classes with static ones. */
  toolObjects: readonly object[];
}

/**
 * Provides the `@Tool()` methods of objects. For objects from the Nest container, a client of
 * `AiModule` uses the registered tools, with their guards and scopes.
 */
export class MethodToolCallbackProvider extends ToolCallbackProvider {
  readonly #toolObjects: readonly object[];
  #own = new Map<object, readonly ToolCallback[]>();

  /** @throws TypeError when there are no objects */
  constructor({ toolObjects }: MethodToolCallbackProviderOptions) {
    super();
    // A builder may leave it out.
    if (!toolObjects?.length) throw new TypeError('toolObjects cannot be null or empty');
    this.#toolObjects = toolObjects;
  }

  static builder(): FluentBuilder<MethodToolCallbackProviderOptions, MethodToolCallbackProvider> {
    return fluentBuilder((options: MethodToolCallbackProviderOptions) => new MethodToolCallbackProvider(options));
  }

  /**
   * @throws ToolDeclarationException when an object has no tools, or two tools have the same name
   */
  getToolCallbacks(registered?: RegisteredTools): readonly ToolCallback[] {
    const callbacks = this.#toolObjects.flatMap((object) => registered?.of(object) ?? this.#toolsOf(object));
    const text = duplicateToolsText(callbacks);
    if (text !== undefined) throw new ToolDeclarationException(text);
    return callbacks;
  }

  #toolsOf(object: object): readonly ToolCallback[] {
    let callbacks = this.#own.get(object);
    if (!callbacks) this.#own.set(object, (callbacks = ToolCallbacks.from(object)));
    return callbacks;
  }
}
