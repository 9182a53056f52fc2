import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type ToolResponse, ToolResponseMessage, type TurnEvent } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { freePort } from '../free-port.mjs';
import { offeredTools } from '../nest/application.js';
import { type McpScene, startWithServers } from './support/tools-application.js';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const serverWith = (transport: () => Transport | Promise<Transport>) => ({
  name: 'everything',
  transport,
  resourceTools: true,
  promptTools: true,
});
const overStdio = serverWith(
  () => new StdioClientTransport({ command: process.execPath, args: [program, 'stdio'], stderr: 'ignore' }),
);

/** The server over HTTP. It listens on a port that was free. */
let listening: ChildProcess | undefined;
const overHttp = serverWith(async () => {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  listening ??= spawn(process.execPath, [program, 'streamableHttp'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(listening.stderr!)) if (line.includes('listening')) break;
  return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
});
afterAll(() => void listening?.kill());

/** Each tool of the server that does not ask the user: its arguments, and what the model reads. */
const CALLS: Readonly<Record<string, readonly [input: object, told: RegExp, more?: Partial<ToolResponse>]>> = {
  echo: [{ message: 'hello' }, /^Echo: hello$/],
  'get-annotated-message': [{ messageType: 'success', includeImage: true }, /\[image\/png, \d+ kB\]|\[image\/png/],
  'get-env': [{}, /"PATH"/],
  'get-resource-links': [{ count: 2 }, /^Here are 2 resource links.*\n\[resource .*\n\[resource /],
  'get-resource-reference': [{ resourceType: 'Text', resourceId: 1 }, /\[resource demo:.*1\]\n/],
  'get-structured-content': [{ location: 'Chicago' }, /"temperature":/],
  'get-sum': [{ a: 2, b: 3 }, /The sum of 2 and 3 is 5/],
  'get-tiny-image': [{}, /\[image\/png, /],
  'gzip-file-as-resource': [
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    /\[resource .*a\.gz\] \[a\.gz, application\/gzip, \d+ bytes\]/,
  ],
  'toggle-simulated-logging': [{}, /logging/],
  'toggle-subscriber-updates': [{}, /./],
  'trigger-long-running-operation': [{ duration: 1, steps: 5 }, /Long running operation completed/],
  // The server runs it only as a task, which protocol 2026-07-28 no longer has.
  'simulate-research-query': [{ topic: 'tea' }, /requires task augmentation/, { isError: true }],
};

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
])('the tools of server-everything over %s', (_name, everything) => {
  let scene: McpScene;
  let responses: ToolResponse[];
  let events: TurnEvent[];

  beforeAll(async () => {
    const names = Object.keys(CALLS);
    const script = [...names.map((name) => ({ toolCalls: [toolCall(name, CALLS[name]![0])] })), 'Done.'];
    scene = await startWithServers([everything], script);
    events = [];
    for await (const event of scene.client.prompt('Go').stream().events()) events.push(event as TurnEvent);
    responses = scene.model
      .lastPrompt!.messages.filter((message) => message.role === 'tool')
      .flatMap((message) => (message as ToolResponseMessage).responses);
  });

  it('are all offered', () => {
    const own = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt'].map((name) => `everything_${name}`);
    const asking = ['trigger-elicitation-request', 'trigger-url-elicitation'];
    expect(offeredTools(scene.model).toSorted()).toEqual([...Object.keys(CALLS), ...asking, ...own].toSorted());
  });

  it.each(Object.entries(CALLS))('answer: %s', (name, [, told, more = {}]) => {
    const response = responses.find((candidate) => candidate.name === name)!;
    expect(response.responseData).toMatch(told);
    expect(response).toMatchObject({ untrusted: true, ...more });
  });

  it('report progress', () => {
    const values = events.flatMap((event) => (event.type === 'tool-progress' ? [event.value] : []));
    // The SDK may drop reports that arrive together with the result.
    expect(values).toContainEqual({ progress: 1, total: 5 });
  });
});

it('the resources and prompts of server-everything are read by tools', async () => {
  const script = [
    { toolCalls: [toolCall('everything_list_resources')] },
    { toolCalls: [toolCall('everything_list_prompts')] },
    { toolCalls: [toolCall('everything_get_prompt', { name: 'args-prompt', arguments: { city: 'Oslo' } })] },
    'Done.',
  ];
  const { client, model } = await startWithServers([overStdio], script);
  await client.prompt('Go').call().content();
  expect(model.toolResponses[0]).toMatch(/^\[resource /);
  expect(model.toolResponses[1]).toContain('args-prompt(city, state?)');
  expect(model.toolResponses[2]).toMatch(/^user: .*Oslo/);
});
