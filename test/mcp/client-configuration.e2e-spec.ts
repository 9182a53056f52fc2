import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { AiModule } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { McpClientModule, McpCredentials, McpSessions } from '@nestor-ai/mcp';
import { clientApplication, closeApplications } from './fixtures/client-application.js';
import { inProcessServer } from './fixtures/in-process-server.js';

afterEach(closeApplications);

describe('McpClientModule', () => {
  it('reports all mistakes at once when the application starts', async () => {
    const servers = [{ name: 'one' }, { name: 'two', url: 'https://a.example.com', command: 'node' }];
    await expect(clientApplication(servers)).rejects.toMatchObject({
      name: 'AiBootstrapException',
      problems: [
        expect.stringContaining("'one' has neither"),
        expect.stringContaining("'two' has a url and a command"),
      ],
    });
  });

  it('takes options from a factory, and credentials with dependencies', async () => {
    @Injectable()
    class Vault {
      readonly token = 'of the vault';
    }
    @Injectable()
    class VaultCredentials extends McpCredentials {
      constructor(private readonly vault: Vault) {
        super();
      }
      override credentialOf() {
        return { key: 'user', authProvider: { token: () => Promise.resolve(this.vault.token) } };
      }
    }
    const server = inProcessServer();
    const tokens = new Set<string | null>();
    server.intercept = (request) => void tokens.add(request.headers.get('authorization'));
    const module = McpClientModule.forRootAsync({
      useFactory: () => ({ servers: [{ name: 'demo', url: 'https://demo.example.com/mcp', fetch: server.fetch }] }),
      providers: [Vault, { provide: McpCredentials, useClass: VaultCredentials }],
    });
    const application = await Test.createTestingModule({ imports: [module] }).compile();
    await application.init();
    await application.get(McpSessions).session('demo', {});
    expect([...tokens]).toEqual(['Bearer of the vault']);
    await application.close();
  });

  it('reads ai.mcp.servers beside the properties of AiModule', async () => {
    const configuration = () => ({
      'ai.mcp.servers.flat.command': 'node',
      ai: { mcp: { servers: { nested: { command: 'node' } } } },
    });
    const application = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [configuration] }),
        AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }),
        McpClientModule.forRoot(),
      ],
    }).compile();
    await application.init();
    expect(application.get(McpSessions).servers.map(({ name }) => name)).toEqual(['nested', 'flat']);
    await application.close();
  });

  it('names the known servers if a name is wrong', async () => {
    const { sessions } = await clientApplication([{ name: 'github', command: 'node' }]);
    await expect(sessions.session('gitlab', {})).rejects.toThrow(
      "There is no MCP server 'gitlab'. Known: github. Add it to the option servers of McpClientModule, or as ai.mcp.servers.gitlab.",
    );
  });
});
