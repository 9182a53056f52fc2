import { type ContextId, ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { TurnContext } from '../../model/turn-context.js';
import type { InstanceWrapper } from '../discovery/provider-host.js';

// One context id a turn: all its tool calls share their request-scoped providers.
const contextIds = new WeakMap<TurnContext, ContextId>();

/** The Nest context id of a turn: that of the caller's request when there is one. */
export function contextIdOf(turn: TurnContext, moduleRef: ModuleRef): ContextId {
  let contextId = contextIds.get(turn);
  if (!contextId) {
    const { request } = turn;
    if (typeof request === 'object' && request !== null) {
      contextId = ContextIdFactory.getByRequest(request);
      moduleRef.registerRequestByContextId(request, contextId);
    } else {
      // Without a request, what injects REQUEST gets undefined.
      contextId = ContextIdFactory.create();
    }
    contextIds.set(turn, contextId);
  }
  return contextId;
}

/** What resolves providers in the module that a provider belongs to. */
export function moduleRefOf({ host }: InstanceWrapper): ModuleRef {
  return host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
}
