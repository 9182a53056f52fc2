/** The module `@modelcontextprotocol/client`. */
export type ClientSdk = typeof import('@modelcontextprotocol/client');

/** The part of the module that starts programs. */
export type StdioSdk = typeof import('@modelcontextprotocol/client/stdio');

/** Loads the client of the MCP SDK. Applications that connect to no server never load it. */
export function loadClientSdk(): Promise<ClientSdk> {
  return import('@modelcontextprotocol/client');
}

/** Loads the part of the MCP SDK that starts servers as programs. */
export function loadStdioSdk(): Promise<StdioSdk> {
  return import('@modelcontextprotocol/client/stdio');
}
