/** What the client can ask the servers of these scenarios for. */
const CAPABILITIES = { tools: { listChanged: true }, resources: {}, prompts: {} };

/**
 * Sends HTTP requests, but answers `server/discover` itself: the servers of some scenarios answer
 * neither it nor `initialize`, so that a client could not connect to them.
 */
export const fetchWithLocalDiscover: typeof fetch = async (input, init) => {
  const message = typeof init?.body === 'string' ? (JSON.parse(init.body) as { method?: string; id?: unknown }) : {};
  if (message.method !== 'server/discover') return fetch(input, init);
  const result = {
    supportedVersions: ['2026-07-28'],
    capabilities: CAPABILITIES,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'conformance', version: '1.0.0' } },
  };
  return Response.json({ jsonrpc: '2.0', id: message.id, result });
};
