import type { ContextId } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import type { ToolContext } from '../../model/tool-context.js';
import type { Turn } from '../../model/turn.js';
import { metadataKeysOf, namedMetadata, readEnhancers } from '../../tool/declaration/enhancers.js';
import type { InstanceWrapper, ProviderHost } from '../hosts/provider-host.js';
import { areScoped, wrappersOf } from '../hosts/runnable-enhancers.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import type { RequiredRequest } from './required-request.js';
import type { ToolTarget } from './tool-enhancers.js';
import { unlessPublic } from './tool-failure.js';
import { contextIdOf, moduleRefOf } from './turn-scope.js';
import type { ToolFunction } from '../../tool/function-tool-callback.js';

/** The injection token of {@link ToolSubstitutes}. Empty unless a test overrides tools. */
export const TOOL_SUBSTITUTES: unique symbol = Symbol.for('nestor.ToolSubstitutes');

/** Replacements for the code of tools, by tool name. Schemas, guards and policies still apply. */
export type ToolSubstitutes = ReadonlyMap<string, ToolFunction<unknown>>;

/** The instance for a tool call and its enhancers. */
export interface ToolInstance {
  readonly instance: object;
  /** Undefined if one instance serves all turns. */
  readonly contextId: ContextId | undefined;
}

/** Finds the instance for a call. */
export type InstanceFinder = (context: ToolContext) => Awaitable<ToolInstance>;

/** The instance of a singleton. */
export function singletonInstance({ wrapper, prototype }: ProviderHost, { methodName }: ToolTarget): InstanceFinder {
  let found: ToolInstance | undefined;
  return () => {
    // Read for each call: it may have been missing when the tools were found, and a test may
    // replace it.
    const instance = wrapper.instance as object;
    if (found?.instance !== instance) {
      checkInstance(instance, prototype, methodName);
      found = { instance, contextId: undefined };
    }
    return found;
  };
}

/** A request-scoped instance, resolved for each turn in the provider's module. */
export function turnInstance(
  host: ProviderHost,
  { methodName, enhancers }: ToolTarget,
  requiredRequest: RequiredRequest,
): InstanceFinder {
  const { wrapper, type, prototype } = host;
  const place = `${type.name}.${methodName}()`;
  const checkRequest = (): void => requiredRequest.check([wrapper, ...wrappersOf(enhancers, host)], place);
  return async ({ turn }) => {
    const hasRequest = turn.request !== undefined;
    if (!hasRequest) checkRequest();
    const resolving = resolveInstance(wrapper, place, turn);
    if (!hasRequest) {
      // Nest may know what a class injects only when it has created an instance.
      await Promise.allSettled([resolving]);
      checkRequest();
    }
    const resolved = await resolving;
    checkInstance(resolved.instance, prototype, methodName);
    return resolved;
  };
}

/**
 * An object that replaces the instance of the container.
 *
 * @param host the provider whose enhancers apply. Without it, the enhancers serve all turns.
 */
export function givenInstance(
  instance: object,
  host: ProviderHost | undefined,
  { methodName, enhancers }: ToolTarget,
  globals: GlobalEnhancers,
): InstanceFinder {
  return ({ turn }) => {
    if (host) checkInstance(instance, host.prototype, methodName);
    if (!host || (enhancers.effective.size === 0 && globals.count === 0)) return { instance, contextId: undefined };
    const { wrapper, type } = host;
    if (!globals.areScoped && !areScoped(enhancers, host)) return { instance, contextId: contextIdOf(turn, wrapper) };
    // Nest fills in request-scoped guards only when it creates the instance that they protect.
    const resolving = resolveInstance(wrapper, `${type.name}.${methodName}()`, turn);
    return resolving.then(({ contextId }) => ({ instance, contextId }));
  };
}

/**
 * Refuses an instance of a factory whose class has enhancers or metadata that Nestor did not see
 * at startup. Guards would not see them.
 *
 * @throws Error if it has any
 */
function checkInstance(instance: object, prototype: object, methodName: string): void {
  const actual = Object.getPrototypeOf(instance) as object;
  if (actual === prototype) return;
  const unseen = otherMetadata(actual, prototype, methodName);
  const found = [
    ...readEnhancers(actual, methodName).effective.keys(),
    ...(unseen.length > 0 ? [namedMetadata(unseen)] : []),
  ];
  if (found.length === 0) return;
  throw new Error(
    `${actual.constructor.name}.${methodName}() has ${found.join(' and ')} that Nestor did not see at startup. Provide the class ` +
      `${actual.constructor.name} itself instead of using a factory.`,
  );
}

/** The metadata keys whose values differ from those of the known method. */
function otherMetadata(actual: object, known: object, methodName: string): PropertyKey[] {
  const [method, knownMethod] = [actual, known].map((target) => (target as Record<string, object>)[methodName]);
  return metadataKeysOf(method).filter(
    (key) => !knownMethod || Reflect.getMetadata(key, method!) !== Reflect.getMetadata(key, knownMethod),
  );
}

/**
 * Lets Nest create the instance of a provider.
 *
 * @param place how the log names the tool
 * @throws ToolUnavailableException if a dependency cannot be created, or the `ContextIdStrategy` of
 *   the application fails, unless that threw an `HttpException`
 */
export async function resolveInstance(wrapper: InstanceWrapper, place: string, turn: Turn): Promise<ToolInstance> {
  try {
    const contextId = contextIdOf(turn, wrapper);
    const instance = await moduleRefOf(wrapper).resolve<object>(wrapper.token as string, contextId, { strict: true });
    return { instance, contextId };
  } catch (error) {
    throw unlessPublic(error, place, turn);
  }
}
