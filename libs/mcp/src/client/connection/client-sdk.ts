/** The module `@modelcontextprotocol/client`. */
export type ClientSdk = typeof import('@modelcontextprotocol/client');

/** Loads the client of the MCP SDK. Applications that connect to no server never load it. */
export function loadClientSdk(): Promise<ClientSdk> {
  return import('@modelcontextprotocol/client');
}
