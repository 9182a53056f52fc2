import { type ContextId, ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { Turn } from '../../model/turn.js';
import type { InstanceWrapper } from '../hosts/provider-host.js';

interface TurnScopes {
  readonly perRequest: ContextId;
  /** Of providers that live as long as what a `ContextIdStrategy` says, such as a tenant. */
  durable?: ContextId;
}

/** One context id a turn: all its tool calls share their request-scoped providers. */
const SCOPES = Symbol('nestor.TurnScopes');

/** The Nest context id of a turn for one of its providers: that of the caller's request when there is one. */
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
  // Without a request, what injects REQUEST gets undefined; and what Nest has registered is not registered again.
  if (request === undefined || (isObject && isRegistered(request, contextId))) return contextId;
  const value = isObject && contextId.payload ? Object.assign(request, contextId.payload) : request;
  moduleRef.registerRequestByContextId(value, contextId);
  return contextId;
}

/** A request that Nest knows has one context id, any other gets a new one each time. */
function isRegistered(request: object, contextId: ContextId): boolean {
  return ContextIdFactory.getByRequest(request) === contextId;
}

/** A durable provider outlives the request, so that it must not hold on to it: like Nest's router, gives it the payload instead. */
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

/** What resolves providers in the module that a provider belongs to. */
export function moduleRefOf({ host }: InstanceWrapper): ModuleRef {
  return host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
}
