import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { expectTurn, replayTurn, ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

@Injectable()
class WeatherTools {
  static degrees = 21;
  static alarms = 0;

  @Tool({ description: 'The temperature of a city', effect: 'read' })
  temperature(city: string) {
    return { city, degrees: WeatherTools.degrees };
  }

  @Tool({ description: 'Sends an alarm', needsApproval: true })
  alarm(text: string) {
    WeatherTools.alarms++;
    return `sent: ${text}`;
  }
}

const weather = (): ScriptEntry[] => [
  { toolCalls: [toolCall('temperature', { city: 'Paris' }, 'c1')] },
  'It is 21 degrees in Paris.',
];
const nobody = new ScriptedChatModel(() => {
  throw new Error('A replay must not ask the model.');
});

let folder: string;
const apps: InspectedApplication[] = [];
beforeEach(() => {
  WeatherTools.degrees = 21;
  WeatherTools.alarms = 0;
  folder = mkdtempSync(join(tmpdir(), 'turns-'));
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  rmSync(folder, { recursive: true });
});

async function start(chatModel: ScriptedChatModel, options: Partial<InspectedOptions> = {}) {
  const app = await InspectedApplication.start({
    chatModel,
    providers: [WeatherTools],
    inspector: { testsDirectory: join(folder, 'turns') },
    ...options,
  });
  apps.push(app);
  return app;
}

interface Saved {
  files: { name: string; content: string }[];
  paths?: string[];
  command: string;
}

describe('a turn on the page', () => {
  it('becomes a test that passes until the application changes', async () => {
    const app = await start(new ScriptedChatModel(weather()));
    const { id } = await app.run('chat', question('How warm is it in Paris?'));
    const body = { name: 'How warm is it in Paris?', runner: 'jest', write: true };
    const { paths } = await app.json<Saved>(`turns/${id}/test`, body);
    expect(paths).toEqual([
      relative('.', join(folder, 'turns/how-warm-is-it-in-paris.turn.json')),
      relative('.', join(folder, 'turns/how-warm-is-it-in-paris.turn.spec.ts')),
    ]);
    const spec = readFileSync(paths![1]!, 'utf8');
    expect(spec.trim().split('\n').length).toBeLessThanOrEqual(12);
    expect(spec).toContain(`await replayTurn(app, '${paths![0]!}');`);

    const later = await start(nobody);
    expectTurn(await replayTurn(later.app, paths![0]!)).toCallTool('temperature', { city: 'Paris' });
    WeatherTools.degrees = 4;
    await expect(replayTurn(later.app, paths![0]!)).rejects.toThrow(
      /has another result[\s\S]*"degrees\\":21[\s\S]*"degrees\\":4/,
    );
  });

  it('names what a test had better not run, and runs the turn again as the test would', async () => {
    const calls = [toolCall('temperature', { city: 'Paris' }, 'c1'), toolCall('alarm', { text: 'up' }, 'c2')];
    const app = await start(new ScriptedChatModel([{ toolCalls: calls }, 'Done.']));
    const { id } = await app.run('chat', question('Wake me'));
    await app.run(`turns/${id}/decisions`, { decisions: [{ toolCallId: 'c2', approved: true }] });
    expect(await app.json(`turns/${id}/test`)).toEqual({
      module: { name: 'AppModule', from: '../../src/app.module.js' },
      tools: [{ name: 'temperature' }, { name: 'alarm', doubt: 'write' }],
    });
    const recorded = ['alarm'];
    expect(await app.json(`turns/${id}/replay`, { recorded })).toEqual({ drifts: [] });
    expect(WeatherTools.alarms).toBe(1);
    WeatherTools.degrees = 4;
    expect(await app.json(`turns/${id}/replay`, { recorded })).toEqual({
      drifts: [expect.stringMatching(/^The call temperature\({"city":"Paris"}\) has another result/)],
    });
    expect(await app.turns()).toHaveLength(1);
    const { files, command } = await app.json<Saved>(`turns/${id}/test`, { name: 'up', runner: 'jest', recorded });
    expect(files[1]!.content).toMatch(/'.*up\.turn\.json', { recordedTools: \['alarm'\] }\);/);
    expect(command).toMatch(/^npm test -- .*up\.turn\.spec\.ts$/);
    const later = await start(nobody);
    WeatherTools.degrees = 21;
    const file = join(folder, 'up.turn.json');
    writeFileSync(file, files[0]!.content);
    await replayTurn(later.app, file, { recordedTools: recorded });
    expect(WeatherTools.alarms).toBe(1);
  });

  it('keeps the decisions of a turn that was approved', async () => {
    const app = await start(new ScriptedChatModel([{ toolCalls: [toolCall('alarm', { text: 'up' }, 'c1')] }, 'Done.']));
    const { id } = await app.run('chat', question('Wake me'));
    await app.run(`turns/${id}/decisions`, { decisions: [{ toolCallId: 'c1', approved: true }] });
    await app.json<Saved>(`turns/${id}/test`, { name: 'alarm', runner: 'vitest', write: true });
    const later = await start(nobody);
    const turn = await replayTurn(later.app, join(folder, 'turns/alarm.turn.json'));
    expectTurn(turn).toCallTool('alarm', { text: 'up' }).toAnswer('Done.');
  });

  it('is downloaded when no folder is set', async () => {
    const app = await start(new ScriptedChatModel(weather()), { inspector: {} });
    const { id } = await app.run('chat', question('How warm?'));
    const { files, paths } = await app.json<Saved>(`turns/${id}/test`, { name: 'Wärme!', runner: 'vitest' });
    expect(paths).toBeUndefined();
    expect(files.map(({ name }) => name)).toEqual(['warme.turn.json', 'warme.turn.spec.ts']);
    expect(files[1]!.content).toContain("import { test } from 'vitest';");
    await expect(app.json(`turns/${id}/test`, { name: 'x', runner: 'jest', write: true })).rejects.toThrow(
      /400.*testsDirectory/,
    );
  });

  it('has what the inspector finds in place of null', async () => {
    const app = await start(new ScriptedChatModel(weather()));
    const { id } = await app.run('chat', question('How warm?'));
    const nothing = { write: null, overwrite: null, module: null, recorded: null };
    const { paths } = await app.json<Saved>(`turns/${id}/test`, { name: 'null', runner: 'jest', ...nothing });
    expect(paths).toBeUndefined();
    await app.json(`turns/${id}/replay`, { recorded: null, repeated: null });
    const half = { name: 'x', runner: 'jest', module: { name: 'AppModule', from: null } };
    await expect(app.json(`turns/${id}/test`, half)).rejects.toThrow(/400.*module\.from/);
  });

  it('never leaves its folder, whatever its name is', async () => {
    const app = await start(new ScriptedChatModel(weather()));
    const { id } = await app.run('chat', question('How warm?'));
    for (const name of [
      '../../evil',
      '/etc/passwd',
      'a/../../b',
      '..',
      'C:\\evil',
      "x'); process.exit(1); ('",
      'a\u2028b',
      '\0',
    ])
      await app.json(`turns/${id}/test`, { name, runner: 'jest', write: true, overwrite: true });
    expect(existsSync(join(folder, '../evil.turn.json'))).toBe(false);
    const spec = readFileSync(join(folder, 'turns/x-process-exit-1.turn.spec.ts'), 'utf8');
    expect(spec).toContain(String.raw`test('x\'); process.exit(1); (\'', async`);
    expect(readFileSync(join(folder, 'turns/a-b.turn.spec.ts'), 'utf8')).not.toContain('\u2028');
  });

  it('replaces no file without confirmation, and no link at all', async () => {
    const app = await start(new ScriptedChatModel(weather()));
    const { id } = await app.run('chat', question('How warm?'));
    const save = (name: string, more: object = {}) =>
      app.json(`turns/${id}/test`, { name, runner: 'jest', write: true, ...more });
    await save('one');
    await expect(save('one')).rejects.toThrow(/409.*one\.turn\.json and one\.turn\.spec\.ts exist already/);
    await save('one', { overwrite: true });
    const outside = join(folder, 'outside.ts');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, join(folder, 'turns/two.turn.spec.ts'));
    mkdirSync(join(folder, 'turns/three.turn.json'));
    for (const name of ['two', 'three'])
      await expect(save(name, { overwrite: true })).rejects.toThrow(/403.*is a link or no file/);
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'turns/two.turn.json'))).toBe(false);
  });

  it('cannot be saved before a model was asked', async () => {
    const app = await start(new ScriptedChatModel([]));
    await app.json('tool/run', { tool: 'WeatherTools.temperature:temperature', arguments: { city: 'Paris' } });
    const [turn] = (await app.turns()) as [{ id: string }];
    await expect(app.json(`turns/${turn!.id}/test`, { name: 'x', runner: 'jest' })).rejects.toThrow(
      /409.*asked a model/,
    );
  });

  it('keeps instructions that belong to the request', async () => {
    const app = await start(new ScriptedChatModel(['Ahoy.', ...weather()]));
    const { ChatClient } = await import('@nestor-ai/core');
    await app.get(ChatClient).prompt('Hi').system('You are a pirate.').call().content();
    const [turn] = (await app.turns()) as [{ id: string }];
    await app.json(`turns/${turn!.id}/test`, { name: 'pirate', runner: 'jest', write: true });
    await replayTurn((await start(nobody)).app, join(folder, 'turns/pirate.turn.json'));
  });
});
