import { type CanActivate, type ExecutionContext, HttpException, Inject, Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { ENDPOINT_GUARD } from '@nestor-ai/core';
import { AllowedSites } from './allowed-sites.js';
import { BearerTokens } from './bearer-tokens.js';
import type { NestRequest } from './http-exchange.js';

/** The token of the class of the controller. */
export const MCP_CONTROLLER = Symbol('MCP_CONTROLLER');

/**
 * Admits requests to the endpoint: first it checks `Host` and `Origin`, then the token, and puts
 * the result into `request.auth`.
 *
 * The guards of the application need `request.auth`, and Nest runs global guards in the order in
 * which they are added. A constructor adds its guard before Nest adds those of `APP_GUARD`. This is
 * no middleware, since middleware compares paths itself: a path that only the router recognizes
 * would bypass it.
 */
@Injectable()
export class McpDoor implements CanActivate {
  readonly [ENDPOINT_GUARD] = true;

  constructor(
    @Inject(MCP_CONTROLLER) private readonly controller: Type,
    private readonly sites: AllowedSites,
    private readonly tokens: BearerTokens,
    private readonly adapterHost: HttpAdapterHost,
    config: ApplicationConfig,
  ) {
    config.addGlobalGuard(this);
  }

  /** @throws HttpException if the request is refused */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getClass() !== this.controller) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<NestRequest>();
    // HTTP/2 has a pseudo-header in place of Host.
    const { host = request.headers[':authority'] as string | undefined, origin } = request.headers;
    this.sites.check(host, origin);
    return this.tokens.areRequired ? this.#authenticate(request, http.getResponse()) : true;
  }

  async #authenticate(request: NestRequest, response: unknown): Promise<boolean> {
    const verified = await this.tokens.verify(request.headers.authorization);
    if (!(verified instanceof Response)) {
      request.auth = verified;
      return true;
    }
    const challenge = verified.headers.get('www-authenticate');
    if (challenge) this.adapterHost.httpAdapter.setHeader(response, 'WWW-Authenticate', challenge);
    throw new HttpException((await verified.json()) as object, verified.status);
  }
}
