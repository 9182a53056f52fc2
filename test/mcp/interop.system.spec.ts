import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ServerModule } from './conformance/server.module.js';

/** What the clients of both SDKs have in common. */
type AnyClient = Pick<
  Client,
  'listTools' | 'callTool' | 'listResources' | 'readResource' | 'listPrompts' | 'getPrompt' | 'complete' | 'close'
>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = {
  command: process.execPath,
  args: ['--import', './apps/from-sources.mjs', 'test/mcp/conformance/stdio-server.ts'],
  cwd: ROOT,
};
const INFO = { name: 'interop', version: '1.0.0' };

let app: INestApplication;
let client: AnyClient | undefined;

beforeAll(async () => {
  app = (await Test.createTestingModule({ imports: [ServerModule] }).compile()).createNestApplication();
  await app.listen(0, '127.0.0.1');
});
afterEach(() => client?.close());
afterAll(() => app.close());

const urlOf = async (): Promise<URL> => new URL(`${await app.getUrl()}/mcp`);

/** A client of the SDK v2 that speaks the newest protocol of the server, or only that of 2025. */
async function v2(mode: 'auto' | 'legacy', isHttp: boolean): Promise<AnyClient> {
  const made = new Client(INFO, { versionNegotiation: { mode } });
  await made.connect(isHttp ? new StreamableHTTPClientTransport(await urlOf()) : new StdioClientTransport(PROGRAM));
  expect(made.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
  return made;
}

async function v1(isHttp: boolean): Promise<AnyClient> {
  const made = new ClientV1(INFO);
  const transport = isHttp ? new HttpTransportV1(await urlOf()) : new StdioClientTransportV1(PROGRAM);
  await made.connect(transport as Parameters<typeof made.connect>[0]);
  // Its second parameter is a schema.
  const callTool = made.callTool.bind(made);
  return Object.assign(made as unknown as AnyClient, {
    callTool: (params: Parameters<typeof callTool>[0], options: Parameters<typeof callTool>[2]) =>
      callTool(params, undefined, options),
  }) as AnyClient;
}

describe.each<[string, () => Promise<AnyClient>]>([
  ['SDK v2, protocol 2026-07-28, HTTP', () => v2('auto', true)],
  ['SDK v2, protocol 2025-11-25, HTTP', () => v2('legacy', true)],
  ['SDK v1, HTTP', () => v1(true)],
  ['SDK v2, protocol 2026-07-28, stdio', () => v2('auto', false)],
  ['SDK v2, protocol 2025-11-25, stdio', () => v2('legacy', false)],
  ['SDK v1, stdio', () => v1(false)],
])('the official client: %s', (_name, connect) => {
  it('lists and calls tools, reads resources, gets prompts and completes arguments', async () => {
    client = await connect();

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('test_simple_text');
    const { content } = await client.callTool({ name: 'test_multiple_content_types', arguments: {} });
    expect(content).toMatchObject([{ type: 'text' }, { type: 'image' }, { type: 'resource' }]);
    const failed = await client.callTool({ name: 'test_error_handling', arguments: {} });
    expect(failed.isError).toBe(true);

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('test://static-text');
    const { contents } = await client.readResource({ uri: 'test://template/123/data' });
    expect(contents).toMatchObject([{ uri: 'test://template/123/data', mimeType: 'application/json' }]);

    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('test_simple_prompt');
    const args = { arg1: 'hello', arg2: 'world' };
    const { messages } = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: args });
    expect(messages).toMatchObject([{ content: { text: "Prompt with arguments: arg1='hello', arg2='world'" } }]);

    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    });
    expect(completion.values).toEqual(['paris', 'party']);
  });

  it('receives progress', async () => {
    client = await connect();
    const reported: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void reported.push(progress);
    await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, { onprogress });
    expect(reported).toHaveLength(3);
  });
});
