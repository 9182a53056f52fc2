import { DEFAULT_EXTRAS } from './mcp-server.module-definition.js';
import type { McpServerModuleOptions } from './mcp-server.options.js';

const KNOWN: Readonly<Record<keyof McpServerModuleOptions, true>> = {
  name: true,
  version: true,
  instructions: true,
  tools: true,
  auth: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxBodySize: true,
  bus: true,
  stateSecret: true,
};

/** What is wrong with the options of the server, apart from the values that their users check. */
export function serverOptionProblems(options: McpServerModuleOptions): readonly string[] {
  const unknown = Object.keys(options).filter((key) => !Object.hasOwn(KNOWN, key));
  const { tools, auth } = options as { readonly tools?: unknown; readonly auth?: unknown };
  return [
    ...unknown.map(unknownProblem),
    ...(tools === undefined || isQuery(tools)
      ? []
      : ['The option tools of McpServerModule is no query. Write toolsWhere({ include: [OrderTools] }).']),
    ...(auth === undefined ? [] : authProblems(auth)),
  ];
}

function unknownProblem(key: string): string {
  // Without it, the endpoint would be open, or elsewhere, and nothing would show it.
  return Object.hasOwn(DEFAULT_EXTRAS, key)
    ? `The factory of McpServerModule.forRootAsync() returned the option ${key}. Write it beside useFactory.`
    : `McpServerModule has no option '${key}'. Known: ${Object.keys(KNOWN).join(', ')}.`;
}

function isQuery(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'criteria' in value;
}

function authProblems(auth: unknown): readonly string[] {
  const { verifier, resource, authorizationServers } = (auth ?? {}) as Readonly<Record<string, unknown>>;
  return [
    !verifier &&
      'The option auth.verifier of McpServerModule is missing. Give a class or an object with verifyAccessToken().',
    !resource &&
      "The option auth.resource of McpServerModule is missing. Give the public address of the endpoint: 'https://example.com/mcp'.",
    !Array.isArray(authorizationServers) &&
      "The option auth.authorizationServers of McpServerModule is no list. Give the addresses of the servers that issue tokens: ['https://login.example.com'].",
  ].filter((problem) => problem !== false);
}
