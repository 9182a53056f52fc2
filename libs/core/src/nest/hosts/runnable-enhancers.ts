import type { ApplicationConfig } from '@nestjs/core';
import { type Enhancers, lostEnhancersText, readEnhancers } from '../../tool/declaration/enhancers.js';
import type { ToolMethod } from '../../tool/declaration/tool.decorator.js';
import { type InstanceWrapper, isMadeLater, type ProviderHost } from './provider-host.js';

/**
 * Checks that Nest will run every enhancer of a tool. A guard that Nest would silently skip must
 * not look like protection.
 *
 * @throws Error with the remedy
 */
export function checkEnhancers(
  host: ProviderHost,
  methodName: string,
  enhancers: Enhancers,
  config: ApplicationConfig,
): void {
  const place = `The tool ${host.type.name}.${methodName}()`;
  refuseLost(place, enhancers);
  if (host.isController) {
    const reason =
      'but Nest runs them only for HTTP requests, since it is a method of a controller. Move the method to a provider, and call it ' +
      'from the controller.';
    refuseEnhancers(place, enhancers, reason);
  }
  refuseUnknownClasses(place, enhancers, host);
  if (!host.isNestMade && hasScopedGlobals(config)) {
    throw new Error(
      `${place} belongs to a provider with useFactory or useValue. Nest does not run request-scoped global guards, interceptors, ` +
        'pipes and filters for such a provider. Provide the class itself, or make them singletons.',
    );
  }
}

/**
 * Refuses enhancers and metadata on a function that is not called, since guards would not see
 * them.
 *
 * @throws Error if enhancers or metadata of the method are lost
 */
export function refuseLost(place: string, enhancers: Enhancers): void {
  const text = lostEnhancersText(place, enhancers);
  if (text !== undefined) throw new Error(text);
}

/** @throws Error with the names of the enhancer classes that Nest does not create for a host */
export function refuseUnknownClasses(place: string, { effective }: Enhancers, host: ProviderHost): void {
  const unknown = [...effective.values()].flat().filter((enhancer) => isUnknownClass(enhancer, host));
  if (unknown.length === 0) return;
  throw new Error(
    `${place} has ${unknown.map((enhancer) => (enhancer as { name: string }).name).join(' and ')}, which Nest does not ` +
      'create for a provider with useFactory or useValue. Provide the class itself, or pass an instance to the decorator.',
  );
}

/**
 * Nest creates request-scoped global enhancers only for `@Tool()` methods of instances that it
 * creates itself.
 *
 * @param hasScopedPipes whether there are request-scoped global pipes, which would not run either
 * @throws Error if the application has any
 */
export function refuseScopedGlobals(place: string, config: ApplicationConfig, hasScopedPipes = false): void {
  if (!hasScopedPipes && !hasScopedGlobalEnhancers(config)) return;
  throw new Error(
    `${place} is not a @Tool() method of an instance, so Nest does not run request-scoped or transient global guards, interceptors, ` +
      'pipes and filters for it. Make it such a method, or make them singletons.',
  );
}

/**
 * Refuses pipes on a `ToolCallback` class. Such a tool reads its input itself.
 *
 * @throws Error if it has pipes
 */
export function refusePipes({ name }: ProviderHost['type'], { effective }: Enhancers): void {
  if (!effective.has('pipes')) return;
  throw new Error(
    `${name}.call() has pipes, which do not run for a ToolCallback, since it reads its input itself. Remove @UsePipes(), or make ` +
      'it a @Tool() method.',
  );
}

/**
 * Refuses enhancers on a `ToolCallbackProvider`. They would not run.
 *
 * @throws Error if its class has any
 */
export function refuseEnhancersOfProvider({ type, prototype }: ProviderHost): void {
  const reason = 'which would not run for its tools. Move them to the tools.';
  refuseEnhancers(`The ToolCallbackProvider ${type.name}`, readEnhancers(prototype, 'getToolCallbacks'), reason);
}

/**
 * Refuses enhancers on a static tool. Nest runs them only for methods of instances.
 *
 * @throws Error if the tool or its class has any
 */
export function refuseStaticEnhancers(
  host: ProviderHost,
  { methodName, declared }: ToolMethod,
  config: ApplicationConfig,
): void {
  const place = `The static tool ${host.type.name}.${methodName}()`;
  refuseScopedGlobals(place, config, config.getGlobalRequestPipes().length > 0);
  const reason = 'which Nest does not run for static methods. Make it a method of the instance.';
  const enhancers = readEnhancers(host.type, methodName, declared);
  refuseEnhancers(place, enhancers, reason);
  refuseLost(place, enhancers);
}

/** @throws Error that names the enhancers, if there are any */
function refuseEnhancers(place: string, { effective, lost }: Enhancers, reason: string): void {
  const kinds = new Set([...effective.keys(), ...lost]);
  if (kinds.size > 0) throw new Error(`${place} has ${[...kinds].join(' and ')}, ${reason}`);
}

/** Whether an enhancer of a tool is request-scoped or transient. */
export function areScoped(enhancers: Enhancers, host: ProviderHost): boolean {
  return wrappersOf(enhancers, host).some(isMadeLater);
}

/** The enhancers of a tool that Nest creates from classes. */
export function wrappersOf({ effective }: Enhancers, { wrapper }: ProviderHost): InstanceWrapper[] {
  return [...effective.values()].flat().flatMap((enhancer) => {
    const made = typeof enhancer === 'function' ? wrapper.host?.injectables.get(enhancer as never) : undefined;
    return made ?? [];
  });
}

/** Nest creates enhancer classes only for classes that it instantiates itself. */
function isUnknownClass(enhancer: unknown, { wrapper }: ProviderHost): boolean {
  return typeof enhancer === 'function' && !wrapper.host?.injectables.has(enhancer as never);
}

/**
 * Whether the application has request-scoped or transient global guards, interceptors, pipes or
 * filters.
 */
export function hasScopedGlobals(config: ApplicationConfig): boolean {
  return hasScopedGlobalEnhancers(config) || config.getGlobalRequestPipes().length > 0;
}

function hasScopedGlobalEnhancers(config: ApplicationConfig): boolean {
  return (
    config.getGlobalRequestGuards().length > 0 ||
    config.getGlobalRequestInterceptors().length > 0 ||
    config.getGlobalRequestFilters().length > 0
  );
}
