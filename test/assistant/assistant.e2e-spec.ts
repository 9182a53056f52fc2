import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { type INestApplication, ValidationPipe } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChatClient, ChatModel, FunctionToolCallback } from '@nestor-ai/core';
import { finalize, tap } from 'rxjs';
import request from 'supertest';
import { z } from 'zod';
import { AppModule } from '../../apps/assistant/src/app.module.js';
import { OFFLINE_NOTICE, OfflineChatModel } from '../../apps/assistant/src/offline-model/offline-chat-model.js';
import { QUICK_START_QUESTIONS, runQuickStart } from '../../apps/assistant/src/quick-start.js';
import { AlarmService } from '../../apps/assistant/src/tools/alarm.service.js';

let app: INestApplication;

beforeAll(async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app = module.createNestApplication({ logger: false });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const post = (message: unknown, tenant?: string) => {
  const call = request(app.getHttpServer()).post('/chat').send({ message });
  return tenant === undefined ? call : call.set('x-tenant', tenant);
};
const answerTo = async (message: string, tenant?: string) =>
  (await post(message, tenant).expect(200)).body.answer as string;

describe('the quick start', () => {
  it('answers both questions, through one tool and through two, one after the other', async () => {
    const lines: string[] = [];
    await runQuickStart(app.get(ChatClient), (line) => lines.push(line));
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('en-GB', {
      weekday: 'long',
      timeZone: 'UTC',
    });
    const text = lines.join('\n');
    for (const question of QUICK_START_QUESTIONS) expect(text).toContain(question);
    expect(text).toContain(`Tomorrow is ${tomorrow}`);
    expect(
      lines.filter((line) => line.includes('the model calls')).map((line) => /calls (\w+)/.exec(line)?.[1]),
    ).toEqual(['getCurrentDateTime', 'getCurrentDateTime', 'setAlarm']);
    const [alarm] = app.get(AlarmService).pending;
    expect(Math.round((alarm!.getTime() - Date.now()) / 60_000)).toBe(10);
  });

  it('prints what the picture in README shows: npm run docs:terminal', async () => {
    const withoutTimes = (lines: readonly string[]) =>
      lines.map((line) => line.replace(/\d{4}-[\d-]+T[\d:.]+Z/g, 'TIME').replace(/is \w+day, .*\./, 'is DAY.'));
    const printed: string[] = [];
    await runQuickStart(app.get(ChatClient), (line) => printed.push(...line.trim().split('\n')));
    const picture = readFileSync(new URL('../../docs/public/terminal.svg', import.meta.url), 'utf8');
    const drawn = [...picture.matchAll(/<text[^>]*>(.+)<\/text>/g)].map(([, text]) => text!.replaceAll('&gt;', '>'));
    expect(withoutTimes(drawn.slice(-printed.length))).toEqual(withoutTimes(printed));
    expect(drawn.slice(1, -printed.length).join(' ')).toBe(OFFLINE_NOTICE);
  });
});

describe('POST /chat', () => {
  it.each([
    ['What is the weather in Paris?', /city: Paris, temperature: 13, unit: celsius/],
    ['What is the weather in New York in fahrenheit?', /city: New York, temperature: 55, unit: fahrenheit/],
    ["What's the weather in Tokyo? It's for a trip.", /city: Tokyo/],
    ['What is the weather in Atlantis?', /did not work: Unknown city Atlantis\. Known cities: athens/],
    ['What is the name of customer 42?', /^Ada Lovelace\.$/],
    ['find customer 43', /^Charles Babbage\.$/],
    ['Export customer 42', /^\{"id":42,"name":"Ada Lovelace"/],
    ['find customer 99', /There is no customer 99/],
    ['Set an alarm on 2001-01-01T00:00:00Z', /is not in the future/],
    ['What is the weather?', /I cannot call a tool: getWeather needs city/],
    ['Tell me a joke', /I found no tool for this\. My tools: getCurrentDateTime/],
  ])('%s', async (question, answer) => {
    expect(await answerTo(question)).toMatch(answer);
  });

  it('takes the tenant from the application, and never from the model', async () => {
    expect(await answerTo('find customer 42', 'globex')).toBe('Grace Hopper.');
    expect(await answerTo('find customer 42', 'nobody')).toMatch(/There is no customer 42/);
    expect(await answerTo('find customer 42', '__proto__')).toMatch(/There is no customer 42/);
  });

  it.each([undefined, '', '   ', 5, 'x'.repeat(5000)])('refuses the message %p', async (message) => {
    await post(message).expect(400);
  });
});

describe('an alarm', () => {
  const inUtc = (days: number, hours: number, minutes: number): string => {
    const time = new Date(Date.now() + days * 86_400_000);
    time.setUTCHours(hours, minutes, 0, 0);
    return time.toISOString();
  };

  it.each([
    ['Set an alarm for tomorrow at 7:30', () => inUtc(1, 7, 30)],
    ['Set an alarm tomorrow at 5 pm', () => inUtc(1, 17, 0)],
    [
      'Set an alarm at 11:59 pm',
      () => (inUtc(0, 23, 59) > new Date().toISOString() ? inUtc(0, 23, 59) : inUtc(1, 23, 59)),
    ],
    ['Set an alarm on 2030-01-01T00:00:00Z', undefined],
  ])('%s', async (question, time) => {
    const answer = await answerTo(question);
    if (time) expect(answer).toBe(`Alarm set for ${time()}.`);
    else expect(answer).toMatch(/at most 24 days from now/);
  });
});

describe('GET /chat/stream', () => {
  const url = () => `${app.getHttpServer().address().port}`;

  it('sends the answer in pieces as server-sent events', async () => {
    const response = await fetch(
      `http://127.0.0.1:${url()}/chat/stream?message=${encodeURIComponent('find customer 42')}`,
    );
    const pieces = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data!) as { text: string },
    );
    expect(pieces.map(({ text }) => text)).toEqual(['Ada ', 'Lovelace.']);
  });

  it('stops the model when the client closes the connection', async () => {
    const model = app.get(ChatModel) as OfflineChatModel;
    let isComplete = false;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const stream = model.stream.bind(model);
    const spy = jest
      .spyOn(model, 'stream')
      .mockImplementation((prompt) => stream(prompt).pipe(tap({ complete: () => (isComplete = true) }), finalize(end)));
    const question = encodeURIComponent('Tell me a joke');
    await new Promise<void>((resolve, reject) => {
      const call = get(`http://127.0.0.1:${url()}/chat/stream?message=${question}`, (response) => {
        response.once('data', () => {
          call.destroy();
          resolve();
        });
      });
      call.on('error', reject);
    });
    await ended;
    expect(isComplete).toBe(false);
    spy.mockRestore();
  });
});

describe('the offline stand-in', () => {
  let received: unknown;
  beforeEach(() => (received = undefined));

  const schemas: [string, z.ZodType, string, unknown][] = [
    ['a nullable text', z.object({ name: z.string().nullable() }), 'Greet "Ada" warmly', { name: 'Ada' }],
    ['a list of texts', z.object({ names: z.array(z.string()) }), 'Greet Ada and Grace', { names: ['Ada', 'Grace'] }],
    ['a nested object', z.object({ who: z.object({ name: z.string() }) }), 'Greet Ada', { who: { name: 'Ada' } }],
    ['an enum', z.object({ mood: z.enum(['warm', 'cold']) }), 'Give a warm greeting', { mood: 'warm' }],
    [
      'a number within bounds',
      z.object({ times: z.number().int().min(1).max(9) }),
      'Greet 12 or 3 times',
      { times: 3 },
    ],
    ['a yes or no', z.object({ loud: z.boolean() }), 'Greet loud', { loud: true }],
    ['a constant', z.object({ kind: z.literal('hello') }), 'Greet', { kind: 'hello' }],
    ['an e-mail address', z.object({ email: z.email() }), 'Greet ada@example.org', { email: 'ada@example.org' }],
    ['a day', z.object({ on: z.iso.date() }), 'Greet on 2030-05-01', { on: '2030-05-01' }],
    [
      'two days',
      z.object({ from: z.iso.date(), to: z.iso.date() }),
      'Greet from 2030-05-01 to 2030-06-02',
      { from: '2030-05-01', to: '2030-06-02' },
    ],
    [
      'one of a few, twice',
      z.object({ from: z.enum(['EUR', 'USD']), to: z.enum(['EUR', 'USD']) }),
      'Greet in USD, then EUR',
      { from: 'USD', to: 'EUR' },
    ],
    ['nothing', z.object({}), 'Greet', {}],
  ];

  it.each(schemas)('reaches a tool of the user’s own that takes %s', async (_name, inputSchema, question, input) => {
    const greet = new FunctionToolCallback({
      name: 'greet',
      description: 'Greeting of people',
      inputSchema,
      toolFunction: (given) => {
        received = given;
        return 'Hello';
      },
    });
    expect(await ChatClient.create(new OfflineChatModel()).prompt(question).tools(greet).call().content()).toBe(
      'Hello.',
    );
    expect(received).toEqual(input);
  });
});

describe('with a model configured', () => {
  it('does not hide a mistake behind the stand-in', async () => {
    process.env.AI_MODEL_PROVIDER = 'closedai';
    try {
      const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
      await expect(module.init()).rejects.toThrow(/ai\.model\.provider is 'closedai', but has to be openai or/);
    } finally {
      delete process.env.AI_MODEL_PROVIDER;
    }
  });
});

describe('a tool that needs approval', () => {
  it('waits in the inspector, and then does it', async () => {
    expect(await answerTo('Delete customer 43')).toBe('deleteCustomer waits for your approval in the inspector.');
    const client = app.get(ChatClient);
    const response = await client.prompt('Delete customer 43').call().chatResponse();
    const [waiting] = response!.pendingApprovals;
    const approvals = [{ toolCallId: waiting!.id, approved: true }];
    const turn = { turnId: response!.metadata.turnId! };
    expect(await client.prompt().toolApprovals(approvals, turn).call().content()).toContain('Deleted Charles Babbage.');
    expect(await answerTo('What is the name of customer 43?')).toContain('There is no customer 43.');
  });
});
