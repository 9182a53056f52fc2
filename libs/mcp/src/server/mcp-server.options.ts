import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { ToolQuery } from '@nestor-ai/core';
import type { OAuthTokenVerifier, ServerEventBus } from '@modelcontextprotocol/server';

/** Makes the server accept only requests with a token for it. The tokens come from an authorization server. */
export interface McpServerAuth {
  /**
   * Checks a token and returns who it belongs to: an object, or a provider of the application. For
   * a token that is not valid it throws `new OAuthError(OAuthErrorCode.InvalidToken, …)` of
   * `@modelcontextprotocol/server`. The server answers other errors with the status 500.
   */
  readonly verifier: OAuthTokenVerifier | Type<OAuthTokenVerifier>;
  /** The public address of this server. Tokens for other addresses are refused. */
  readonly resource: string | URL;
  /** The addresses of the authorization servers that give tokens, for clients that look for them. */
  readonly authorizationServers: readonly string[];
  /** The scopes that every token needs. Default: none. */
  readonly requiredScopes?: readonly string[];
}

/** The options of `McpServerModule.forRoot()` that a factory of `forRootAsync()` can return. */
export interface McpServerModuleOptions {
  /** How the server introduces itself to clients. Default: `nest-app`. */
  readonly name?: string;
  /** The version that clients see. Default: `1.0.0`. */
  readonly version?: string;
  /** What clients should know about the server as a whole. */
  readonly instructions?: string;
  /** The tools to expose, in addition to those with `@Tool({ mcp: true })`. Default: no others. */
  readonly tools?: ToolQuery;
  /** Tokens that clients must have. Default: none, so protect the endpoint with guards. */
  readonly auth?: McpServerAuth;
  /**
   * The host names under which clients reach the server, without ports. Requests with another
   * `Host` are refused, which stops DNS rebinding. Default: `localhost`, `127.0.0.1`, `[::1]`, and
   * the host of `auth.resource`.
   */
  readonly allowedHosts?: readonly string[];
  /** The host names of web pages that may call the server. Default: those of `allowedHosts`. */
  readonly allowedOrigins?: readonly string[];
  /**
   * The longest body of a request, in bytes. The body parser of the application applies its own
   * limit first: 100 KB on Express. Default: 1,048,576.
   */
  readonly maxBodySize?: number;
  /**
   * Signs the states of `McpInputRequiredException`: at least 32 characters, the same in all
   * processes. Default: random, so another process cannot continue a request.
   */
  readonly stateSecret?: string;
  /**
   * Carries the events of `McpNotifier` between the processes of the application. Default: events
   * reach the clients of this process.
   */
  readonly bus?: ServerEventBus;
}

/** The options that stand beside `useFactory` in `forRootAsync()`, since they make the endpoint. */
export interface McpServerModuleExtras {
  /**
   * The path of the endpoint, after the global prefix. The endpoint has no version, so
   * applications with versioning serve it under this path too. Default: `/mcp`.
   */
  path?: string;
  /** Whether the server answers over HTTP. Turn it off for a program that serves stdio. Default: true. */
  http?: boolean;
  /** Guards of the endpoint, in addition to the global ones. They see `request.auth`. */
  guards?: readonly (CanActivate | Type<CanActivate>)[];
  /** Modules that export the dependencies of `guards` and of `forRootAsync()`. */
  imports?: NonNullable<ModuleMetadata['imports']>;
  /** Whether all modules can inject `McpNotifier`. Default: true. */
  isGlobal?: boolean;
}
