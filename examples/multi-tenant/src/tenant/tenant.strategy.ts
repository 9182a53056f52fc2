import { type ContextId, ContextIdFactory, type ContextIdStrategy, type HostComponentInfo } from '@nestjs/core';

export interface TenantRequest {
  headers: { 'x-tenant'?: string };
}

/** Gives all requests of a tenant the same durable providers, as in Nest's documentation. */
export class TenantStrategy implements ContextIdStrategy<TenantRequest> {
  private readonly contexts = new Map<string, ContextId>();

  attach(contextId: ContextId, { headers }: TenantRequest) {
    // Take the tenant from the signed-in user, not from a header.
    const tenant = headers['x-tenant'] ?? 'public';
    const shared = this.contexts.get(tenant) ?? ContextIdFactory.create();
    this.contexts.set(tenant, shared);
    return {
      resolve: (info: HostComponentInfo) => (info.isTreeDurable ? shared : contextId),
      payload: { tenant },
    };
  }
}
