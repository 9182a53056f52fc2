import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, type ChatModel, Tool } from '@nestor-ai/core';
import { recordModel } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { claude, gemini, gpt } from './providers.js';

@Injectable()
class StockTools {
  asked: string[] = [];

  @Tool({ description: 'How many of an article are in stock' })
  stock(article: string) {
    this.asked.push(article);
    return 3;
  }
}

const cassette = (name: string): string => join(import.meta.dirname, '../cassettes', `${name}.json`);

async function applicationOf(chatModel: ChatModel): Promise<INestApplicationContext> {
  const module = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel })],
    providers: [StockTools],
  }).compile();
  return module.init();
}

const ask = (app: INestApplicationContext, question: string): Promise<string> =>
  app.get(ChatClient).prompt(question).call().content();

const stream = async (app: INestApplicationContext, question: string): Promise<string> =>
  (await lastValueFrom(app.get(ChatClient).prompt(question).stream().content().pipe(toArray()))).join('');

const SCENARIOS = [
  ['anthropic-web-search', claude, stream, 'Which lamp is the best?', 'The best lamp is the Nestor.', []],
  ['openai-reasoning', gpt, ask, 'How many lamps are left?', 'There are three lamps.', ['lamp']],
  ['gemini-function-call', gemini, stream, 'How many lamps are left?', 'There are three lamps.', ['lamp']],
] as const;

describe.each(SCENARIOS)('the cassette %s in an application', (name, create, answerTo, question, answer, asked) => {
  it('answers in place of the model, through the tools of the application', async () => {
    const model = recordModel(create, cassette(name));
    const app = await applicationOf(model);
    expect(await answerTo(app, question)).toBe(answer);
    expect(app.get(StockTools).asked).toEqual(asked);
    model.assertDone();
    await app.close();
  });

  it('shows what has changed when the prompt drifts', async () => {
    const model = recordModel(create, cassette(name), { record: false });
    const app = await applicationOf(model);
    const drifted = answerTo(app, question.replace('lamp', 'chair'));
    await expect(drifted).rejects.toThrow(/messages\[0\]\.text\n {4}recorded: ".*lamp.*"\n {4}now: {6}".*chair.*"/);
    expect(() => model.assertDone()).toThrow(/does not have this request/);
    await app.close();
  });

  it('contains no key and no headers', () => {
    expect(readFileSync(cassette(name), 'utf8')).not.toMatch(/not-a-key|authorization|"headers"/i);
  });
});

describe('recording in an application', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cassettes-'));
    // The option `record` alone is refused in CI. This model needs no network.
    process.env['NESTOR_CASSETTES'] = 'record';
  });
  afterAll(() => {
    delete process.env['NESTOR_CASSETTES'];
    rmSync(folder, { recursive: true });
  });

  it.each(SCENARIOS)(
    'gives the cassette that is replayed: %s',
    async (name, create, answerTo, question, answer, _asked) => {
      const file = join(folder, `${name}.json`);
      const recorded = await applicationOf(recordModel(create, file, { record: true }));
      expect(await answerTo(recorded, question)).toBe(answer);
      await recorded.close();
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(cassette(name), 'utf8'));
    },
  );
});
