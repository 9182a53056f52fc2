import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ENDPOINT_GUARD, type HttpRequest } from '@nestor-ai/core';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from '../inspector.options.js';
import { InspectorToken } from './inspector-token.js';

/** The token of the class of the controller. */
export const INSPECTOR_CONTROLLER = Symbol('INSPECTOR_CONTROLLER');

/**
 * The header of requests to the API. It has the token, unless the page has guards. Browsers let
 * other sites send it only after they have asked the server.
 */
export const API_HEADER = 'x-nestor-inspector';

/** The metadata of the handler that a browser opens by its address, without the header. */
export const OPENS_PAGE = 'nestor:opens-page';

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** What proxies add to the requests that they pass on. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

type InspectedRequest = HttpRequest &
  Partial<Pick<IncomingMessage, 'socket' | 'url'>> & { readonly raw?: IncomingMessage };

/**
 * Admits requests to the page: it checks `Host` and `Origin`, so that a page of another site cannot
 * reach it through the browser of a developer. If the page has no guards, the request must also come
 * from this computer, as far as it tells, and have the token: proxies need not say that they are.
 *
 * The constructor adds it before the global guards of the application, as in `McpServerModule`.
 */
@Injectable()
export class InspectorDoor implements CanActivate {
  readonly [ENDPOINT_GUARD] = true;
  readonly #hosts: ReadonlySet<string>;
  readonly #hasGuards: boolean;
  /** The requests with the token that the global guards of the application have not admitted. */
  readonly #between = new WeakSet<object>();
  readonly #withToken = new WeakSet<object>();

  constructor(
    @Inject(INSPECTOR_CONTROLLER) private readonly controller: unknown,
    @Inject(INSPECTOR_OPTIONS) { allowedHosts, guards = [] }: AiInspectorOptions,
    private readonly token: InspectorToken,
    config: ApplicationConfig,
  ) {
    this.#hasGuards = guards.length > 0;
    this.#hosts = new Set(((this.#hasGuards && allowedHosts) || LOCAL_HOSTS).map((name) => hostNameOf(name) || name));
    config.addGlobalGuard(this);
  }

  /** @throws ForbiddenException that says what to do */
  canActivate(context: ExecutionContext): boolean {
    if (context.getClass() !== this.controller) return true;
    const request = context.switchToHttp().getRequest<InspectedRequest>();
    const host = String(request.headers.host ?? request.headers[':authority'] ?? '');
    if (!this.#hosts.has(hostNameOf(host))) throw new ForbiddenException(this.#wrongHost());
    this.#checkOrigin(request, host);
    if (this.#hasGuards) return true;
    checkIsLocal(request);
    this.#checkToken(request);
    this.#between.add(request);
    this.#withToken.add(request);
    return true;
  }

  /** Whether a request was admitted by its token. Only the log of the application has the token. */
  isOfDeveloper(request: object): boolean {
    return this.#withToken.has(request);
  }

  /** Called when the global guards of the application have admitted a request. */
  passed(request: object): void {
    this.#between.delete(request);
  }

  /** Whether a request has passed this guard, and not all global guards of the application. */
  isBetweenGuards(request: object): boolean {
    return this.#between.has(request);
  }

  #wrongHost(): string {
    return this.#hasGuards
      ? 'The inspector does not answer under this host name. Add it to the option allowedHosts of AiInspectorModule.'
      : 'Without guards, the inspector only answers at localhost. Give AiInspectorModule guards and allowedHosts.';
  }

  #checkToken({ headers, url = '' }: InspectedRequest): void {
    // A browser opens the page by its address alone.
    const inAddress = new URLSearchParams(url.replace(/^[^?]*/, '')).get('token');
    if (this.token.is(headers[API_HEADER] ?? inAddress)) return;
    throw new ForbiddenException(
      'The token of the inspector is missing, or is one of an earlier start of the application. ' +
        'Open the address that the application logged when it last started.',
    );
  }

  #checkOrigin({ headers }: InspectedRequest, host: string): void {
    const { origin } = headers;
    const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
    const site = headers['sec-fetch-site'];
    // A link on another site may open the page, which cannot run anything by itself.
    const isOpened = headers['sec-fetch-mode'] === 'navigate';
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened;
    if (!isOwn || isForeign) throw new ForbiddenException('Pages of other sites must not call the inspector.');
  }
}

/** Runs after the global guards of the application. Admits requests to the API that the page has made. */
@Injectable()
export class InspectorInnerDoor implements CanActivate {
  constructor(private readonly door: InspectorDoor) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    this.door.passed(request);
    if (Reflect.getMetadata(OPENS_PAGE, context.getHandler()) === true || request.headers[API_HEADER] !== undefined)
      return true;
    throw new ForbiddenException(
      `Requests to the inspector need the header ${API_HEADER}: the token of the logged address. With guards, send 1.`,
    );
  }
}

function checkIsLocal({ headers, raw, socket }: InspectedRequest): void {
  const address = (raw?.socket ?? socket)?.remoteAddress;
  const isForwarded = PROXY_HEADERS.some((name) => headers[name] !== undefined);
  if (address !== undefined && isLoopback(address) && !isForwarded) return;
  throw new ForbiddenException('Without guards, the inspector only answers requests of the same computer.');
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

/** The host name without the port, in lower case. Empty if it is none. */
function hostNameOf(host: string): string {
  const url = `http://${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : '';
}
