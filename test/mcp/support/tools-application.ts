import { afterAll } from '@jest/globals';
import { Global, Module, type Provider } from '@nestjs/common';
import type { AiModule } from '@nestor-ai/core';
import type { ScriptEntry } from '@nestor-ai/testing';
import { McpServers, McpToolCallbackProvider } from '@nestor-ai/mcp';
import { McpSessions } from '../../../libs/mcp/src/client/connection/mcp-session.js';
import { type Scene, startApplication } from '../../nest/application.js';
import { type TestServer, TestSessions } from './test-sessions.js';

export interface McpScene extends Scene {
  readonly sessions: TestSessions;
}

const opened: TestSessions[] = [];
afterAll(async () => {
  for (const sessions of opened.splice(0)) {
    await sessions.close();
    for (const { remote } of sessions.servers) await remote?.close();
  }
});

/** An application with AiModule, a scripted model, and the tools of servers. */
export async function startWithServers(
  servers: readonly TestServer[],
  script: readonly ScriptEntry[] = Array<string>(20).fill('Fine.'),
  { providers = [], ...options }: Parameters<typeof AiModule.forRoot>[0] & { providers?: Provider[] } = {},
): Promise<McpScene> {
  const sessions = new TestSessions(servers);
  opened.push(sessions);
  @Global()
  @Module({
    providers: [{ provide: McpSessions, useValue: sessions }, McpToolCallbackProvider, McpServers],
    exports: [McpToolCallbackProvider, McpServers],
  })
  class ServersModule {}
  const scene = await startApplication({ imports: [ServersModule], providers }, script, options);
  return { ...scene, sessions };
}
