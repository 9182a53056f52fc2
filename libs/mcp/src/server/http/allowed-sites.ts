import { ForbiddenException, Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { MCP_SERVER_OPTIONS } from '../mcp-server.module-definition.js';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { SERVER_SDK, type ServerSdk } from '../server-sdk.js';
import { resourceUrlOf } from './resource-url.js';

/** How many refused hosts and origins to log. Anyone can send more. */
const MAX_LOGGED = 20;

/** The names that may be logged. Longer or other ones could be free text. */
const HOST_NAME = /^[\w.:[\]-]{1,100}$/;

type SiteOption = 'allowedHosts' | 'allowedOrigins';

/**
 * The hosts and the web pages that may call the server. Without this check, any web page could
 * reach a server on the computer of its visitor, by giving its own host name the address 127.0.0.1.
 */
@Injectable()
export class AllowedSites implements OnModuleInit {
  private readonly logger = new Logger('McpServerModule');
  readonly #logged = new Set<string>();
  #hosts: string[] = [];
  #origins: string[] = [];

  constructor(
    @Inject(MCP_SERVER_OPTIONS) private readonly options: McpServerModuleOptions,
    @Inject(SERVER_SDK) private readonly sdk: ServerSdk,
  ) {}

  /** @throws Error if an option contains something other than host names, or `auth.resource` is not a URL */
  onModuleInit(): void {
    const { auth, allowedHosts, allowedOrigins } = this.options;
    const own = auth ? [resourceUrlOf(auth).hostname] : [];
    this.#hosts = hostNames('allowedHosts', allowedHosts) ?? [...this.sdk.localhostAllowedHostnames(), ...own];
    this.#origins = hostNames('allowedOrigins', allowedOrigins) ?? this.#hosts;
  }

  /**
   * @param host the header `Host`
   * @param origin the header `Origin`, which browsers send
   * @throws ForbiddenException if one of them is not allowed
   */
  check(host: string | undefined, origin: string | undefined): void {
    const ofHost = this.sdk.validateHostHeader(host, this.#hosts);
    if (!ofHost.ok) {
      this.#log('allowedHosts', 'Host', ofHost.hostname);
      throw new ForbiddenException('This server does not answer under this host name.');
    }
    const ofOrigin = this.sdk.validateOriginHeader(origin, this.#origins);
    if (!ofOrigin.ok) {
      this.#log('allowedOrigins', 'Origin', ofOrigin.hostname);
      throw new ForbiddenException('Web pages of this origin must not call this server.');
    }
  }

  /** Logs each name once. */
  #log(option: SiteOption, header: string, name = 'that is not a host name'): void {
    const shown = HOST_NAME.test(name) ? name : 'with an unusual name';
    const key = `${option} ${shown}`;
    if (this.#logged.has(key) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(key);
    this.logger.warn(
      `A request to the MCP server was refused: its ${header} is ${shown}. To accept it, add the host name to the option ${option}.`,
    );
  }
}

function hostNames(option: SiteOption, names: readonly string[] | undefined): string[] | undefined {
  for (const name of names ?? []) {
    if (isHostName(name) || (option === 'allowedOrigins' && /^[a-z][\w+.-]*:\/\/\*$/.test(name))) continue;
    throw new Error(
      `The option ${option} of McpServerModule contains '${name}'. Give host names in lower case, without scheme, port and path: ` +
        "'example.com', or '[::1]'.",
    );
  }
  return names && [...names];
}

function isHostName(name: string): boolean {
  const address = `http://${name}`;
  // A URL could contain `*`, which is no wildcard.
  return !name.includes('*') && URL.canParse(address) && new URL(address).hostname === name;
}
