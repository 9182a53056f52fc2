import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback } from '@nestor-ai/core';
import { recordTurn, ScriptedChatModel, toolCall, turnCassette } from '@nestor-ai/testing';

const run = promisify(execFile);
const SOURCES = join(process.cwd(), 'apps/from-sources.mjs');
const COMMAND = join(process.cwd(), 'libs/testing/src/replay/command/nestor-replay.ts');

/** An application as it stands in a file, with a tool that says what a variable says. */
const APPLICATION = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { AiModule, FunctionToolCallback, StaticToolCallbackProvider } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const greet = new FunctionToolCallback({ name: 'greet', description: 'Greets', toolFunction: () => process.env.GREETING });
const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('greet', {}, 'c1')] }, 'I said ' + process.env.GREETING]);
export class AppModule {}
Module({
  imports: [AiModule.forRoot({ chatModel })],
  providers: [{ provide: 'TOOLS', useValue: new StaticToolCallbackProvider(greet) }],
})(AppModule);
`;

let folder: string;
beforeAll(async () => {
  // Inside of the repository, so that the file finds its packages.
  mkdirSync('node_modules/.cache', { recursive: true });
  folder = mkdtempSync(join(process.cwd(), 'node_modules/.cache/replay-'));
  mkdirSync(join(folder, 'turns'));
  writeFileSync(join(folder, 'app.module.ts'), APPLICATION);
  const greet = new FunctionToolCallback({ name: 'greet', description: 'Greets', toolFunction: () => 'hello' });
  const model = new ScriptedChatModel([{ toolCalls: [toolCall('greet', {}, 'c1')] }, 'I said hello']);
  const turn = await recordTurn(ChatClient.create(model).prompt('Greet').tools(greet));
  writeFileSync(join(folder, 'turns/greet.turn.json'), turnCassette(turn));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function replay(args: readonly string[], greeting = 'hello'): Promise<{ code: number; output: string }> {
  const env = { ...process.env, GREETING: greeting, NESTOR_CASSETTES: '' };
  try {
    const { stdout, stderr } = await run(process.execPath, ['--import', SOURCES, COMMAND, ...args], { env });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

describe('nestor-replay', () => {
  it('runs the turns of a folder, shows what has changed, and records them again', async () => {
    const where = [join(folder, 'turns'), '--module', join(folder, 'app.module.ts')];
    const same = await replay(where);
    expect(same).toMatchObject({ code: 0 });
    expect(same.output).toMatch(/✓ .*greet\.turn\.json\n1 of 1 turns are the recorded ones\./);
    const changed = await replay(where, 'goodbye');
    expect(changed.code).toBe(1);
    expect(changed.output).toMatch(
      /✗ .*greet\.turn\.json[\s\S]*greet\(\{\}\) has another result[\s\S]*hello[\s\S]*goodbye/,
    );
    const updated = await replay([...where, '--update'], 'goodbye');
    expect(updated.output).toContain('(recorded again)');
    expect(readFileSync(join(folder, 'turns/greet.turn.json'), 'utf8')).toContain('I said goodbye');
    expect(await replay(where, 'goodbye')).toMatchObject({ code: 0 });
  }, 120_000);
});
