/** The SDK of servers over stdio. Only programs that serve stdio load it. */
export type StdioSdk = typeof import('@modelcontextprotocol/server/stdio');

export const loadStdioSdk = (): Promise<StdioSdk> => import('@modelcontextprotocol/server/stdio');
