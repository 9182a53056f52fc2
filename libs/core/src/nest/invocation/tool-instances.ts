import type { ContextId } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import type { ToolContext } from '../../model/tool-context.js';
import type { Turn } from '../../model/turn.js';
import { type Enhancers, metadataKeysOf, namedMetadata, readEnhancers } from '../../tool/declaration/enhancers.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import { areScoped, wrappersOf } from '../hosts/runnable-enhancers.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import type { RequiredRequest } from './required-request.js';
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
export interface ToolInstances {
  of(context: ToolContext): Awaitable<ToolInstance>;
}

/** The instance of a singleton. */
export class SingletonInstance implements ToolInstances {
  #found: ToolInstance | undefined;

  constructor(
    private readonly host: ProviderHost,
    private readonly methodName: string,
  ) {}

  of(): ToolInstance {
    // Read for each call: it may have been missing when the tools were found, and a test may
    // replace it.
    const instance = this.host.wrapper.instance as object;
    if (this.#found?.instance !== instance) {
      checkInstance(instance, this.host.prototype, this.methodName);
      this.#found = { instance, contextId: undefined };
    }
    return this.#found;
  }
}

/** A request-scoped instance, resolved for each turn in the provider's module. */
export class TurnInstance implements ToolInstances {
  constructor(
    private readonly host: ProviderHost,
    private readonly methodName: string,
    private readonly enhancers: Enhancers,
    private readonly requiredRequest: RequiredRequest,
  ) {}

  async of(context: ToolContext): Promise<ToolInstance> {
    const { wrapper } = this.host;
    const hasRequest = context.turn.request !== undefined;
    if (!hasRequest) this.#checkRequest();
    const contextId = contextIdOf(context.turn, wrapper);
    const resolving = resolveHost(this.host, contextId, this.methodName, context.turn);
    if (!hasRequest) {
      // Nest may know what a class injects only when it has created an instance.
      await Promise.allSettled([resolving]);
      this.#checkRequest();
    }
    const instance = await resolving;
    checkInstance(instance, this.host.prototype, this.methodName);
    return { instance, contextId };
  }

  #checkRequest(): void {
    const { wrapper, type } = this.host;
    const enhancers = wrappersOf(this.enhancers, this.host);
    this.requiredRequest.check([wrapper, ...enhancers], `${type.name}.${this.methodName}()`);
  }
}

/** An object that replaces the instance of the container. */
export class GivenInstance implements ToolInstances {
  /** @param host the provider whose enhancers apply. Without it, the enhancers serve all turns. */
  constructor(
    private readonly given: object,
    private readonly host: ProviderHost | undefined,
    private readonly methodName: string,
    private readonly enhancers: Enhancers,
    private readonly globals: GlobalEnhancers,
  ) {}

  of(context: ToolContext): Awaitable<ToolInstance> {
    const { given, host, enhancers, globals } = this;
    if (host) checkInstance(given, host.prototype, this.methodName);
    if (!host || (enhancers.effective.size === 0 && globals.count === 0)) {
      return { instance: given, contextId: undefined };
    }
    const contextId = contextIdOf(context.turn, host.wrapper);
    if (!globals.areScoped && !areScoped(enhancers, host)) return { instance: given, contextId };
    // Nest fills in request-scoped guards only when it creates the instance that they protect.
    return resolveHost(host, contextId, this.methodName, context.turn).then(() => ({ instance: given, contextId }));
  }
}

/**
 * Refuses an instance of a factory whose class has enhancers or metadata that Nestor did not see
 * at startup. Guards would not see them.
 *
 * @throws Error if it has any
 */
export function checkInstance(instance: object, prototype: object, methodName: string): void {
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
 * @throws ToolUnavailableException if a dependency cannot be created, unless it threw an
 *   `HttpException`
 */
function resolveHost(
  { wrapper, type }: ProviderHost,
  contextId: ContextId,
  methodName: string,
  turn: Turn,
): Promise<object> {
  const made = moduleRefOf(wrapper).resolve<object>(wrapper.token as string, contextId, { strict: true });
  return made.catch((error: unknown) => {
    throw unlessPublic(error, `${type.name}.${methodName}()`, turn);
  });
}
