import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { CanActivate } from '@nestjs/common';
import { ChatClient, ContentRedactor, type Message } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { inDevelopedProject } from './developed-project.js';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

let app: InspectedApplication | undefined;
afterEach(() => stop());
const folder = inDevelopedProject();

const said = ({ messages }: { messages: readonly Message[] }): string =>
  messages.map((message) => ('text' in message ? message.text : '')).join('|');
const start = async (options: Partial<InspectedOptions> = {}): Promise<InspectedApplication> =>
  (app = await InspectedApplication.start({ chatModel: new ScriptedChatModel(said), ...options }));
async function stop(): Promise<void> {
  await app?.close();
  app = undefined;
}

/** The files that last. */
function files(): Record<string, string> {
  const cache = join(folder(), 'node_modules/.cache/nestor-inspector');
  if (!existsSync(cache)) return {};
  const [own = ''] = readdirSync(cache);
  return Object.fromEntries(readdirSync(join(cache, own)).map((name) => [name, join(cache, own, name)]));
}

describe('an application that is developed', () => {
  it('keeps the address of the page, its turns and its conversations when it starts again', async () => {
    const { address } = await start();
    const { id } = await app!.run('chat', question('one'));
    await app!.get(ChatClient).prompt('of the application').call().content();
    await stop();
    await start();
    expect(app!.address!.split('?')[1]).toBe(address!.split('?')[1]);
    expect(await app!.turns()).toMatchObject([
      { question: 'of the application' },
      { id, question: 'one', answer: 'one', status: 'completed' },
    ]);
    expect((await app!.turns('?text=application')).length).toBe(1);
    expect(await app!.json(`turns/${id}`)).toMatchObject({ can: [], calls: [{ messages: [{ text: 'one' }] }] });
    const second = await app!.run('chat', question('two', { after: id }));
    expect(await app!.json(`turns/${second.id}`)).toMatchObject({
      answer: 'one|one|two',
      can: ['edit', 'retry', 'save'],
    });
    await expect(app!.run(`turns/${id}/retry`, { modelCall: 0 })).rejects.toThrow(/404/);
    for (const path of Object.values(files())) expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('gives a remembered conversation back that was only in memory', async () => {
    await start({ ai: { memory: true } });
    const { id } = await app!.run('chat', question('one'));
    await stop();
    await start({ ai: { memory: true } });
    const second = await app!.run('chat', question('two', { after: id }));
    expect(await app!.json(`turns/${second.id}`)).toMatchObject({ answer: 'one|one|two' });
    const third = await app!.run('chat', question('three', { after: second.id }));
    expect(await app!.json(`turns/${third.id}`)).toMatchObject({ answer: 'one|one|two|one|one|two|three' });
  });

  it('says that a call that waited in memory is lost', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('close', {}, 'c1')] }]);
    const { FunctionToolCallback, StaticToolCallbackProvider } = await import('@nestor-ai/core');
    const close = new FunctionToolCallback({
      name: 'close',
      description: 'Closes',
      toolMetadata: { returnDirect: false, needsApproval: true },
      toolFunction: () => 'closed',
    });
    await start({ chatModel, providers: [{ provide: 'TOOLS', useValue: new StaticToolCallbackProvider(close) }] });
    const { id } = await app!.run('chat', question('Close it'));
    expect(await app!.json(`turns/${id}`)).toMatchObject({ status: 'suspended', pending: [{ name: 'close' }] });
    await stop();
    await start();
    expect(await app!.json(`turns/${id}`)).toMatchObject({ status: 'lost', pending: [], can: [] });
    await expect(app!.json(`turns/${id}/stop`, {})).rejects.toThrow(/404.*no such turn that waits/);
  });

  it('reads what it can of a file that was cut off, or that somebody has written', async () => {
    await start();
    await app!.run('chat', question('one'));
    await stop();
    appendFileSync(files()['turns.jsonl']!, '{"view":\nnull\n[]\n{}\n{"view":{"id":7}}\n\0\n');
    await start();
    expect(await app!.turns()).toMatchObject([{ question: 'one' }]);
  });

  it('keeps a bounded amount', async () => {
    await start();
    const client = app!.get(ChatClient);
    for (let turn = 0; turn < 30; turn++) await client.prompt('x'.repeat(90_000)).call().content();
    await client.prompt('y'.repeat(900_000)).call().content();
    await stop();
    const sizes = Object.values(files()).map((path) => statSync(path).size);
    expect(Math.max(...sizes)).toBeLessThan(4.2 * 1024 * 1024);
    await start();
    expect((await app!.turns()).length).toBeGreaterThan(3);
  });

  it('forgets an old token', async () => {
    const { address } = await start();
    await stop();
    const old = new Date(Date.now() - 25 * 3600 * 1000);
    utimesSync(files()['token']!, old, old);
    expect((await start()).address!.split('?')[1]).not.toBe(address!.split('?')[1]);
  });

  it('writes no contents that the page does not show, and removes those of before', async () => {
    await start();
    await app!.run('chat', question('SECRET'));
    await stop();
    expect(readFileSync(files()['turns.jsonl']!, 'utf8')).toContain('SECRET');
    await start({ content: false });
    await app!.run('chat', question('SECRET'));
    await stop();
    expect(Object.keys(files())).toEqual(['token']);
    class CardRedactor extends ContentRedactor {
      redact(text: string) {
        return text.replaceAll('SECRET', '');
      }
    }
    await start({ ai: { providers: [{ provide: ContentRedactor, useClass: CardRedactor }] } });
    await app!.run('chat', question('SECRET'));
    await stop();
    expect(Object.keys(files())).toEqual(['token']);
  });

  it.each([true, false])('without NODE_ENV, is one that runs in a terminal (%s)', async (isTerminal) => {
    const { isTTY } = process.stdout;
    delete process.env['NODE_ENV'];
    process.stdout.isTTY = isTerminal;
    try {
      await start();
      await app!.run('chat', question('one'));
      await stop();
    } finally {
      process.stdout.isTTY = isTTY;
    }
    expect(Object.keys(files())).toHaveLength(isTerminal ? 2 : 0);
  });

  it('keeps nothing with guards, and in tests', async () => {
    const open: CanActivate = { canActivate: () => true };
    await start({ inspector: { guards: [open] } });
    await app!.run('chat', question('one'));
    await stop();
    process.env['NODE_ENV'] = 'test';
    await start();
    await app!.run('chat', question('one'));
    await stop();
    expect(files()).toEqual({});
  });
});
