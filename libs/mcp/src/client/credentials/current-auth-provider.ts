import type { AuthProvider } from '@modelcontextprotocol/client';
import type { McpAuthProvider } from './mcp-credentials.js';

type UnauthorizedContext = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];

/**
 * The newest provider of a user. A provider may have been made for one request, so that its token
 * expires while the connection is still in use.
 */
export class CurrentAuthProvider implements AuthProvider {
  /** Replaced when the newest provider cannot react to a refused token. */
  onUnauthorized?: (context: UnauthorizedContext) => Promise<void>;

  constructor(private current: AuthProvider) {
    this.use(current);
  }

  use(provider: AuthProvider): void {
    this.current = provider;
    if (provider.onUnauthorized) this.onUnauthorized = (context) => provider.onUnauthorized!(context);
    else delete this.onUnauthorized;
  }

  token(): Promise<string | undefined> {
    return this.current.token();
  }
}

/** Whether the SDK signs in itself. Such a provider keeps its tokens in a store of the application. */
export function isOAuthProvider(provider: McpAuthProvider): boolean {
  return 'tokens' in provider;
}
