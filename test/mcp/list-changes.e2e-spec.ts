import { describe, expect, it } from '@jest/globals';
import type { ScriptEntry } from '@nestor-ai/testing';
import { toolCall } from '@nestor-ai/testing';
import { offeredTools } from '../nest/application.js';
import { Remote, remoteTool, saying } from './support/remote.js';
import { type McpScene, startWithServers } from './support/tools-application.js';

const calling = (name: string, input = {}): ScriptEntry => ({ toolCalls: [toolCall(name, input)] });

describe('a server whose list of tools changes during a turn', () => {
  async function start(change: (remote: Remote) => void): Promise<McpScene> {
    const remote = new Remote('update', 'look');
    const script = [calling('update'), calling('look'), 'First.', 'Second.'];
    const scene = await startWithServers([{ name: 'remote', remote }], script);
    remote.call = async ({ name }) => {
      if (name !== 'update') return saying(`result of ${name}`);
      change(remote);
      await scene.sessions.changed();
      return saying('changed');
    };
    expect(await scene.client.prompt('Go').call().content()).toBe('First.');
    return scene;
  }

  it('finishes the turn with the tools it began with, and the next request has the new ones', async () => {
    const scene = await start((remote) => (remote.tools = [...remote.tools, remoteTool('added')]));
    expect(offeredTools(scene.model)).toEqual(['update', 'look']);
    expect(scene.model.toolResponses).toEqual(['changed', 'result of look']);
    await scene.client.prompt('Go').call().content();
    expect(offeredTools(scene.model)).toEqual(['update', 'look', 'added']);
  });

  it('tells the model when a tool is gone', async () => {
    const scene = await start((remote) => (remote.tools = [remoteTool('update'), remoteTool('other')]));
    expect(scene.model.toolResponses[1]).toBe("The MCP server 'remote' refused the call (-32602): Tool look not found");
    await scene.client.prompt('Go').call().content();
    expect(offeredTools(scene.model)).toEqual(['update', 'other']);
  });

  it('calls with the arguments that the turn was offered, which the server checks', async () => {
    const inputSchema = { type: 'object', required: ['place'] };
    const scene = await start((remote) => (remote.tools = [remoteTool('update'), remoteTool('look', { inputSchema })]));
    expect(scene.model.toolResponses).toEqual(['changed', 'result of look']);
    await scene.client.prompt('Go').call().content();
    const [, look] = scene.model.lastPrompt!.options!.toolCallbacks!;
    expect(look!.toolDefinition.inputSchema.required).toEqual(['place']);
  });
});

it('a server that reconnects during a turn answers the calls of the turn', async () => {
  const remote = new Remote('update', 'look');
  const scene = await startWithServers([{ name: 'remote', remote }], [calling('update'), calling('look'), 'Done.']);
  remote.call = async ({ name }) => {
    if (name === 'update') await scene.sessions.changed({ reconnect: true });
    return saying(`result of ${name}`);
  };
  await scene.client.prompt('Go').call().content();
  expect(scene.model.toolResponses).toEqual(['result of update', 'result of look']);
});
