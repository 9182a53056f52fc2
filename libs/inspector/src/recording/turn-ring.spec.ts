import { describe, expect, it } from '@jest/globals';
import { AiExtension, AiModule, ChatClient, type Turn } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Test } from '@nestjs/testing';
import { TurnRing } from './turn-ring.js';

const KILOBYTE = 1024;

async function withRing(maxKilobytes: number, maxTurnsPerSecond = Infinity) {
  const chatModel = new ScriptedChatModel(
    ({ messages }) => `Answer to ${(messages.at(-1) as { text: string }).text.length}`,
  );
  const ring = new TurnRing({ path: 'ai', maxMemory: maxKilobytes / KILOBYTE, maxTurnsPerSecond });
  class Follower extends AiExtension {
    override observe(turn: Turn, client = '') {
      return ring.observe(turn, client);
    }
  }
  const app = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel })],
    providers: [{ provide: AiExtension, useClass: Follower }],
  }).compile();
  await app.init();
  const ask = (text: string, request?: object) => app.get(ChatClient).prompt(text).request(request).call().content();
  return { app, ring, ask };
}

describe('the ring of turns', () => {
  it('keeps the newest turns within its memory', async () => {
    const { app, ring, ask } = await withRing(100);
    for (let turn = 1; turn <= 10; turn++) await ask(String(turn).repeat(10_000));
    const kept = ring.list();
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.length).toBeLessThan(6);
    expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(100 * KILOBYTE);
    expect(kept[0]!.answer).toBe('Answer to 20000');
    await app.close();
  });

  it('does not keep a turn that is larger than all its memory', async () => {
    const { app, ring, ask } = await withRing(10);
    await ask('x'.repeat(100_000));
    expect(ring.list()).toEqual([]);
    await ask('small');
    expect(ring.list()).toHaveLength(1);
    await app.close();
  });

  it('counts a message once, however many model calls have it', async () => {
    const { app, ring, ask } = await withRing(1000);
    await ask('x'.repeat(1000));
    expect(ring.list()[0]!.size).toBeLessThan(5 * KILOBYTE);
    await app.close();
  });

  it('does not keep the turns of work that it ignores', async () => {
    const { app, ring, ask } = await withRing(100);
    const ids = await ring.ignoring(async (turnIds) => {
      await ask('one');
      return [...turnIds];
    });
    expect(ids).toHaveLength(1);
    expect(ring.get(ids[0]!)).toBeUndefined();
    await ask('two');
    expect(ring.list()).toHaveLength(1);
    await app.close();
  });

  it('keeps as many turns of a burst as ten seconds may have, and counts the others', async () => {
    const { app, ring, ask } = await withRing(1000, 0.2);
    for (let turn = 1; turn <= 8; turn++) await ask(String(turn));
    expect(ring.list()).toHaveLength(2);
    expect(ring.omitted).toBe(6);
    await app.close();
  });

  it('keeps the turns of the page, however many others there are', async () => {
    const { app, ring, ask } = await withRing(1000, 0.1);
    await ask('one');
    const page = {};
    const release = ring.keepTurnsOf(page);
    await ask('two');
    await ask('three', page);
    release();
    await ask('four', page);
    expect(ring.list().map(({ messages }) => messages.at(-1))).toMatchObject([{ text: 'three' }, { text: 'one' }]);
    expect(ring.omitted).toBe(2);
    await app.close();
  });

  it('refuses a number of turns that is none', () => {
    for (const maxTurnsPerSecond of [0, -1, Number.NaN])
      expect(() => new TurnRing({ path: 'ai', maxTurnsPerSecond })).toThrow(/maxTurnsPerSecond of AiInspectorModule/);
  });

  it('refuses an amount of memory that is none', () => {
    for (const maxMemory of [0, -1, Number.NaN, Infinity])
      expect(() => new TurnRing({ path: 'ai', maxMemory })).toThrow(/maxMemory of AiInspectorModule/);
  });
});
