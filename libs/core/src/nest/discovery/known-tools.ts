import { isInstanceOf, stableJson } from '@nestor-ai/schema';
import { isToolCallback, type ToolCallback, type ToolCallbackProvider } from '../../model/tool-callback.js';
import { isAugmentedTool } from '../../tool/augmentation/augmented-tool-callback.js';
import { DerivedToolRecord } from '../../tool/derived-tool-record.js';
import { RecordToolCallback } from '../../tool/record-tool-callback.js';
import { recordOf } from '../../tool/record-of.js';
import type { ToolRecord } from '../../tool/tool-record.js';
import { policiesOf } from '../../tool/policies.js';
import { toolTemplateOf } from '../../tool/tool-provider.js';
import type { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import type { DiscoveredTool, Exploration } from './discovered-tool.js';
import { type ProviderAsking, ProvidedTools } from './provided-tools.js';
import { ConfiguredTool } from './tool-configurator.js';
import { isScoped } from '../hosts/provider-host.js';
import { remembered } from '../../model/remembered.js';

/** The tools that Nestor found. You can look them up by object, class or callback. */
export class KnownTools {
  /** The tools of all hosts. */
  readonly all: readonly DiscoveredTool[];
  /** The tools of each class once, even if several modules provide the class. */
  readonly unique: readonly DiscoveredTool[];
  /** The tools of providers that list them for each request. */
  readonly provided: ProvidedTools;
  /** Maps tools and providers that are tools to their registered tools. */
  readonly #registered = new Map<ToolCallback, ToolCallback>();

  constructor({ tools, providers }: Exploration, arounds: ToolAroundFactory, asking: Omit<ProviderAsking, 'names'>) {
    this.all = tools;
    this.unique = withoutRepeatedClasses(tools);
    for (const { original, callback } of tools) {
      this.#registered.set(callback, callback);
      if (original) this.#registered.set(original, callback);
    }
    const registered = {
      of: (toolObject: object) => this.of(toolObject),
      givenBy: (provider: ToolCallbackProvider, request?: unknown) => this.provided.of(provider, request),
    };
    const names = new Set(tools.map(({ name }) => name));
    this.provided = new ProvidedTools(providers, arounds, registered, { ...asking, names });
  }

  /**
   * The registered tools of an instance from the container, of a provided class or of a
   * `ToolCallback`.
   *
   * @returns undefined if it has none
   */
  of(toolObject: object): readonly ToolCallback[] | undefined {
    if (isToolCallback(toolObject)) return listOf(this.resolveRegistered(toolObject));
    if (typeof toolObject === 'function') {
      return callbacksOf(this.unique.filter(({ host }) => isOfClass(host, toolObject)));
    }
    return (
      callbacksOf(this.all.filter(({ host }) => host.wrapper.instance === toolObject)) ?? this.#boundTools(toolObject)
    );
  }

  /** The registered tool for a callback, with the guards and the scope of its provider. */
  resolveRegistered(callback: ToolCallback): ToolCallback | undefined {
    if (callback instanceof ConfiguredTool) return this.resolveRegistered(callback.original);
    return this.#registered.get(callback) ?? this.provided.enhancedOf(callback) ?? this.#find(callback);
  }

  /** The registered tool for a tool that was created from a provider outside the container. */
  readonly #find = remembered((callback: ToolCallback): ToolCallback | undefined => {
    if (isAugmentedTool(callback)) {
      const registered = this.resolveRegistered(callback.delegate);
      return registered && callback.withDelegate(registered);
    }
    const own = recordOf(callback);
    const { method, definition, metadata } = own;
    if (!method?.object) return undefined;
    const registered = this.of(method.object)?.find((tool) => recordOf(tool).method?.methodName === method.methodName);
    if (!registered || isSameTool(callback, registered)) return registered;
    // It is the same method, even with another name, schema or policies.
    const parse: ToolRecord['parse'] = own.parse && ((json, call) => own.parse!(json, call));
    return new RecordToolCallback(new DerivedToolRecord(recordOf(registered), { definition, metadata, parse }));
  });

  /**
   * The tools of a request-scoped or transient instance. Nest's record does not list such
   * instances, but the class is known.
   */
  readonly #boundTools = remembered((toolObject: object): readonly ToolCallback[] | undefined => {
    const scoped = this.all.filter(({ host }) => isScoped(host));
    const exact = scoped.filter(({ host }) => Object.getPrototypeOf(toolObject) === host.prototype);
    // A factory may return an instance of a subclass.
    const found = exact.length > 0 ? exact : scoped.filter(({ host }) => isInstanceOf(toolObject, host.prototype));
    // If several modules provide the class, it does not show which of them created the instance.
    const tools = withoutRepeatedClasses(found).flatMap(({ bindTo }) => (bindTo ? [bindTo(toolObject)] : []));
    return tools.length > 0 ? tools : undefined;
  });
}

/** The tools of each class once. If several modules provide a class, the first one counts. */
export function withoutRepeatedClasses(tools: readonly DiscoveredTool[]): DiscoveredTool[] {
  const first = new Map<unknown, DiscoveredTool['host']>();
  return tools.filter((tool) => {
    const identity = identityOf(tool);
    if (!first.has(identity)) first.set(identity, tool.host);
    return first.get(identity) === tool.host;
  });
}

/**
 * Two providers are the same if this is equal: the class of methods, the factory of a function,
 * the class or the object of a tool.
 */
function identityOf({ methodName, host, original }: DiscoveredTool): unknown {
  if (methodName !== undefined) return host.prototype;
  const { metatype } = host.wrapper;
  return toolTemplateOf(metatype) ? metatype : host.isNestMade ? host.type : (original ?? host);
}

/** Whether a class identifies a provider, even if a proxy wraps the class. */
function isOfClass(
  { type, prototype, wrapper }: DiscoveredTool['host'],
  given: { readonly prototype?: unknown },
): boolean {
  return type === given || wrapper.token === given || prototype === given.prototype;
}

function callbacksOf(tools: readonly DiscoveredTool[]): readonly ToolCallback[] | undefined {
  return tools.length > 0 ? tools.map(({ callback }) => callback) : undefined;
}

function listOf<T>(item: T | undefined): readonly T[] | undefined {
  return item === undefined ? undefined : [item];
}

/** Whether a tool that was created by hand equals the registered one. */
function isSameTool({ toolDefinition, toolMetadata }: ToolCallback, registered: ToolCallback): boolean {
  const { name, description, inputSchema } = registered.toolDefinition;
  if (toolDefinition.name !== name || toolDefinition.description !== description) return false;
  if (stableJson(toolDefinition.inputSchema) !== stableJson(inputSchema)) return false;
  if (toolMetadata.returnDirect !== registered.toolMetadata.returnDirect) return false;
  if (toolMetadata.ui !== registered.toolMetadata.ui) return false;
  return stableJson(policiesOf(toolMetadata)) === stableJson(policiesOf(registered.toolMetadata));
}
