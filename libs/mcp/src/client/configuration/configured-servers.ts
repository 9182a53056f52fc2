import { namesUnder, type PropertySource, readProperties } from '@nestor-ai/core';
import { environmentName } from '@nestor-ai/core/internal';
import type { McpClientModuleOptions, McpServerConnection } from '../mcp-client.options.js';
import { MCP_SERVER_PROPERTIES } from '../mcp-server-properties.js';

/** The token of {@link ConfiguredServers}. */
export const CONFIGURED_SERVERS: unique symbol = Symbol('nestor.ConfiguredServers');

/** The configured servers that are switched on, and what is wrong with the configuration. */
export interface ConfiguredServers {
  readonly servers: readonly McpServerConnection[];
  readonly problems: readonly string[];
}

/** Tools of a server may have its name before theirs, and names of tools have at most 64 characters. */
const NAME = /^[A-Za-z0-9_-]{1,32}$/;

const PROPERTY_KEYS = Object.keys(MCP_SERVER_PROPERTIES);
const OPTION_KEYS: readonly string[] = ['name', ...PROPERTY_KEYS, 'fetch'];

/** Options that have no effect on a server of the other kind. */
const HTTP_KEYS = ['headers', 'fetch'] as const;
const PROGRAM_KEYS = ['args', 'env', 'cwd'] as const;

/** Reads the option `servers` and `ai.mcp.servers.<name>.*`. It collects all mistakes. */
export function readServers(
  options: McpClientModuleOptions | undefined,
  source: PropertySource | undefined,
): ConfiguredServers {
  const given = Array.isArray(options?.servers) ? (options.servers as readonly unknown[]) : [];
  const inCode = given.filter((server): server is McpServerConnection => isNamed(server));
  const known = inCode.map(({ name }) => name);
  const names = namesUnder(source, ['ai', 'mcp', 'servers'], PROPERTY_KEYS, known);
  const read = names.map((name) =>
    readServer(
      name,
      inCode.find((server) => server.name === name),
      source,
    ),
  );
  return {
    servers: read.flatMap(({ server, problems }) => (server.enabled && problems.length === 0 ? server : [])),
    problems: [
      ...optionProblems(options),
      ...given.flatMap((server, index) =>
        isNamed(server)
          ? []
          : `Server ${index + 1} of McpClientModule has no name. Give it one that your application uses, such as 'github'.`,
      ),
      ...duplicateProblems(known),
      ...sharedVariables(names),
      ...read.flatMap(({ problems }) => problems),
    ],
  };
}

function readServer(
  name: string,
  given: McpServerConnection | undefined,
  source: PropertySource | undefined,
): { readonly server: McpServerConnection; readonly problems: readonly string[] } {
  const own = Object.entries(given ?? {}).filter(([key]) => Object.hasOwn(MCP_SERVER_PROPERTIES, key));
  const values = Object.fromEntries(
    own.map(([key, value]: [string, unknown]) => [key, value instanceof URL ? value.href : value]),
  );
  const { properties, problems } = readProperties(
    MCP_SERVER_PROPERTIES,
    ['ai', 'mcp', 'servers', { name }],
    values,
    source,
  );
  const set = Object.entries(properties).filter(([, value]) => value !== undefined);
  const server = {
    ...Object.fromEntries(set),
    name,
    ...(given?.fetch && { fetch: given.fetch }),
  } as McpServerConnection;
  const unknown = Object.keys(given ?? {}).filter((key) => !OPTION_KEYS.includes(key));
  return {
    server: Object.freeze(server),
    problems: [
      ...nameProblems(name),
      ...unknown.map((key) => `The MCP server '${name}' has no option '${key}'. Known: ${OPTION_KEYS.join(', ')}.`),
      ...problems,
      // A value that is not allowed is not a missing one.
      ...(server.enabled && problems.length === 0 ? targetProblems(server) : []),
    ],
  };
}

function nameProblems(name: string): readonly string[] {
  if (NAME.test(name)) return [];
  return [
    `The name of the MCP server ${JSON.stringify(name.slice(0, 50))} cannot be used. Use 1 to 32 letters, digits, hyphens and underscores.`,
  ];
}

function targetProblems(server: McpServerConnection): readonly string[] {
  const { name, url, command } = server;
  const key = `ai.mcp.servers.${name}`;
  if (url === undefined && command === undefined) {
    return [
      `The MCP server '${name}' has neither a url nor a command. Set ${key}.url to its address, or ${key}.command to the program that starts it.`,
    ];
  }
  if (url !== undefined && command !== undefined) {
    return [`The MCP server '${name}' has a url and a command. Remove one of them.`];
  }
  const [kind, useless] = url === undefined ? ['a command', HTTP_KEYS] : ['a url', PROGRAM_KEYS];
  return useless
    .filter((option) => hasContent(server[option as keyof McpServerConnection]))
    .map((option) => `The MCP server '${name}' has ${kind}, so ${key}.${option} has no effect. Remove it.`);
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function duplicateProblems(names: readonly string[]): readonly string[] {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(twice)].map((name) => `Two MCP servers are named '${name}'. Give each its own name.`);
}

/** Problems of names that differ, but not in environment variables. */
function sharedVariables(names: readonly string[]): readonly string[] {
  const variableOf = (name: string): string => environmentName(['ai', 'mcp', 'servers', { name }]);
  return names.flatMap((name, at) => {
    const other = names.slice(0, at).findLast((one) => variableOf(one) === variableOf(name));
    return other === undefined
      ? []
      : `The MCP servers '${other}' and '${name}' have the same environment variables ${variableOf(name)}_*. Rename one of them.`;
  });
}

function optionProblems(options: unknown): readonly string[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return ['The factory of McpClientModule.forRootAsync() returned no options. Return at least {}.'];
  }
  const { servers } = options as { servers?: unknown };
  const unknown = Object.keys(options).filter((key) => key !== 'servers');
  return [
    ...unknown.map((key) => `McpClientModule has no option '${key}'. Known: servers.`),
    ...(servers === undefined || Array.isArray(servers)
      ? []
      : ['The option servers of McpClientModule is no list. Write [{ name: …, url: … }].']),
  ];
}

function isNamed(server: unknown): boolean {
  return typeof server === 'object' && server !== null && typeof (server as { name?: unknown }).name === 'string';
}
