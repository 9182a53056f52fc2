import type { DiscoveryService } from '@nestjs/core';
import { hasToolMethods } from '../../tool/declaration/tool.decorator.js';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { isToolToken } from '../../tool/tool-provider.js';

/** Nest's own record of a provider or controller. */
export type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** A provider or controller that may have tools or be an advisor. */
export interface ProviderHost {
  readonly wrapper: InstanceWrapper;
  /** Where the methods are; never the instance, whose properties are not to be touched. */
  readonly prototype: object;
  /** The class, also of what a factory made. */
  readonly type: { readonly name: string; readonly prototype: object };
  readonly moduleName: string;
  readonly isController: boolean;
  /** Nest instantiates the class itself; no factory or value. */
  readonly isNestMade: boolean;
}

/** All providers and controllers of the application that are instances of classes, in Nest's order. */
export function findProviderHosts(discovery: DiscoveryService): ProviderHost[] {
  return [
    ...discovery.getProviders().map((wrapper) => toHost(wrapper, false)),
    ...discovery.getControllers().map((wrapper) => toHost(wrapper, true)),
  ].filter((host) => host !== undefined);
}

/** Whether every factory of the application has made what it makes: until then, some tools may not be there. */
export function areFactoriesDone(discovery: DiscoveryService): boolean {
  // A value, which may be null, has the metatype null.
  const factories = discovery.getProviders().filter((wrapper) => !isClass(wrapper) && wrapper.metatype !== null);
  return factories.every((wrapper) => wrapper.instance !== null || isMadeLater(wrapper));
}

function toHost(wrapper: InstanceWrapper, isController: boolean): ProviderHost | undefined {
  if (wrapper.isAlias) return undefined;
  const prototype = prototypeOf(wrapper);
  if (!prototype || prototype === Object.prototype) return undefined;
  // What a prototype says of its class may be wrong: a mixin copies it, and a decorator may put a proxy around the class.
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

/** A class has neither `inject` nor a factory function as its metatype. */
function isClass({ metatype, inject }: InstanceWrapper): boolean {
  return !inject && typeof metatype === 'function' && metatype.prototype !== undefined;
}

/** Whether an instance is made for each request, or for each that injects it. */
export function isScoped({ wrapper }: ProviderHost): boolean {
  return isMadeLater(wrapper);
}

/** Whether there is no instance that serves all requests. */
export function isMadeLater(wrapper: InstanceWrapper): boolean {
  return !wrapper.isDependencyTreeStatic() || wrapper.isTransient;
}

/** A test may provide another object for a class with tools: where that has tools too, its own are called. */
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
    // A proxy that refuses even this is nobody's tool.
    return undefined;
  }
  // What a factory will make for a request is known by its token alone.
  return typeof token === 'function' ? (token.prototype as object | undefined) : undefined;
}
