import { Injectable } from '@nestjs/common';
import { DiscoveryService, type ModuleRef } from '@nestjs/core';
import { messageOf } from '@nestor-ai/schema';
import { hasToolMethods } from '../../tool/declaration/tool.decorator.js';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { isToolToken } from '../../tool/tool-provider.js';

/** Nest's internal record of a provider or controller. */
export type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** A provider or controller that may have tools or be an advisor. */
export interface ProviderHost {
  readonly wrapper: InstanceWrapper;
  /** The prototype with the methods. Nestor never reads properties of the instance here. */
  readonly prototype: object;
  /** The class, also if a factory created the instance. */
  readonly type: { readonly name: string; readonly prototype: object };
  readonly moduleName: string;
  readonly isController: boolean;
  /** Whether Nest instantiates the class, rather than a factory or a value. */
  readonly isNestMade: boolean;
}

/** The providers and controllers of the application. Each search may find more until {@link complete}. */
@Injectable()
export class ProviderHosts {
  #all: readonly ProviderHost[] | undefined;
  #providers: readonly InstanceWrapper[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** Those that may have tools or be advisors: all that are instances of classes, in Nest's order. */
  get all(): readonly ProviderHost[] {
    if (this.#all) return this.#all;
    const found = [
      ...this.providers.flatMap((wrapper) => toHost(wrapper, false) ?? []),
      ...this.controllers.flatMap((wrapper) => toHost(wrapper, true) ?? []),
    ];
    if (this.#providers) this.#all = found;
    return found;
  }

  get providers(): readonly InstanceWrapper[] {
    return this.#providers ?? this.discovery.getProviders();
  }

  get controllers(): readonly InstanceWrapper[] {
    return this.discovery.getControllers();
  }

  /** The providers of all modules with this token. */
  of(token: unknown): readonly InstanceWrapper[] {
    return this.providers.filter((provider) => provider.token === token);
  }

  /** All providers exist. Looking for them once is much cheaper in an application with thousands. */
  complete(): void {
    this.#providers = this.discovery.getProviders();
  }

  /**
   * Whether all factories of the application have finished. Before that, some tools may be missing.
   */
  get areFactoriesDone(): boolean {
    // The metatype of a value, which may be null, is null.
    const factories = this.providers.filter((wrapper) => !isClass(wrapper) && wrapper.metatype !== null);
    return factories.every((wrapper) => wrapper.instance !== null || isMadeLater(wrapper));
  }
}

function toHost(wrapper: InstanceWrapper, isController: boolean): ProviderHost | undefined {
  if (wrapper.isAlias) return undefined;
  const prototype = prototypeOf(wrapper);
  if (!prototype || prototype === Object.prototype) return undefined;
  // The `constructor` of a prototype can be wrong: a mixin copies it, and a decorator may wrap the
  // class in a proxy.
  const isItsClass = isClass(wrapper) && (wrapper.metatype as { prototype?: unknown }).prototype === prototype;
  const type: unknown = isItsClass
    ? wrapper.metatype
    : Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof type !== 'function') return undefined;
  return {
    wrapper,
    prototype,
    type: type as unknown as ProviderHost['type'],
    isController,
    isNestMade: isClass(wrapper),
    moduleName: wrapper.host?.name ?? 'unknown module',
  };
}

/**
 * Whether the provider is a class: it has no `inject`, and its metatype is not a factory function.
 */
function isClass({ metatype, inject }: InstanceWrapper): boolean {
  return !inject && typeof metatype === 'function' && metatype.prototype !== undefined;
}

/** Whether the provider is request-scoped or transient. */
export function isScoped({ wrapper }: ProviderHost): boolean {
  return isMadeLater(wrapper);
}

/** Whether a provider is request-scoped or transient, or depends on something that is. */
export function isMadeLater(wrapper: InstanceWrapper): boolean {
  return !wrapper.isDependencyTreeStatic() || wrapper.isTransient;
}

/**
 * The instance of a provider that serves all requests. Undefined if no module provides it.
 *
 * @param what is found, and how to make it a singleton, for the message
 * @throws Error if it is request-scoped
 */
export function singletonOf<T>(
  moduleRef: ModuleRef,
  token: unknown,
  strict: boolean,
  { name, remedy }: { readonly name: string; readonly remedy: string },
): T | undefined {
  try {
    return moduleRef.get<T>(token as string, { strict });
  } catch (cause) {
    if ((cause as Error).constructor.name === 'UnknownElementException') return undefined;
    throw new Error(`${name} cannot be used. It serves all requests: ${remedy}. Cause: ${messageOf(cause)}`, { cause });
  }
}

/**
 * A test may replace a provider by another object. If that object has tools, its tools are called.
 */
function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  const own = ownPrototypeOf(wrapper);
  const { token } = wrapper;
  const declared = typeof token === 'function' ? (token.prototype as object | undefined) : undefined;
  if (declared === undefined || !hasToolMethods(declared)) return own;
  return own && hasToolMethods(own) ? own : declared;
}

function ownPrototypeOf(wrapper: InstanceWrapper): object | undefined {
  const { metatype, instance, token } = wrapper;
  if (isClass(wrapper)) return (metatype as { prototype: object }).prototype;
  if (isToolToken(token)) return FunctionToolCallback.prototype;
  try {
    const made =
      typeof instance === 'object' && instance !== null ? (Object.getPrototypeOf(instance) as object | null) : null;
    if (made) return made;
  } catch {
    // A proxy that refuses even this cannot have tools.
    return undefined;
  }
  // For a request-scoped factory, only the token is known.
  return typeof token === 'function' ? (token.prototype as object | undefined) : undefined;
}
