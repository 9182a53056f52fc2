import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type CanActivate, Logger } from '@nestjs/common';
import {
  ApprovalPolicy,
  AssistantMessage,
  ChatClient,
  ChatMemory,
  FunctionToolCallback,
  type Message,
  StaticToolCallbackProvider,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { inDevelopedProject } from './developed-project.js';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

jest.setTimeout(60_000);
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
function own(): string {
  const cache = join(folder(), 'node_modules/.cache/nestor-inspector');
  return join(cache, readdirSync(cache)[0]!);
}

const closeTool = (result: () => string) =>
  new StaticToolCallbackProvider(
    new FunctionToolCallback({
      name: 'close',
      description: 'Closes',
      toolMetadata: { returnDirect: false, needsApproval: true },
      toolFunction: result,
    }),
  );

describe('the files that last', () => {
  it('replay and save leave no turns behind', async () => {
    await start();
    const { id } = await app!.run('chat', question('one'));
    expect(await app!.json(`turns/${id}/replay`, {})).toMatchObject({ drifts: [] });
    expect((await app!.turns()).length).toBe(1);
  });
  it('replay leaves no turns behind after a restart', async () => {
    await start();
    const { id } = await app!.run('chat', question('one'));
    await app!.turns();
    await app!.json(`turns/${id}/replay`, {});
    await stop();
    await start();
    expect((await app!.turns<{ question: string }>()).map(({ question: asked }) => asked)).toEqual(['one']);
  });
  it('previews leave no turns behind', async () => {
    await start();
    await app!.json('preview', { client: 'default' });
    await app!.json('preview', { client: 'default' });
    expect((await app!.turns<{ question: string }>()).map(({ question: asked }) => asked)).toEqual([]);
  });
  it('starts with a token that is a folder', async () => {
    await start();
    await stop();
    rmSync(join(own(), 'token'));
    mkdirSync(join(own(), 'token'));
    await start();
  });
  it('starts with content:false when turns.jsonl is a folder', async () => {
    await start();
    await stop();
    rmSync(join(own(), 'turns.jsonl'), { force: true });
    mkdirSync(join(own(), 'turns.jsonl'));
    await start({ content: false });
  });
  it('lists when turns.jsonl is a folder', async () => {
    await start();
    await stop();
    mkdirSync(join(own(), 'turns.jsonl'));
    await start();
    await app!.turns();
  });
  (process.getuid?.() === 0 ? it : it.skip)('are none in packages of another user', async () => {
    chownSync(join(folder(), 'node_modules'), 1, 1);
    await start();
    await app!.run('chat', question('one'));
    await stop();
    expect(existsSync(join(folder(), 'node_modules/.cache'))).toBe(false);
  });
  it('does not trust a token file that others can write, or makes it private', async () => {
    await start();
    await stop();
    writeFileSync(join(own(), 'token'), 'known-to-the-attacker');
    chmodSync(join(own(), 'token'), 0o666);
    await start();
    const isKnown = app!.address!.includes('known-to-the-attacker');
    expect([isKnown, statSync(join(own(), 'token')).mode & 0o077]).toEqual([false, 0]);
  });
  it('lists with a line of another version', async () => {
    await start();
    await app!.run('chat', question('one'));
    await stop();
    appendFileSync(join(own(), 'turns.jsonl'), '{"view":{"id":"x","calls":[],"begunAt":1},"messages":[]}\n');
    await start();
    expect((await app!.turns()).length).toBeGreaterThan(0);
  });
  it('removes contents when guards are added', async () => {
    await start();
    await app!.run('chat', question('SECRET'));
    await stop();
    const open: CanActivate = { canActivate: () => true };
    await start({ inspector: { guards: [open] } });
    const file = join(own(), 'turns.jsonl');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').not.toContain('SECRET');
  });
  it('keeps 8 megabytes of text that is not ASCII', async () => {
    await start();
    const client = app!.get(ChatClient);
    for (let turn = 0; turn < 40; turn++) await client.prompt('漢'.repeat(90_000)).call().content();
    await stop();
    const sizes = readdirSync(own()).map((name) => statSync(join(own(), name)).size);
    expect(sizes.reduce((sum, size) => sum + size) / 1024 / 1024).toBeLessThan(8.5);
  });
  it('does not say that a turn is lost which has completed with a long result', async () => {
    const script = () => new ScriptedChatModel([{ toolCalls: [toolCall('close', {}, 'c1')] }, 'done']);
    const providers = [{ provide: 'TOOLS', useValue: closeTool(() => 'x'.repeat(1_200_000)) }];
    await start({ chatModel: script(), providers });
    const { id } = await app!.run('chat', question('Close it'));
    await app!.run(`turns/${id}/decisions`, { decisions: [{ toolCallId: 'c1', approved: true }] });
    expect(await app!.json(`turns/${id}`)).toMatchObject({ status: 'completed' });
    await stop();
    await start();
    const [row] = await app!.turns<{ status: string }>();
    expect(row?.status ?? 'completed').toBe('completed');
  });
  it('does not say that a turn of the journal is lost which waits', async () => {
    const journal = { provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() };
    const providers = [{ provide: 'TOOLS', useValue: closeTool(() => 'closed') }];
    const chatModel = new ScriptedChatModel((({ messages }: { messages: readonly Message[] }) => {
      const last = messages.at(-1)!;
      return 'text' in last && last.text === 'close' ? { toolCalls: [toolCall('close', {}, 'c1')] } : 'ok';
    }) as never);
    await start({ chatModel, providers, ai: { providers: [journal] } });
    const ids: string[] = [];
    for (let at = 0; at < 60; at++)
      ids.push((await app!.run('chat', question('close', { conversation: `c${at}` }))).id);
    await stop();
    await start({ chatModel, providers, ai: { providers: [journal] } });
    const rows = await app!.turns<{ id: string; status: string }>();
    const wrong = rows.filter(({ status }) => status === 'lost');
    const really = await Promise.all(
      wrong.map(async ({ id }) => (await app!.json<{ status: string }>(`turns/${id}`)).status),
    );
    expect(wrong.map((row, at) => `list: ${row.status}, turn: ${really[at]}`)).toEqual([]);
  });
  it('asks the policy before an earlier conversation goes on', async () => {
    class Closed extends ApprovalPolicy {
      override authorize({ action }: { action: string }) {
        return action !== 'read';
      }
    }
    await start();
    const { id } = await app!.run('chat', question('SECRET'));
    await stop();
    await start({ ai: { providers: [{ provide: ApprovalPolicy, useClass: Closed as never }] } });
    const read = await app!.json(`turns/${id}`).then(
      () => 'read',
      (error: Error) => error.message.slice(0, 3),
    );
    const asked = await app!.run('chat', question('two', { after: id })).then(
      ({ text }) => text,
      (error: Error) => error.message.slice(0, 3),
    );
    expect([read, asked]).toEqual(['404', '404']);
  });
  it('survives messages that JSON cannot say', async () => {
    const chatModel = new ScriptedChatModel([
      {
        message: new AssistantMessage({ text: 'hi', metadata: { big: 1n } } as never),
        text: 'hi',
        metadata: { big: 1n },
      } as never,
    ]);
    await start({ chatModel });
    expect(await app!.get(ChatClient).prompt('x').call().content()).toBe('hi');
  });
  it('two asks at once do not give the memory the conversation twice', async () => {
    await start({ ai: { memory: true } });
    const { id } = await app!.run('chat', question('one'));
    await stop();
    await start({ ai: { memory: true } });
    await Promise.all([
      app!.run('chat', question('two', { after: id })),
      app!.run('chat', question('three', { after: id })),
    ]);
    const memory = app!.get(ChatMemory as never) as ChatMemory;
    const texts = (await memory.get('inspector::c1')).map((message) => ('text' in message ? message.text : ''));
    expect(texts.filter((text) => text === 'one').length).toBe(2);
  });
  it('are made again when npm ci removes them', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await start();
    rmSync(join(folder(), 'node_modules'), { recursive: true });
    for (let turn = 0; turn < 5; turn++) await app!.get(ChatClient).prompt('x').call().content();
    await stop();
    const warned = warn.mock.calls.filter(([text]) => String(text).includes('cannot keep'));
    warn.mockRestore();
    expect(warned).toEqual([]);
    expect(existsSync(join(own(), 'turns.jsonl'))).toBe(true);
  });
});
