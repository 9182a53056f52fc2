import type { McpServerAuth } from '../mcp-server.options.js';

/**
 * The public address of the server.
 *
 * @throws Error if the option is not a URL
 */
export function resourceUrlOf({ resource }: McpServerAuth): URL {
  const address = resource.toString();
  if (!URL.canParse(address)) {
    throw new Error(
      `The option auth.resource of McpServerModule is '${address}'. Give the public address of the endpoint: 'https://example.com/mcp'.`,
    );
  }
  return new URL(address);
}
