import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { ToolSteps } from '../../tool/tool-record.js';
import { isInstanceOf } from '@nestor-ai/schema';
import type { EnhancerKind, Enhancers } from '../../tool/declaration/enhancers.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import { isCaughtBy } from './tool-filters.js';
import { unlessPublic, warnOfMissingRequest } from './tool-failure.js';
import { AI_TOOL_CONTEXT_TYPE, INVOCATION_INDEX, ToolInvocation } from './tool-invocation.js';

/** Any method. */
export type Method = (...args: unknown[]) => unknown;

/** Describes a tool for Nest, so that it finds the enhancers. */
export interface ToolTarget {
  /** The class that guards see. */
  readonly type: ProviderHost['type'];
  readonly methodName: string;
  /** The decorated method. Nest reads the metadata from it. */
  readonly declared: Method;
  readonly inquirerId: string;
  readonly enhancers: Enhancers;
}

type NestHandler = (invocation: ToolInvocation) => Promise<unknown>;

/**
 * Runs a tool with Nest's guards, interceptors and filters. The order is: guards, validation and
 * approval, interceptors, code. Filters see the errors of all of these.
 *
 * @param instance the instance for which Nest creates enhancers. Guards see its class.
 * @returns undefined if there are none
 */
export function createSurround(
  creator: ExternalContextCreator,
  target: ToolTarget,
  globals: GlobalEnhancers,
  instance: object,
  contextId: ContextId | undefined,
): ((steps: ToolSteps) => Promise<unknown>) | undefined {
  const { type, methodName, inquirerId, enhancers } = target;
  const has = (kind: EnhancerKind): boolean => enhancers.effective.has(kind) || globals.countOf(kind) > 0;
  if (!has('guards') && !has('interceptors') && !has('filters')) return undefined;
  const host = isInstanceOf(instance, type.prototype) ? instance : (Object.create(type.prototype) as object);
  const create = (kind: EnhancerKind, handler: (invocation: ToolInvocation) => unknown): NestHandler => {
    const nest: (...args: unknown[]) => Promise<unknown> = creator.create(
      host,
      asDeclared(target, handler),
      methodName,
      undefined,
      undefined,
      contextId,
      inquirerId,
      { guards: kind === 'guards', interceptors: kind === 'interceptors', filters: kind === 'filters' },
      AI_TOOL_CONTEXT_TYPE,
    );
    return (invocation) => nest(invocation.steps.context.turn.request, undefined, undefined, invocation);
  };
  const intercept = has('interceptors') ? create('interceptors', (invocation) => invocation.execute()) : undefined;
  const guard = create('guards', (invocation) => invocation.proceed(intercept));
  const filter = has('filters') ? create('filters', (invocation) => invocation.rethrow()) : undefined;
  const filters = [...(enhancers.effective.get('filters') ?? []), ...globals.filters];
  const handle = async (invocation: ToolInvocation): Promise<unknown> => {
    try {
      return await guard(invocation);
    } catch (error) {
      // Nest logs errors that no filter catches, together with their messages.
      if (!filter || !isCaughtBy(filters, error)) throw error;
      invocation.failure = error;
      const handled = await filter(invocation);
      return handled === undefined ? invocation.rethrow() : handled;
    }
  };
  return async (steps) => {
    const invocation = new ToolInvocation(steps);
    try {
      return await handle(invocation);
    } catch (error) {
      if (invocation.hasThrown(error)) throw error;
      const place = `${type.name}.${methodName}()`;
      warnOfMissingRequest(error, target, place, steps.context.turn);
      throw unlessPublic(error, place, steps.context.turn, invocation);
    }
  };
}

/**
 * A handler with the metadata of the method as read at startup. So the enhancers apply even if the
 * instance has another function under this name, such as a bound copy or a spy.
 */
function asDeclared({ declared, methodName }: ToolTarget, handle: (invocation: ToolInvocation) => unknown): Method {
  const handler: Method = (...given) => handle(given[INVOCATION_INDEX] as ToolInvocation);
  Object.setPrototypeOf(handler, declared);
  Object.defineProperty(handler, 'name', { value: methodName });
  return handler;
}
