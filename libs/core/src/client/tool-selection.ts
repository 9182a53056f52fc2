import { unknownToolText } from '../execution/tool-lookup.js';
import { untilAborted } from '../model/aborts.js';
import type { ChatModel } from '../model/chat-model.js';
import { isProviderTool } from '../model/provider-tool.js';
import {
  isToolCallback,
  isToolCallbackProvider,
  type ToolCallback,
  type ToolCallbackProvider,
} from '../model/tool-callback.js';
import { scopeOf } from '../model/scoped-options.js';
import { ToolCallingChatOptions } from '../model/tool-calling-chat-options.js';
import { readEnhancers, unrunEnhancersText } from '../tool/declaration/enhancers.js';
import { classNameOf, ToolDeclarationException } from '@nestor-ai/schema';
import { ToolCallbacks } from '../tool/tool-callbacks.js';
import type { Awaitable } from '../model/awaitable.js';
import { type ToolViewer, VisibleTools } from './visible-tools.js';
import type { ClientRuntime } from './client-runtime.js';
import { type ChatClientRequestSettings, flatten, type ToolSource } from './chat-client-settings.js';
import { toolsNamedIn } from './provider-tools.js';
import { toolContextOf } from './to-request.js';

const NO_TOOLS: readonly ToolCallback[] = Object.freeze([]);

/**
 * Resolves tool sources to the tools of a request. Each client has its own instance with a cache.
 */
export class ToolSelection {
  readonly #ofObject = new WeakMap<object, readonly ToolCallback[]>();
  readonly #ofList = new WeakMap<readonly ToolSource[], readonly ToolCallback[]>();
  readonly #checked = new WeakSet<readonly ToolCallback[]>();
  readonly #verified = new WeakSet<ToolCallback>();

  readonly #visible: VisibleTools;

  constructor(private readonly runtime: ClientRuntime) {
    this.#visible = new VisibleTools(runtime.toolFilter);
  }

  /**
   * The tools of a request. The first source that lists tools is used alone: the request, its
   * options, the client, the default options of the model.
   *
   * @throws Error for an unknown name, two tools with the same name, or an invalid tool
   */
  select(settings: ChatClientRequestSettings): Awaitable<readonly ToolCallback[]> {
    const given = this.#given(settings);
    const selected =
      given instanceof Promise
        ? given.then((callbacks) => this.#visible.of(callbacks, settings, viewerOf))
        : this.#visible.of(given, settings, viewerOf);
    if (!(selected instanceof Promise)) return selected;
    // Providers and `visible()` may never answer.
    const signal = settings.requestOptions?.signal ?? settings.options?.signal;
    return signal ? untilAborted(signal, selected) : selected;
  }

  #given(settings: ChatClientRequestSettings): Awaitable<readonly ToolCallback[]> {
    const { requestTools, tools, chatModel } = settings;
    const request = callerRequestOf(settings);
    if (requestTools) return this.#collect(requestTools, request);
    const given = toolsNamedIn(settings);
    if (given) return this.#collect([...(given.toolCallbacks ?? []), ...(given.toolNames ?? [])], request);
    if (tools) return this.#collectOnce(tools, request);
    const discovered = this.runtime.defaultTools(request);
    return discovered instanceof Promise
      ? discovered.then((callbacks) => this.#discovered(callbacks, chatModel, request))
      : this.#discovered(discovered, chatModel, request);
  }

  #discovered(
    discovered: readonly ToolCallback[],
    chatModel: ChatModel,
    request: unknown,
  ): Awaitable<readonly ToolCallback[]> {
    if (discovered.length > 0) return this.#check(discovered);
    const { toolCallbacks, toolNames } = chatModel.defaultOptions ?? {};
    if (toolNames) return this.#collect([...(toolCallbacks ?? []), ...toolNames], request);
    if (!toolCallbacks) return NO_TOOLS;
    return Object.isFrozen(toolCallbacks)
      ? this.#collectOnce(toolCallbacks, request)
      : this.#collect(toolCallbacks, request);
  }

  /**
   * Reports two tools with the same name when the client is built. Names, providers and tools of
   * the container are resolved later, for each request.
   */
  checkEarly(sources: readonly ToolSource[]): void {
    ToolCallingChatOptions.validateToolCallbacks(flatten(sources).filter(isToolCallback));
  }

  /** Sources that may change on each call are not cached. */
  #collectOnce(sources: readonly ToolSource[], request: unknown): Awaitable<readonly ToolCallback[]> {
    const known = this.#ofList.get(sources);
    if (known) return known;
    const collected = this.#collect(sources, request);
    if (!(collected instanceof Promise) && this.runtime.catalog.isComplete) this.#ofList.set(sources, collected);
    return collected;
  }

  #collect(sources: readonly ToolSource[], request: unknown): Awaitable<readonly ToolCallback[]> {
    const parts = flatten(sources).map((source) =>
      isProviderTool(source) ? NO_TOOLS : this.#toolsOf(source, request),
    );
    if (parts.some((part) => part instanceof Promise)) {
      return Promise.all(parts).then((settled) => this.#check(withoutRepeats(settled.flat())));
    }
    return this.#check(withoutRepeats((parts as (readonly ToolCallback[])[]).flat()));
  }

  #toolsOf(source: ToolSource, request: unknown): Awaitable<readonly ToolCallback[]> {
    requireToolSource(source);
    if (typeof source === 'string') return this.#toolNamed(source, request);
    if (isToolCallback(source)) return this.runtime.catalog.toolsOf(source) ?? [source];
    // Always a promise, since the tools of a provider may change with each call.
    if (isToolCallbackProvider(source)) return this.#provided(source, request);
    if (source instanceof Set) return Promise.resolve(this.#collect([...(source as Set<ToolSource>)], request));
    let tools = this.#ofObject.get(source);
    if (!tools) {
      tools = this.runtime.catalog.toolsOf(source) ?? ToolCallbacks.from(source);
      if (this.runtime.catalog.isComplete) this.#ofObject.set(source, tools);
    }
    return tools;
  }

  async #provided(provider: ToolCallbackProvider, request: unknown): Promise<readonly ToolCallback[]> {
    return this.runtime.catalog.toolsGivenBy(provider, request);
  }

  async #toolNamed(name: string, request: unknown): Promise<readonly ToolCallback[]> {
    const { toolCallbackResolver, catalog } = this.runtime;
    if (catalog.isTurnedOff(name)) return NO_TOOLS;
    const resolved = await toolCallbackResolver?.resolve(name, request);
    if (resolved) return catalog.toolsOf(resolved) ?? [resolved];
    const known = (await catalog.allCallbacks(request)).map(({ toolDefinition }) => toolDefinition.name);
    const { unavailableProviders } = catalog;
    if (unavailableProviders.length > 0) {
      throw new Error(`Unknown tool '${name}'. The tools of ${unavailableProviders.join(', ')} are not available now.`);
    }
    throw new Error(
      known.length > 0
        ? unknownToolText(name, known)
        : `Unknown tool '${name}'. This client does not know tools by name: pass the tool itself, or use the injected ChatClient of AiModule.`,
    );
  }

  #check(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    if (this.#checked.has(callbacks)) return callbacks;
    ToolCallingChatOptions.validateToolCallbacks(callbacks);
    for (const callback of callbacks) this.#verify(callback);
    if (Object.isFrozen(callbacks)) this.#checked.add(callbacks);
    return callbacks;
  }

  #verify(callback: ToolCallback): void {
    if (this.#verified.has(callback)) return;
    verifyTool(callback);
    this.runtime.catalog.admit(callback);
    this.#verified.add(callback);
  }
}

/** @throws TypeError if a value cannot be a tool source */
export function requireToolSource(source: unknown): asserts source is ToolSource {
  if (typeof source === 'string' || typeof source === 'function' || (typeof source === 'object' && source !== null))
    return;
  const hint = source === undefined ? ' Two files may import each other.' : '';
  throw new TypeError(
    `tools cannot contain ${String(source)}. Pass tool objects, classes, ToolCallbacks, ToolCallbackProviders, providerTool()s or names.${hint}`,
  );
}

/** An advisor may call another client with the prompt of its own request. */
function callerRequestOf({ callerRequest, requestOptions, options }: ChatClientRequestSettings): unknown {
  return callerRequest ?? (scopeOf(requestOptions) ?? scopeOf(options))?.callerRequest;
}

/** A tool may be listed both directly and by name. */
function withoutRepeats(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
  return Object.freeze(callbacks.length > 1 ? [...new Set(callbacks)] : callbacks);
}

/** @throws Error that names the tool if it cannot be offered to a model */
export function verifyTool(callback: ToolCallback): void {
  try {
    refuseUnrunEnhancers(callback);
    callback.verify?.();
  } catch (cause) {
    throw new Error(
      `The tool '${callback.toolDefinition.name}' cannot be offered to a model: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Thousands of tools may be of one class. */
const withoutEnhancers = new WeakSet<object>();

/** A tool class may have its own enhancers. In a container, they wrap the tool. */
function refuseUnrunEnhancers(callback: ToolCallback): void {
  const prototype = Object.getPrototypeOf(callback) as object;
  if (withoutEnhancers.has(prototype)) return;
  const { effective } = readEnhancers(prototype, 'call');
  if (effective.size === 0) return void withoutEnhancers.add(prototype);
  throw new ToolDeclarationException(unrunEnhancersText(`${classNameOf(callback)}.call()`, effective.keys()));
}

function viewerOf(settings: ChatClientRequestSettings): ToolViewer {
  const { callerRequest: request, requestOptions, options } = settings;
  return { request, toolContext: toolContextOf(settings), signal: requestOptions?.signal ?? options?.signal };
}
