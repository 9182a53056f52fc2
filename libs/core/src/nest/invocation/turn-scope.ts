import { type ContextId, ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { Turn } from '../../model/turn.js';
import type { InstanceWrapper } from '../hosts/provider-host.js';

interface TurnScopes {
  readonly perRequest: ContextId;
  /** For providers whose lifetime a `ContextIdStrategy` defines, for example per tenant. */
  durable?: ContextId;
}

/** One context id per turn: all its tool calls share request-scoped providers. */
const SCOPES = Symbol('nestor.TurnScopes');

/**
 * The Nest context id of a turn for one of its providers. It belongs to the caller's request, if
 * there is one.
 */
export function contextIdOf(turn: Turn, wrapper: InstanceWrapper): ContextId {
  const moduleRef = moduleRefOf(wrapper);
  const found = turn.state<TurnScopes>(SCOPES, () => ({ perRequest: createContextId(turn.request, moduleRef) }));
  const { perRequest } = found;
  if (!perRequest.getParent || !wrapper.isDependencyTreeDurable()) return perRequest;
  return (found.durable ??= durableIdOf(perRequest, moduleRef));
}

function createContextId(request: unknown, moduleRef: ModuleRef): ContextId {
  const isObject = typeof request === 'object' && request !== null;
  const contextId = isObject ? ContextIdFactory.getByRequest(request) : ContextIdFactory.create();
  // Without a request, `REQUEST` is undefined. Nest has already registered the requests that it
  // knows.
  if (request === undefined || (isObject && isRegistered(request, contextId))) return contextId;
  const value = isObject && contextId.payload ? Object.assign(request, contextId.payload) : request;
  moduleRef.registerRequestByContextId(value, contextId);
  return contextId;
}

/** A request that Nest knows has one context id. Others get a new one each time. */
function isRegistered(request: object, contextId: ContextId): boolean {
  return ContextIdFactory.getByRequest(request) === contextId;
}

/**
 * A durable provider outlives the request and must not keep it. Like Nest's router, this passes it
 * the payload instead.
 */
function durableIdOf(perRequest: ContextId, moduleRef: ModuleRef): ContextId {
  const { getParent, payload } = perRequest;
  const contextId: ContextId = {
    ...ContextIdFactory.create(),
    payload,
    getParent: (info) => {
      const parent = getParent!(info);
      return parent === perRequest ? contextId : parent;
    },
  };
  moduleRef.registerRequestByContextId(payload, contextId);
  return contextId;
}

/** The `ModuleRef` of a provider's module. */
export function moduleRefOf({ host }: InstanceWrapper): ModuleRef {
  return host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
}
