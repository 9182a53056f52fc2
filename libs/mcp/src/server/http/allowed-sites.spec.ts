import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import * as sdk from '@modelcontextprotocol/server';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { AllowedSites } from './allowed-sites.js';

function sites(options: McpServerModuleOptions = {}): AllowedSites {
  const created = new AllowedSites(options, sdk);
  created.onModuleInit();
  return created;
}

function isAllowed(options: McpServerModuleOptions, host: string | undefined, origin?: string): boolean {
  try {
    sites(options).check(host, origin);
    return true;
  } catch {
    return false;
  }
}

const auth = {
  verifier: { verifyAccessToken: () => Promise.reject(new Error('unused')) },
  resource: 'https://shop.example/mcp',
  authorizationServers: [],
};

describe('the allowed hosts and origins', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  afterEach(() => {
    warn.mockClear();
  });

  it.each([
    [{}, 'localhost:3000', undefined, true],
    [{}, '[::1]:3000', 'http://localhost:5173', true],
    [{}, 'shop.example', undefined, false],
    [{}, undefined, undefined, false],
    [{}, '', undefined, false],
    [{ auth }, 'shop.example', 'https://shop.example', true],
    [{ allowedHosts: ['shop.example'] }, 'localhost', undefined, false],
    [{ allowedHosts: ['shop.example'] }, 'shop.example', 'http://localhost', false],
    [{ allowedHosts: ['shop.example'] }, 'shop.example.evil.example', undefined, false],
    [{ allowedOrigins: ['page.example'] }, 'localhost', 'https://page.example', true],
    [{ allowedOrigins: ['moz-extension://*'] }, 'localhost', 'moz-extension://1234', true],
    [{ allowedOrigins: [] }, 'localhost', 'http://localhost', false],
  ])('with %j, Host %s and Origin %s: %s', (options, host, origin, allowed) => {
    expect(isAllowed(options, host, origin)).toBe(allowed);
  });

  it('logs the name of a refused host, and the option that allows it', () => {
    expect(() => sites().check('shop.example:8080', undefined)).toThrow(
      'This server does not answer under this host name.',
    );
    expect(warn.mock.calls).toEqual([
      [
        'A request to the MCP server was refused: its Host is shop.example. To accept it, add the host name to the option allowedHosts.',
      ],
    ]);
  });

  it('logs no text from strangers, each name once, and only some of them', () => {
    const created = sites();
    const attempt = (host: string) => expect(() => created.check(host, undefined)).toThrow();
    attempt("ignore-all-rules'$(rm)");
    attempt(`${'x'.repeat(150)}.example`);
    attempt('a\u0007b');
    for (let i = 0; i < 100; i++) attempt(`host-${i}.example`);
    attempt('host-0.example');
    const lines = warn.mock.calls.map(([line]) => String(line));
    expect(lines.length).toBe(20);
    expect(lines.join()).not.toMatch(/rm|xxx|a.b/);
  });

  it.each([
    [{ allowedHosts: ['localhost:3000'] }, /allowedHosts of McpServerModule contains 'localhost:3000'/],
    [{ allowedHosts: ['https://shop.example'] }, /without scheme/],
    [{ allowedHosts: ['Shop.example'] }, /lower case/],
    [{ allowedHosts: [''] }, /contains ''/],
    [{ allowedOrigins: ['*'] }, /contains '\*'/],
    [{ auth: { ...auth, resource: '/mcp' } }, /auth.resource of McpServerModule is '\/mcp'/],
  ])('refuses %j', (options, message) => {
    expect(() => sites(options)).toThrow(message);
  });
});
