import type { Provider } from '@nestjs/common';

/** The SDK of servers. Applications that are only clients do not load it. */
export type ServerSdk = typeof import('@modelcontextprotocol/server');

/** The token of the {@link ServerSdk}. */
export const SERVER_SDK = Symbol('SERVER_SDK');

export const serverSdkProvider: Provider = {
  provide: SERVER_SDK,
  useFactory: (): Promise<ServerSdk> => import('@modelcontextprotocol/server'),
};
