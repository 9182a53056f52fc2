import { Injectable } from '@nestjs/common';
import { DefaultMcpSessions } from '../connection/default-mcp-sessions.js';

/**
 * Ends the OAuth sign-in of a user: with the address to which the authorization server sent the
 * browser back.
 *
 * A sign-in starts when a server refuses a user. The SDK then calls `redirectToAuthorization` of
 * the `OAuthClientProvider` that your `McpCredentials` returned.
 *
 * @publicApi
 * @example
 * \@Get('oauth/callback')
 * async callback(@Req() request: Request, @Query() query: Record<string, string>) {
 *   await this.signIn.finish('github', request, new URLSearchParams(query));
 * }
 */
@Injectable()
export class McpSignIn {
  constructor(private readonly sessions: DefaultMcpSessions) {}

  /**
   * Exchanges the code for tokens, which the `OAuthClientProvider` saves. Check `state` before.
   *
   * @param request what `McpCredentials` gets, to find the user
   * @param callback the query of the address: `code` and `iss`
   * @throws McpConnectionException if the code is not accepted
   */
  finish(serverName: string, request: unknown, callback: URLSearchParams): Promise<void> {
    return this.sessions.finishSignIn(serverName, request, callback);
  }
}
