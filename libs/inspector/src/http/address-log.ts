import type { Server as HttpServer } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from '../inspector.options.js';
import { InspectorToken } from './inspector-token.js';

/** Where servers listen on all interfaces, and this computer reaches them. */
const LOCAL_ADDRESSES: readonly string[] = ['::', '0.0.0.0', '::1', '127.0.0.1'];

/** Logs the address of a page without guards, with its token, as soon as the application listens. */
@Injectable()
export class AddressLog implements OnApplicationBootstrap {
  readonly #logger = new Logger('AiInspectorModule');

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    @Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions,
    private readonly token: InspectorToken,
  ) {}

  onApplicationBootstrap(): void {
    // An application context has no adapter, and a testing module has one without a server.
    const server = this.host.httpAdapter?.getHttpServer() as HttpServer | undefined;
    if (!server || (this.options.guards ?? []).length > 0) return;
    const log = (): void => this.#logger.log(`The inspector is at ${this.#addressOn(server)}`);
    if (server.listening) log();
    else server.once('listening', log);
  }

  #addressOn(server: HttpServer): string {
    const path = `${this.#path()}?token=${this.token.value}`;
    const bound = server.address();
    if (bound === null || typeof bound === 'string') return path;
    const { address, family, port } = bound;
    const name = LOCAL_ADDRESSES.includes(address) ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
    return `${server instanceof TlsServer ? 'https' : 'http'}://${name}:${port}${path}`;
  }

  /** The path of the page, under the global prefix unless the prefix excludes it. */
  #path(): string {
    const path = joined(this.options.path);
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(
      ({ pathRegex, requestMethod }) =>
        (requestMethod === RequestMethod.ALL || requestMethod === RequestMethod.GET) && pathRegex.test(path),
    );
    return isExcluded ? path : joined(this.config.getGlobalPrefix(), path);
  }
}

function joined(...parts: readonly string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter(Boolean);
  return `/${names.join('/')}`;
}
