import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';

/**
 * Gives the token of a user: an `AuthProvider` of the MCP SDK, which returns one, or an
 * `OAuthClientProvider`, with which the SDK signs in by OAuth with PKCE.
 */
export type McpAuthProvider = AuthProvider | OAuthClientProvider;

/** What a user shows to a server. */
export interface McpCredential {
  /**
   * Whose credential it is, such as the tenant and the user: `acme/ada`. Requests with the same key
   * share a connection and its tools, and no others do. Never a token.
   */
  readonly key: string;
  /**
   * Gives the token of each HTTP request. The newest one of a key is used.
   *
   * An `OAuthClientProvider` has to keep what it saves for the user, not for the request. Give it
   * `invalidateCredentials` and `saveDiscoveryState`: without them, the SDK writes warnings to the
   * console.
   */
  readonly authProvider: McpAuthProvider;
}

/**
 * Gives the credential of the user of a request. Provide your own in `McpClientModule.forRoot()`.
 * It applies to servers with a `url`. It has to be a singleton: it gets the request as an argument.
 *
 * @publicApi
 * @example
 * \@Injectable()
 * class TenantCredentials extends McpCredentials {
 *   credentialOf(serverName: string, request: unknown) {
 *     const { id } = (request as AppRequest).user;
 *     return { key: id, authProvider: { token: () => this.vault.tokenFor(serverName, id) } };
 *   }
 * }
 */
export abstract class McpCredentials {
  /**
   * @param request the value of `.request(…)`; undefined if there is none
   * @returns undefined to connect without a user, with the headers of the configuration only
   */
  abstract credentialOf(
    serverName: string,
    request: unknown,
  ): McpCredential | undefined | Promise<McpCredential | undefined>;
}
