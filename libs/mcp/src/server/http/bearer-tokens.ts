import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import { errorTypeOf } from '@nestor-ai/core';
import { MCP_SERVER_OPTIONS } from '../mcp-server.module-definition.js';
import type { McpServerAuth, McpServerModuleOptions } from '../mcp-server.options.js';
import { SERVER_SDK, type ServerSdk } from '../server-sdk.js';
import { resourceUrlOf } from './resource-url.js';

/** Verifies the tokens of requests, as the option `auth` says. */
@Injectable()
export class BearerTokens implements OnModuleInit {
  private readonly logger = new Logger('McpServerModule');
  readonly #auth: McpServerAuth | undefined;
  #verifier: OAuthTokenVerifier | undefined;

  constructor(
    @Inject(MCP_SERVER_OPTIONS) { auth }: McpServerModuleOptions,
    @Inject(SERVER_SDK) private readonly sdk: ServerSdk,
    private readonly moduleRef: ModuleRef,
  ) {
    this.#auth = auth;
  }

  /** @throws Error if the application does not provide the verifier */
  onModuleInit(): void {
    const verifier = this.#auth?.verifier;
    if (typeof verifier !== 'function') {
      this.#verifier = verifier;
      return;
    }
    try {
      this.#verifier = this.moduleRef.get(verifier, { strict: false });
    } catch (cause) {
      throw new Error(
        `McpServerModule cannot use ${verifier.name}, its option auth.verifier. Provide it in a module, in the default scope.`,
        { cause },
      );
    }
  }

  /** Whether requests need a token. */
  get areRequired(): boolean {
    return this.#auth !== undefined;
  }

  /**
   * Returns who a token belongs to, or the response to a request without a valid token.
   *
   * @param header the header `Authorization`
   */
  async verify(header: string | undefined): Promise<AuthInfo | Response> {
    const { requiredScopes = [] } = this.#auth!;
    const resource = resourceUrlOf(this.#auth!);
    const options = {
      requiredScopes: [...requiredScopes],
      resourceMetadataUrl: this.sdk.getOAuthProtectedResourceMetadataUrl(resource),
    };
    try {
      const verifier = { verifyAccessToken: (token: string) => this.#verify(token) };
      return await this.sdk.verifyBearerToken(header, { ...options, verifier, expectedResource: resource });
    } catch (error) {
      if (!(error instanceof this.sdk.OAuthError)) this.#logFailure(error);
      return this.sdk.bearerAuthChallengeResponse(error, options);
    }
  }

  /** The message of an error of the verifier could tell an attacker why a token is refused. */
  async #verify(token: string): Promise<AuthInfo> {
    const { OAuthError, OAuthErrorCode } = this.sdk;
    try {
      return await this.#verifier!.verifyAccessToken(token);
    } catch (error) {
      const code = error instanceof OAuthError ? error.code : undefined;
      if (code === OAuthErrorCode.InvalidToken) throw new OAuthError(code, 'The token is not valid.');
      if (code === OAuthErrorCode.InsufficientScope) throw new OAuthError(code, 'The token lacks a scope.');
      // Its other codes would say that the request is wrong.
      throw code === undefined ? error : new Error('The verifier failed.', { cause: error });
    }
  }

  #logFailure(error: unknown): void {
    this.logger.error(
      `The verifier of McpServerModule failed with ${errorTypeOf(error)}. If the token is not valid, throw ` +
        'new OAuthError(OAuthErrorCode.InvalidToken, …) of @modelcontextprotocol/server.',
    );
  }
}
