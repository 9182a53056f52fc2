import type { InjectionToken } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { type ClientOptions, ClientProxy, ClientProxyFactory } from '@nestjs/microservices';
import { isJsonObject } from '@nestor-ai/schema';
import type { RemoteToolsModuleOptions } from './remote-tools.options.js';

/** The client of a transport. */
export interface TransportClient {
  readonly proxy: ClientProxy;
  /** Whether it was made here, so that it is closed here. */
  readonly isOwn: boolean;
}

/**
 * The client that the option `transport` describes.
 *
 * @throws TypeError if there is none
 */
export function createClient(transport: RemoteToolsModuleOptions['transport'], container: ModuleRef): TransportClient {
  if (isClient(transport)) return { proxy: transport, isOwn: false };
  if (isJsonObject(transport) && !('provide' in transport)) {
    return { proxy: ClientProxyFactory.create(transport as ClientOptions), isOwn: true };
  }
  const found = find(transport as InjectionToken | undefined, container);
  if (isClient(found)) return { proxy: found, isOwn: false };
  throw new TypeError(
    `The option transport of RemoteToolsModule is no client of @nestjs/microservices${nameOf(transport)}. Give the injection token of ` +
      "one that ClientsModule provides, such as 'ORDERS', or its options: { transport: Transport.NATS }.",
  );
}

function find(token: InjectionToken | undefined, container: ModuleRef): unknown {
  if (token === undefined || token === null) return undefined;
  try {
    return container.get(token, { strict: false });
  } catch {
    // The error of the caller says what to write.
    return undefined;
  }
}

/** The client may be of another copy of Nest's package. */
function isClient(value: unknown): value is ClientProxy {
  if (value instanceof ClientProxy) return true;
  const { send, emit } = (value ?? {}) as Partial<ClientProxy>;
  return typeof value === 'object' && typeof send === 'function' && typeof emit === 'function';
}

function nameOf(transport: unknown): string {
  return typeof transport === 'string' || typeof transport === 'symbol' ? ` (${String(transport)})` : '';
}
