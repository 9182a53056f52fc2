import { describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatMemoryRepository } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { McpNotifier } from './mcp-notifier.js';
import { McpServerModule } from './mcp-server.module.js';

const auth = { resource: 'https://shop.example/mcp', authorizationServers: [] };

@Injectable()
class Verifier {
  verifyAccessToken = () => Promise.reject(new Error('unused'));
}

@Injectable({ scope: Scope.REQUEST })
class ScopedVerifier extends Verifier {}

const ai = () => AiModule.forRoot({ chatModel: new ScriptedChatModel([]) });

type Options = Parameters<typeof McpServerModule.forRoot>[0];

async function start(options: Options, providers = [] as never[]): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [ai(), McpServerModule.forRoot(options)],
    providers,
  }).compile();
  const app = module.createNestApplication({ logger: false });
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

describe('McpServerModule', () => {
  it('starts without options, and takes a verifier from the application', async () => {
    await start({});
    await start({ auth: { ...auth, verifier: Verifier } }, [Verifier] as never[]);
  });

  it.each([
    [{ maxBodySize: 0 }, [], /maxBodySize of McpServerModule is 0/],
    [{ maxBodySize: Number.NaN }, [], /maxBodySize of McpServerModule is NaN/],
    [{ auth: { ...auth, verifier: Verifier } }, [], /cannot use Verifier, its option auth.verifier. Provide it/],
    [{ auth: { ...auth, verifier: ScopedVerifier } }, [ScopedVerifier], /in the default scope/],
    [{ alowedHosts: ['shop.example'] }, [], /McpServerModule has no option 'alowedHosts'. Known: name, /],
    [{ tools: [Verifier] }, [], /tools of McpServerModule is no query. Write toolsWhere/],
    [{ auth: {} }, [], /auth\.verifier .* missing[\s\S]*auth\.resource .* missing[\s\S]*auth\.authorizationServers/],
  ])('refuses %j', async (options, providers, message) => {
    await expect(start(options as Options, providers as never[])).rejects.toThrow(message);
  });

  it.each([
    [{ guards: [] }, /returned the option guards. Write it beside useFactory/],
    [{ path: '/tools' }, /returned the option path. Write it beside useFactory/],
  ])('refuses %j of a factory', async (options, message) => {
    const imports = [ai(), McpServerModule.forRootAsync({ useFactory: () => options as never })];
    await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(message);
  });

  it('warns if clients get nothing', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const module = await Test.createTestingModule({ imports: [ai(), McpServerModule.forRoot()] }).compile();
    const app = module.createNestApplication();
    await app.init();
    expect(warn.mock.calls.map(([line]) => String(line))).toContainEqual(
      expect.stringContaining('MCP clients get no tools, resources or prompts of this application.'),
    );
    await app.close();
    warn.mockRestore();
  });

  it.each([{ http: true }, { http: false }])('says that it needs AiModule: %j', async (options) => {
    await expect(Test.createTestingModule({ imports: [McpServerModule.forRoot(options)] }).compile()).rejects.toThrow(
      'McpServerModule needs AiModule. Import AiModule.forRoot() in your root module.',
    );
  });

  it('leaves errors of AiModule as they are', async () => {
    const failing = {
      provide: ChatMemoryRepository,
      useFactory: (): never => {
        throw new Error('No database.');
      },
    };
    const imports = [
      McpServerModule.forRoot(),
      AiModule.forRoot({ chatModel: new ScriptedChatModel([]), providers: [failing] }),
    ];
    await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow('No database.');
  });

  it('has no controller without HTTP', () => {
    expect(McpServerModule.forRoot({ http: false }).controllers).toEqual([]);
    expect(McpServerModule.forRootAsync({ http: false, useFactory: () => ({}) }).controllers).toEqual([]);
  });

  it('publishes events on the bus of the application', async () => {
    const published: unknown[] = [];
    const bus = { publish: (event: unknown) => published.push(event), subscribe: () => () => undefined };
    const module = await Test.createTestingModule({ imports: [ai(), McpServerModule.forRoot({ bus })] }).compile();
    const notifier = module.get(McpNotifier);
    notifier.toolsChanged();
    notifier.promptsChanged();
    notifier.resourcesChanged();
    notifier.resourceUpdated('shop://1');
    expect(published).toEqual([
      { kind: 'tools_list_changed' },
      { kind: 'prompts_list_changed' },
      { kind: 'resources_list_changed' },
      { kind: 'resource_updated', uri: 'shop://1' },
    ]);
  });
});
