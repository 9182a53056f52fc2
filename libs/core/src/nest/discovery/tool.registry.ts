import { Injectable, Logger } from '@nestjs/common';
import { stableJson } from '../../model/stable-json.js';
import type { Awaitable } from '../../model/awaitable.js';
import { isToolCallback, type ToolCallback, type ToolCallbackProvider } from '../../model/tool-callback.js';
import type { AugmentedToolCallback } from '../../tool/augmentation/augmented-tool-callback.js';
import type { MethodToolCallback } from '../../tool/method-tool-callback.js';
import { policiesOf } from '../../tool/policies.js';
import { toolTemplateOf } from '../../tool/tool-provider.js';
import { EnhancedToolCallback } from '../invocation/enhanced-tool-callback.js';
import { ToolInvokerFactory } from '../invocation/tool-invoker.factory.js';
import { isScoped } from './provider-host.js';
import { ProvidedTools } from './provided-tools.js';
import type { DiscoveredTool } from './discovered-tool.js';
import { placeOf, type ToolRegistration, toRegistration } from './tool-registration.js';
import { ToolExplorer } from './tool.explorer.js';

interface Registered {
  /** Every tool of every host. */
  readonly all: readonly DiscoveredTool[];
  /** The tools of each class once: a class that several modules provide has several hosts. */
  readonly unique: readonly DiscoveredTool[];
  readonly callbacks: readonly ToolCallback[];
  /** What stands for the tools, and for providers that are tools themselves. */
  readonly ofCallback: WeakMap<ToolCallback, ToolCallback | undefined>;
  /** The tools of instances that Nest made for a request. */
  readonly bound: WeakMap<object, readonly ToolCallback[]>;
  readonly provided: ProvidedTools;
}

/**
 * The tools found in the application. Filled on first use, so that it is complete also in a testing module
 * that was compiled but not initialised.
 */
@Injectable()
export class ToolRegistry {
  private readonly logger = new Logger(ToolRegistry.name);
  #registered: Registered | undefined;

  constructor(
    private readonly explorer: ToolExplorer,
    private readonly invokers: ToolInvokerFactory,
  ) {}

  /** All tools that are known when the application starts, in the order in which Nest knows their providers. */
  list(): readonly ToolRegistration[] {
    return this.#tools.unique.map(toRegistration);
  }

  /**
   * The tool of a name, of those that are known when the application starts.
   *
   * @throws Error naming the places when several tools have it
   */
  get(name: string): ToolRegistration | undefined {
    const [found, another] = this.#tools.unique.filter((tool) => tool.name === name);
    if (another) {
      throw new Error(
        `Several tools are named '${name}': ${placeOf(found!)} and ${placeOf(another)}. Give the class instead of the name.`,
      );
    }
    return found && toRegistration(found);
  }

  /** The tools that are known when the application starts: the same frozen list at each call. */
  get callbacks(): readonly ToolCallback[] {
    return this.#tools.callbacks;
  }

  /**
   * The tools there are now, those that a `ToolCallbackProvider` of the application gives included: the same frozen list as
   * before, unless a provider gives others.
   *
   * @throws Error naming the provider that fails
   */
  currentCallbacks(): Awaitable<readonly ToolCallback[]> {
    const { callbacks, provided } = this.#tools;
    return provided.isEmpty ? callbacks : provided.joinedWith(callbacks);
  }

  /**
   * The tools that a provider gives now, of the application or of somebody's own.
   *
   * @throws Error naming the provider when it fails
   */
  toolsGivenBy(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
    return this.#tools.provided.of(provider);
  }

  /**
   * The tools of an instance that the container made, of a class that it provides, or of a `ToolCallback`, as they were
   * registered.
   *
   * @returns undefined when it knows nothing of them
   */
  toolsOf(toolObject: object): readonly ToolCallback[] | undefined {
    const { all, unique } = this.#tools;
    if (isToolCallback(toolObject)) return listOf(this.#registeredOf(toolObject));
    if (typeof toolObject === 'function') {
      return callbacksOf(unique.filter(({ host }) => host.type === toolObject || host.wrapper.token === toolObject));
    }
    return callbacksOf(all.filter(({ host }) => host.wrapper.instance === toolObject)) ?? this.#boundTools(toolObject);
  }

  /** What stands for a tool in this application: with the guards and scopes of the provider that it is of. */
  registered(callback: ToolCallback): ToolCallback {
    return this.#registeredOf(callback) ?? callback;
  }

  #registeredOf(callback: ToolCallback): ToolCallback | undefined {
    const { ofCallback, provided } = this.#tools;
    const known = ofCallback.get(callback) ?? provided.enhancedOf(callback);
    if (known) return known;
    if (!ofCallback.has(callback)) ofCallback.set(callback, this.#find(callback));
    return ofCallback.get(callback);
  }

  /** A tool that was made of a provider's instance or tool outside of the container. */
  #find(callback: ToolCallback): ToolCallback | undefined {
    const { toolObject, methodName } = callback as Partial<MethodToolCallback>;
    if (toolObject) {
      const registered = this.toolsOf(toolObject)?.find(
        (tool) => (tool as Partial<MethodToolCallback>).methodName === methodName,
      );
      if (!registered || saysNothingElse(callback, registered)) return registered;
      // Under another name, or with policies of its own, it is still the same method.
      return new EnhancedToolCallback(
        callback,
        async (toolInput, context) => registered.call(toolInput, context),
        registered,
      );
    }
    const { delegate } = callback as Partial<AugmentedToolCallback>;
    const registered = delegate && this.#registeredOf(delegate);
    return registered && (callback as AugmentedToolCallback).onBehalfOf(registered);
  }

  /** An instance that was made for a request, or for whoever injects it, is not known to Nest's record, but its class is. */
  #boundTools(toolObject: object): readonly ToolCallback[] | undefined {
    const { all, bound } = this.#tools;
    let tools = bound.get(toolObject);
    if (!tools) {
      const scoped = all.filter(({ host }) => isScoped(host));
      const exact = scoped.filter(({ host }) => Object.getPrototypeOf(toolObject) === host.prototype);
      // What a factory makes may be of a class that extends the one it is known by.
      const found = exact.length > 0 ? exact : scoped.filter(({ host }) => isInstanceOf(toolObject, host.prototype));
      tools = found.flatMap(({ bindTo }) => (bindTo ? [bindTo(toolObject)] : []));
      bound.set(toolObject, tools);
    }
    return tools.length > 0 ? tools : undefined;
  }

  /** Names that several tools have, with the places of each. */
  findDuplicates(): { name: string; places: string[] }[] {
    const places = new Map<string, string[]>();
    for (const tool of this.#tools.unique) places.set(tool.name, [...(places.get(tool.name) ?? []), placeOf(tool)]);
    return [...places].filter(([, found]) => found.length > 1).map(([name, found]) => ({ name, places: found }));
  }

  /** Looks again: what was found while the application was still being made is not all there is. */
  refresh(): void {
    this.#registered = undefined;
  }

  get #tools(): Registered {
    if (!this.#registered) {
      const { tools, providers } = this.explorer.explore();
      const unique = this.#withoutRepeatedClasses(tools);
      this.#registered = {
        all: tools,
        unique,
        callbacks: Object.freeze(unique.map(({ callback }) => callback)),
        ofCallback: new WeakMap(
          tools.flatMap(({ original, callback }) =>
            [original ?? callback, callback].map((key) => [key, callback] as const),
          ),
        ),
        bound: new WeakMap(),
        provided: new ProvidedTools(providers, this.invokers, {
          of: (toolObject) => this.toolsOf(toolObject),
          givenBy: (provider) => this.toolsGivenBy(provider),
        }),
      };
    }
    return this.#registered;
  }

  #withoutRepeatedClasses(tools: readonly DiscoveredTool[]): DiscoveredTool[] {
    const first = new Map<unknown, DiscoveredTool>();
    return tools.filter((tool) => {
      const identity = identityOf(tool);
      const known = first.get(identity) ?? tool;
      first.set(identity, known);
      if (known.host === tool.host) return true;
      if (tool.methodName === known.methodName) {
        this.logger.debug(
          `${tool.host.type.name} is provided in ${known.host.moduleName} and in ${tool.host.moduleName}; ` +
            `by default the model is offered the tools of the one in ${known.host.moduleName}.`,
        );
      }
      return false;
    });
  }
}

/** What makes two providers the same: the class of methods, the factory of a function, the class or the object of a tool. */
function identityOf({ methodName, host, original }: DiscoveredTool): unknown {
  if (methodName !== undefined) return host.type;
  const { metatype } = host.wrapper;
  return toolTemplateOf(metatype) ? metatype : host.isNestMade ? host.type : (original ?? host);
}

function callbacksOf(tools: readonly DiscoveredTool[]): readonly ToolCallback[] | undefined {
  return tools.length > 0 ? tools.map(({ callback }) => callback) : undefined;
}

function listOf<T>(item: T | undefined): readonly T[] | undefined {
  return item === undefined ? undefined : [item];
}

/** Whether a tool that was made by hand is what was registered, and no more. */
function saysNothingElse({ toolDefinition, toolMetadata }: ToolCallback, registered: ToolCallback): boolean {
  if (toolDefinition.name !== registered.toolDefinition.name) return false;
  if (toolMetadata.returnDirect !== registered.toolMetadata.returnDirect) return false;
  return stableJson(policiesOf(toolMetadata)) === stableJson(policiesOf(registered.toolMetadata));
}

function isInstanceOf(value: object, prototype: object): boolean {
  return Object.prototype.isPrototypeOf.call(prototype, value);
}
