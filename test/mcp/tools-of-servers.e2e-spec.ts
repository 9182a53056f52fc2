import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolProviderStatus, ToolRegistry, type ToolResponseMessage, type TurnEvent } from '@nestor-ai/core';
import { inputRequired } from '@modelcontextprotocol/server';
import { toolCall } from '@nestor-ai/testing';
import { type McpRequestException, McpServers, McpToolCallbackProvider } from '@nestor-ai/mcp';
import { withoutWaiting } from '../fake-timeouts.js';
import { askForResult, callOf, offeredTools, resultOf } from '../nest/application.js';
import { Remote, remoteTool, saying } from './support/remote.js';
import { type McpScene, startWithServers } from './support/tools-application.js';

const PNG = 'iVBORw0KGgo=';
const ann = { user: 'ann' };
const bob = { user: 'bob' };

async function offered({ client, model }: McpScene, request?: object): Promise<string[]> {
  await client.prompt('Go').request(request).call().content();
  return offeredTools(model);
}

/** The response of the last call, as the model got it. */
const responseOf = ({ model }: McpScene) => (model.lastPrompt!.messages.at(-1) as ToolResponseMessage).responses[0]!;

/** Calls `tool` of a server that answers with a result. */
async function resultFor(result: unknown, more: object = {}): Promise<McpScene> {
  const remote = new Remote(remoteTool('tool', more));
  remote.call = () => result;
  const scene = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
  await scene.client.prompt('Go').call().content();
  return scene;
}

describe('the tools of a server', () => {
  it('are tools of the application, called with the arguments of the model', async () => {
    const remote = new Remote(
      remoteTool('weather', {
        title: 'The weather',
        description: 'Tells the weather',
        annotations: { readOnlyHint: true, destructiveHint: false },
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      }),
    );
    remote.call = ({ input }) => saying(`Rain in ${String(input.city)}`);
    const scene = await startWithServers([{ name: 'sky', remote }], callOf('weather', { city: 'Oslo' }));
    expect(await askForResult(scene)).toBe('Rain in Oslo');
    const [tool] = scene.model.lastPrompt!.options!.toolCallbacks!;
    expect(tool!.toolDefinition).toMatchObject({ name: 'weather', description: 'Tells the weather' });
    expect(tool!.toolMetadata).toMatchObject({
      untrusted: true,
      effect: 'write',
      mcp: {
        server: 'sky',
        name: 'weather',
        title: 'The weather',
        annotations: { readOnlyHint: true, destructiveHint: false },
      },
    });
    expect(responseOf(scene).untrusted).toBe(true);
  });

  it('are not called with arguments that their schema forbids', async () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const remote = new Remote(remoteTool('weather', { inputSchema }));
    const scene = await startWithServers([{ name: 'sky', remote }], callOf('weather', {}));
    expect(await askForResult(scene)).toContain("'city'");
    expect(remote.calls).toEqual([]);
  });

  it('are the same objects for each request, until the list changes', async () => {
    const remote = new Remote('one');
    const { app, sessions } = await startWithServers([{ name: 'remote', remote }]);
    const registry = app.get(ToolRegistry);
    const before = await registry.currentCallbacks();
    expect(await registry.currentCallbacks()).toBe(before);
    await sessions.changed();
    expect((await registry.currentCallbacks())[0]).not.toBe(before[0]);
  });

  it('are selected by include and exclude, each once', async () => {
    const remote = new Remote('get_issue', 'get_secret', 'delete_issue', remoteTool('get_issue', { title: 'again' }));
    const server = { name: 'remote', remote, include: ['get_*'], exclude: ['*secret'] };
    const scene = await startWithServers([server]);
    expect(await offered(scene)).toEqual(['get_issue']);
    expect(scene.app.get(ToolProviderStatus).problems).toEqual([]);
  });

  it('are all of them if include is empty', async () => {
    const scene = await startWithServers([{ name: 'remote', remote: new Remote('one', 'two'), include: [] }]);
    expect(await offered(scene)).toEqual(['one', 'two']);
  });

  it('do not print the headers of their server', async () => {
    const server = { name: 'remote', remote: new Remote('one'), headers: { authorization: 'SECRET' } };
    const { app } = await startWithServers([server]);
    const { parts } = app.get(McpToolCallbackProvider);
    const tools = await app.get(ToolRegistry).currentCallbacks();
    expect(inspect([parts, tools], { depth: 9 })).not.toContain('SECRET');
  });

  it('get names that models accept, and the server is called by its own', async () => {
    const long = `list/${'x'.repeat(100)}`;
    const remote = new Remote('get.user name', long);
    const scene = await startWithServers([{ name: 'remote', remote }], callOf('get_user_name'));
    await scene.client.prompt('Go').call().content();
    const [first, second] = offeredTools(scene.model);
    expect(first).toBe('get_user_name');
    expect(second).toMatch(/^list_x+_[0-9a-f]{8}$/);
    expect(`remote_${second}`).toHaveLength(64);
    expect(remote.calls[0]!.name).toBe('get.user name');
  });

  it('can be the only tools of a request', async () => {
    @Injectable()
    class Own {
      @Tool() own() {}
    }
    const remotes = [new Remote('one'), new Remote('one')].map((remote, at) => ({ name: `remote${at}`, remote }));
    const { app, client, model } = await startWithServers(remotes, undefined, { providers: [Own] });
    await client.prompt('Go').tools(app.get(McpToolCallbackProvider)).call().content();
    expect(offeredTools(model)).toEqual(['one', 'remote1_one']);
  });
});

describe('the prefix of a server', () => {
  @Injectable()
  class Own {
    @Tool() search() {
      return 'own';
    }
  }

  it.each([
    ['collision', ['search', 'one_search', 'read', 'two_read']],
    ['always', ['search', 'one_search', 'one_read', 'two_read']],
    ['never', ['search', 'read']],
  ] as const)('%s', async (prefix, names) => {
    const servers = [
      { name: 'one', prefix, remote: new Remote('search', 'read') },
      { name: 'two', prefix, remote: new Remote('read') },
    ];
    expect(await offered(await startWithServers(servers, undefined, { providers: [Own] }))).toEqual(names);
  });
});

describe('a caller', () => {
  it('gets the tools of their own list, and calls with their own credential', async () => {
    const remote = new Remote('shared');
    remote.intercept = async (request) => {
      const user = request.headers.get('x-user');
      remote.tools = [remoteTool('shared'), remoteTool(`of_${user}`)];
      return undefined;
    };
    remote.call = ({ caller }) => saying(`as ${caller.requestInfo!.headers.get('x-user')}`);
    const scene = await startWithServers(
      [{ name: 'remote', remote }],
      ['x', 'x', ...callOf('shared'), ...callOf('shared')],
    );
    expect(await offered(scene, ann)).toEqual(['shared', 'of_ann']);
    expect(await offered(scene, bob)).toEqual(['shared', 'of_bob']);
    await scene.client.prompt('Go').request(bob).call().content();
    expect(resultOf(scene)).toBe('as bob');
    // A tool of somebody else's list is called with the credential of the caller.
    const [, ofBob] = await scene.app.get(ToolRegistry).currentCallbacks(bob);
    expect(ofBob!.toolDefinition.name).toBe('of_bob');
    await scene.client.prompt('Go').request(ann).call().content();
    expect(resultOf(scene)).toBe('as ann');
  });
});

describe('the result of a call', () => {
  it('is structured content as value, with its text or its JSON for the model', async () => {
    const structuredContent = { total: 3 };
    expect(responseOf(await resultFor({ content: [], structuredContent }))).toMatchObject({
      responseData: '{"total":3}',
    });
    const described = await resultFor(saying('Three.', { structuredContent }));
    expect(responseOf(described).responseData).toBe('Three.');
    const [tool] = await described.app.get(ToolRegistry).currentCallbacks();
    expect(await tool!.call('{}')).toMatchObject({ text: 'Three.', value: structuredContent });
  });

  it('may have images, recordings, files and links', async () => {
    const scene = await resultFor({
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.md', text: '# A' } },
        { type: 'resource', resource: { uri: 'file:///b/c.pdf', blob: 'AAAA', mimeType: 'application/pdf' } },
        { type: 'resource_link', uri: 'file:///d', name: 'D', mimeType: 'text/plain', description: 'the fourth' },
      ],
    });
    const { responseData, content } = responseOf(scene);
    expect(responseData.split('\n')).toEqual([
      'Look:',
      '[image/png, 9 bytes]',
      '[audio/wav, 3 bytes]',
      '[resource file:///a.md]',
      '# A',
      '[resource file:///b/c.pdf] [c.pdf, application/pdf, 3 bytes]',
      '[resource file:///d] D (text/plain): the fourth',
    ]);
    expect(content).toEqual([
      { type: 'image', mimeType: 'image/png', data: PNG },
      { type: 'file', mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'file', mimeType: 'application/pdf', data: 'AAAA', name: 'c.pdf' },
    ]);
  });

  it.each([
    ['nothing', { content: [] }, 'Done. Nothing was returned.', undefined],
    ['an error', saying('no such city', { isError: true }), 'no such city', true],
    ['an error without a text', { content: [], isError: true }, 'The tool failed without a reason.', true],
  ])('may be %s', async (_what, result, text, isError) => {
    expect(responseOf(await resultFor(result))).toMatchObject({ responseData: text, ...(isError && { isError }) });
  });

  it.each([
    ['content of an unknown type', { content: [{ type: 'hologram' }] }],
    ['data that is no base64', { content: [{ type: 'image', data: 'https://evil.example', mimeType: 'image/png' }] }],
    ['no list', { content: 'text' }],
  ])('is refused in readable words if it has %s', async (_what, result) => {
    const remote = new Remote('tool');
    remote.answerUnchecked(result);
    const scene = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    expect(await askForResult(scene)).toBe(
      "The MCP server 'remote' answered in a form that this application cannot read. The call may have run.",
    );
  });

  it('may have structured content that its schema forbids, since the model reads it as text', async () => {
    const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
    const scene = await resultFor({ content: [], structuredContent: { total: 'x' } }, { outputSchema });
    expect(responseOf(scene).responseData).toBe('{"total":"x"}');
  });

  it('is never reused', async () => {
    const remote = new Remote('tool');
    const scene = await startWithServers([{ name: 'remote', remote }], [...callOf('tool'), ...callOf('tool')]);
    await askForResult(scene);
    await askForResult(scene);
    expect(remote.calls).toHaveLength(2);
  });
});

describe('a call', () => {
  it('reports its progress, up to a number of reports', async () => {
    const remote = new Remote('tool');
    remote.call = async ({ progress }) => {
      await progress(1, { total: 2, message: `half ${'x'.repeat(9999)}` });
      for (let at = 2; at < 1500; at++) await progress(at);
      return saying('done');
    };
    const { client } = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    const events: TurnEvent[] = [];
    for await (const event of client.prompt('Go').stream().events()) events.push(event as TurnEvent);
    const values = events.flatMap((event) => (event.type === 'tool-progress' ? [event.value] : []));
    expect(values[0]).toEqual({ progress: 1, total: 2, message: expect.stringMatching(/^half x{495}$/) });
    expect(values).toHaveLength(1000);
  });

  it('is cancelled at the server when the caller leaves', async () => {
    const remote = new Remote('tool');
    const gone = new AbortController();
    let cancelled!: () => void;
    const ended = new Promise<void>((resolve) => (cancelled = resolve));
    remote.call = ({ signal }) => {
      signal.addEventListener('abort', () => cancelled());
      gone.abort(new Error('gone'));
      return new Promise(() => undefined);
    };
    const { client } = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    await expect(client.prompt('Go').options({ signal: gone.signal }).call().content()).rejects.toThrow('gone');
    await ended;
  });

  it('ends after the timeout of the server', async () => {
    const remote = new Remote('tool');
    remote.call = () => new Promise(() => undefined);
    const scene = await startWithServers([{ name: 'remote', remote, timeout: 20 }], callOf('tool'));
    expect(await askForResult(scene)).toBe("The MCP server 'remote' did not answer in time. The call may have run.");
  });

  it.each<[string, (report: () => Promise<void>) => unknown]>([
    [
      'reports progress for ever',
      async (report) => {
        for (;;) await report();
      },
    ],
    [
      'reports progress for a long time, and then wants to be asked again',
      async (report) => {
        for (let at = 0; at < 100; at++) await report();
        return inputRequired({ requestState: 'later' });
      },
    ],
  ])('ends after 60 times the timeout, and is cancelled at the server, if that %s', async (_what, answer) => {
    const remote = new Remote('tool');
    let reports = 0;
    remote.call = ({ progress }) =>
      answer(async () => {
        await setTimeout(500);
        await progress(++reports);
      });
    const scene = await startWithServers([{ name: 'remote', remote, timeout: 1000 }], callOf('tool'));
    expect(await withoutWaiting(() => askForResult(scene))).toBe(
      "The MCP server 'remote' did not answer in time. The call may have run.",
    );
    expect(reports).toBeGreaterThan(100);
    expect(reports).toBeLessThan(130);
    expect(remote.calls.at(-1)!.signal.aborted).toBe(true);
  });

  it('says what the server says when it refuses', async () => {
    const remote = new Remote('tool');
    remote.call = () => Promise.reject(new Error('quota exceeded'));
    const scene = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    expect(await askForResult(scene)).toMatch(/^The MCP server 'remote' refused the call \(-32603\): .*quota exceeded/);
    expect(responseOf(scene)).toMatchObject({ isError: true, untrusted: true });
  });

  it.each<[string, () => Response, string]>([
    ['a status', () => new Response('SECRET', { status: 502 }), 'answered with the HTTP status 502.'],
    ['no permission', () => new Response('SECRET', { status: 403 }), 'refuses the credential of this user.'],
    [
      'a broken connection',
      () => {
        throw new TypeError('fetch failed: SECRET');
      },
      'failed. The call may have run.',
    ],
  ])('says nothing of the server when that answers with %s', async (_what, answer, text) => {
    const remote = new Remote('tool');
    remote.intercept = async (request) => ((await request.text()).includes('"tools/call"') ? answer() : undefined);
    const scene = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    const told = await askForResult(scene);
    expect(told).toContain(text);
    expect(told).not.toContain('SECRET');
  });

  it('is repeated once, with a new session, if the server does not know the session', async () => {
    const remote = new Remote('tool');
    let refused = 0;
    remote.intercept = async (request) => {
      if (!(await request.text()).includes('"tools/call"') || refused === 1) return undefined;
      refused++;
      return new Response('', { status: 404 });
    };
    const scene = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    expect(await askForResult(scene)).toBe('result of tool');
    expect(remote.calls).toHaveLength(1);
    refused = -99;
    const lost = await startWithServers([{ name: 'remote', remote }], callOf('tool'));
    expect(await askForResult(lost)).toContain('HTTP status 404');
    expect(refused).toBe(-97);
  });
});

describe('resources and prompts', () => {
  const remote = new Remote();
  remote.resources = ['a', 'b', 'c'].map((name) => ({ uri: `file:///${name}`, name, description: 'one\nline' }));
  remote.read = (uri) => ({ contents: [{ uri, text: 'Hello' }] });
  remote.prompts = [
    { name: 'review', description: 'Reviews', arguments: [{ name: 'number', required: true }, { name: 'tone' }] },
  ];
  remote.get = (name, args) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(args)}` } },
      { role: 'assistant', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
    ],
  });
  const start = (...script: Parameters<typeof startWithServers>[1] & unknown[]) =>
    startWithServers([{ name: 'docs', remote, resourceTools: true, promptTools: true }], script);

  it('are tools that read them', async () => {
    const scene = await start(
      { toolCalls: [toolCall('docs_list_resources')] },
      { toolCalls: [toolCall('docs_list_resources', { cursor: '2' })] },
      { toolCalls: [toolCall('docs_read_resource', { uri: 'file:///a' })] },
      { toolCalls: [toolCall('docs_list_prompts')] },
      { toolCalls: [toolCall('docs_get_prompt', { name: 'review', arguments: { number: '7' } })] },
      'Done.',
    );
    await scene.client.prompt('Go').call().content();
    expect(offeredTools(scene.model)).toEqual([
      'docs_list_resources',
      'docs_read_resource',
      'docs_list_prompts',
      'docs_get_prompt',
    ]);
    expect(scene.model.toolResponses).toEqual([
      '[resource file:///a] a: one line\n[resource file:///b] b: one line\nThere are more. Next cursor: 2',
      '[resource file:///c] c: one line',
      '[resource file:///a]\nHello',
      'review(number, tone?): Reviews',
      'user: review {"number":"7"}\n\nassistant: [image/png, 9 bytes]',
    ]);
    expect(responseOf(scene)).toMatchObject({ untrusted: true, content: [{ type: 'image' }] });
    const [list] = scene.model.lastPrompt!.options!.toolCallbacks!;
    expect(list!.toolMetadata).toMatchObject({ untrusted: true, effect: 'read' });
  });

  it('say when the server refuses', async () => {
    const scene = await start(...callOf('docs_get_prompt', { name: 'review' }));
    remote.get = () => {
      throw new Error('no number');
    };
    expect(await askForResult(scene)).toContain('no number');
  });

  it('fail for code with an error that does not repeat the server', async () => {
    const { app } = await start('x');
    remote.get = () => {
      throw new Error('SECRET');
    };
    const error = await app
      .get(McpServers)
      .getPrompt('docs', 'review')
      .catch((thrown: unknown) => thrown);
    expect(inspect(error)).toContain("The MCP server 'docs' refused the request (-32603). See serverMessage.");
    expect(inspect(error)).not.toContain('SECRET');
    expect((error as McpRequestException).serverMessage).toContain('SECRET');
  });

  it('can be read by code, for a user', async () => {
    const { app, sessions } = await start('x');
    remote.get = () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Review it' } }] });
    const servers = app.get(McpServers);
    expect((await servers.listResources('docs', { request: ann })).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await servers.readResource('docs', 'file:///b')).toEqual({ text: '[resource file:///b]\nHello', parts: [] });
    expect((await servers.listPrompts('docs')).map(({ name }) => name)).toEqual(['review']);
    const [message] = await servers.getPrompt('docs', 'review', { number: '7' }, { request: bob });
    expect(message).toMatchObject({ role: 'user', text: 'Review it' });
    expect(sessions.asked).toEqual(['docs ann', 'docs nobody', 'docs nobody', 'docs bob']);
  });
});
