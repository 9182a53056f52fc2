import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { providerTool, Tool } from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../nest/application.js';
import { askedAbout, BOTH_WAYS } from './bank.js';

@Injectable()
class Shell {
  readonly run: string[] = [];

  @Tool({ needsApproval: true })
  bash(command: string) {
    this.run.push(command);
    return 'done';
  }
}

const start = (script: readonly ScriptEntry[]) => startApplication({ providers: [Shell] }, script);
const BASH = providerTool('anthropic.bash_20250124');

describe.each(BOTH_WAYS)('a tool of the provider with the name of one of yours, in %s', (_way, answer) => {
  it('keeps the approval of yours', async () => {
    const { app, client } = await start([{ toolCalls: [toolCall('bash', { command: 'rm' })] }]);
    expect(askedAbout(await answer(client.prompt('Go').tools(BASH, 'bash')))).toEqual(['bash']);
    expect(app.get(Shell).run).toEqual([]);
  });

  it('keeps the approval of yours when the model writes the name differently', async () => {
    const { app, client } = await start([{ toolCalls: [toolCall('Bash', { command: 'rm' })] }]);
    expect(askedAbout(await answer(client.prompt('Go').tools(BASH, 'bash')))).toEqual(['bash']);
    expect(app.get(Shell).run).toEqual([]);
  });

  it('does not run yours for a call that the provider has run', async () => {
    const call = { id: 's1', name: 'bash', arguments: '{"command":"rm"}', result: 'done' };
    const { app, client } = await start([{ text: 'Done.', providerToolCalls: [call] }]);
    expect((await answer(client.prompt('Go').tools(BASH, 'bash')))?.text).toBe('Done.');
    expect(app.get(Shell).run).toEqual([]);
  });

  it('is an unknown tool if the model calls it as yours and the request has none', async () => {
    const { app, client, model } = await start([{ toolCalls: [toolCall('bash', { command: 'rm' })] }, 'Done.']);
    expect((await answer(client.prompt('Go').tools(BASH)))?.text).toBe('Done.');
    expect(app.get(Shell).run).toEqual([]);
    expect(model.toolResponses.join()).toContain("'bash'");
  });
});
