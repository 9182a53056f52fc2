import { fluentBuilder, type FluentBuilder } from '../../model/fluent-builder.js';
import { remembered } from '../../model/remembered.js';
import { type RegisteredTools, type ToolCallback, ToolCallbackProvider } from '../../model/tool-callback.js';
import { MethodToolCallbackProvider } from '../method-tool-callback-provider.js';
import { AugmentedToolCallback, type AugmentedToolCallbackOptions } from './augmented-tool-callback.js';

/** The options of {@link AugmentedToolCallbackProvider}. Set either `toolObject` or `delegate`. */
export interface AugmentedToolCallbackProviderOptions<Arguments extends object = object> extends Omit<
  AugmentedToolCallbackOptions<Arguments>,
  'delegate'
> {
  /** The object whose `@Tool()` methods are augmented. */
  toolObject?: object;
  /** The provider whose tools are augmented. */
  delegate?: ToolCallbackProvider;
}

/**
 * Provides tools that ask the model for additional arguments (see {@link AugmentedToolCallback}).
 */
export class AugmentedToolCallbackProvider<Arguments extends object = object> extends ToolCallbackProvider {
  override readonly trusted: boolean;
  override readonly perRequest: boolean;
  readonly #delegate: ToolCallbackProvider;
  readonly #options: AugmentedToolCallbackProviderOptions<Arguments>;
  readonly #augment = remembered(
    (delegate: ToolCallback) => new AugmentedToolCallback<Arguments>({ ...this.#options, delegate }),
  );

  /**
   * @throws TypeError unless `argumentType` and exactly one of `toolObject` and `delegate` are set
   */
  constructor(options: AugmentedToolCallbackProviderOptions<Arguments>) {
    super();
    const { toolObject, delegate, argumentType } = options;
    if (!argumentType) throw new TypeError('argumentType is required');
    if (delegate && toolObject) throw new TypeError('Cannot set both delegate and toolObject');
    if (!delegate && !toolObject) throw new TypeError('Either delegate or toolObject must be set');
    this.#delegate = delegate ?? new MethodToolCallbackProvider({ toolObjects: [toolObject!] });
    this.#options = options;
    this.trusted = this.#delegate.trusted === true;
    this.perRequest = this.#delegate.perRequest === true;
  }

  static builder<Arguments extends object>(): FluentBuilder<
    AugmentedToolCallbackProviderOptions<Arguments>,
    AugmentedToolCallbackProvider<Arguments>
  > {
    return fluentBuilder(
      (options: AugmentedToolCallbackProviderOptions<Arguments>) => new AugmentedToolCallbackProvider(options),
    );
  }

  async getToolCallbacks(registered?: RegisteredTools, request?: unknown): Promise<readonly ToolCallback[]> {
    const callbacks = await (registered?.givenBy(this.#delegate, request) ??
      this.#delegate.getToolCallbacks(registered, request));
    return callbacks.map((callback) => this.#augment(callback));
  }
}
