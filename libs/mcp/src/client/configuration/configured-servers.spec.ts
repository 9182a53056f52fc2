import { describe, expect, it } from '@jest/globals';
import type { McpServerConnection } from '../mcp-client.options.js';
import { readServers } from './configured-servers.js';

const GITHUB: McpServerConnection = { name: 'github', url: new URL('https://mcp.example.com/mcp') };

/** A configuration with nested objects, and one with environment variables. */
function nested(servers: unknown) {
  return new Map<string, unknown>([['ai', { mcp: { servers } }]]);
}

function environment(variables: Record<string, string>) {
  const source = new Map<string, unknown>(Object.entries(variables));
  return { get: (key: string) => source.get(key), internalConfig: variables };
}

function problemsOf(servers: unknown, source?: { get(key: string): unknown }): readonly string[] {
  return readServers({ servers } as never, source).problems;
}

describe('readServers', () => {
  it('has the servers in code, with defaults', () => {
    const { servers, problems } = readServers({ servers: [GITHUB] }, undefined);
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      {
        name: 'github',
        url: 'https://mcp.example.com/mcp',
        args: [],
        prefix: 'collision',
        include: [],
        exclude: [],
        required: false,
        timeout: 60_000,
        connectTimeout: 10_000,
        resourceTools: false,
        promptTools: false,
        enabled: true,
      },
    ]);
  });

  it('lets the configuration override code and add servers', () => {
    const source = nested({
      github: { 'connect-timeout': '2s', headers: { 'x-key': 'k' } },
      local: { command: 'node', args: 'server.js,--quiet', env: 'REGION=eu' },
      off: { enabled: 'false' },
    });
    const { servers, problems } = readServers({ servers: [GITHUB] }, source);
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      { name: 'github', connectTimeout: 2000, headers: { 'x-key': 'k' } },
      { name: 'local', command: 'node', args: ['server.js', '--quiet'], env: { REGION: 'eu' } },
    ]);
  });

  it('reads environment variables, whose names are spelled with hyphens', () => {
    const source = environment({
      AI_MCP_SERVERS_MY_CRM_URL: 'https://crm.example.com/mcp',
      AI_MCP_SERVERS_MY_CRM_CONNECT_TIMEOUT: '3s',
      AI_MCP_SERVERS_GITHUB_REQUIRED: 'true',
    });
    const { servers, problems } = readServers({ servers: [GITHUB] }, source);
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      { name: 'github', required: true },
      { name: 'my-crm', url: 'https://crm.example.com/mcp', connectTimeout: 3000 },
    ]);
  });

  it('collects all mistakes, each with the server and the remedy', () => {
    const servers = [
      { name: 'nothing' },
      { name: 'both', url: 'https://a.example.com', command: 'node' },
      { name: 'sp ace', command: 'node' },
      { name: 'twice', command: 'node' },
      { name: 'twice', command: 'deno' },
      { name: 'typo', command: 'node', timeOut: 3 },
      { name: 'useless', command: 'node', headers: { a: 'b' } },
      { url: 'https://a.example.com' },
    ];
    expect(problemsOf(servers)).toEqual([
      "Server 8 of McpClientModule has no name. Give it one that your application uses, such as 'github'.",
      "Two MCP servers are named 'twice'. Give each its own name.",
      "The MCP server 'nothing' has neither a url nor a command. Set ai.mcp.servers.nothing.url to its address, or ai.mcp.servers.nothing.command to the program that starts it.",
      "The MCP server 'both' has a url and a command. Remove one of them.",
      'The name of the MCP server "sp ace" cannot be used. Use 1 to 32 letters, digits, hyphens and underscores.',
      expect.stringMatching(/^The MCP server 'typo' has no option 'timeOut'\. Known: name, url, /),
      "The MCP server 'useless' has a command, so ai.mcp.servers.useless.headers has no effect. Remove it.",
    ]);
  });

  it.each([
    ['ftp://s3cret.example.com'],
    ['not an address s3cret'],
    ['https://user:s3cret@example.com'],
    ['https:///s3cret'],
    ['javascript:s3cret'],
    [42],
  ])('refuses the address %p without showing it', (url) => {
    const problems = problemsOf([{ name: 'demo', url }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^The property ai\.mcp\.servers\.demo\.url has a value that is not allowed\./);
    expect(problems[0]).not.toContain('s3cret');
  });

  it.each([
    ['headers', { 'bad name': 's3cret' }],
    ['headers', { name: 's3cret\r\nx-injected: 1' }],
    ['headers', ['s3cret']],
    ['env', { 'A=B': 's3cret' }],
    ['env', { A: 's3cret\0' }],
    ['args', { a: 's3cret' }],
  ])('refuses %s %j without showing the value', (key, value) => {
    const target = key === 'headers' ? { url: 'https://a.example.com' } : { command: 'node' };
    const problems = problemsOf([{ name: 'demo', ...target, [key]: value }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`ai.mcp.servers.demo.${key} has a value that is not allowed`);
    expect(problems[0]).not.toContain('s3cret');
  });

  it.each(['my_crm', 'myCrm'])('names servers that share their environment variables: my-crm and %s', (other) => {
    const servers = ['my-crm', other].map((name) => ({ name, command: 'node' }));
    expect(problemsOf(servers)).toEqual([
      `The MCP servers 'my-crm' and '${other}' have the same environment variables AI_MCP_SERVERS_MY_CRM_*. Rename one of them.`,
    ]);
  });

  it('reports unknown keys of the configuration', () => {
    const problems = problemsOf([], nested({ demo: { command: 'node', conect_timeout: 1, 'time-out': 2 } }));
    expect(problems.join()).toContain(
      'ai.mcp.servers.demo.time-out is not known. Did you mean ai.mcp.servers.demo.timeout?',
    );
  });

  it.each([
    [null],
    [[]],
    ['text'],
    [{ servers: {} }],
    [{ server: [] }],
    [{ servers: [null] }],
    [{ servers: [{ name: '__proto__', command: 'a' }, { name: '' }] }],
  ])('survives the options %j', (options) => {
    expect(readServers(options as never, undefined)).toMatchObject({
      servers: expect.any(Array),
      problems: expect.any(Array),
    });
  });
});
