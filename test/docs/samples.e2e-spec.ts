import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { extractSamples } from './samples.js';
import { StandInServer } from '../stand-in-server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const samples = extractSamples(root, join(root, 'test/docs/generated/run'));
const mock = new StandInServer();
const environment = { ...process.env };

beforeAll(async () => {
  mock
    .on(
      { userMessage: 'How warm', hasToolResult: false },
      { toolCalls: [{ id: '1', name: 'getTemperature', arguments: '{"city":"Paris"}' }] },
    )
    .on({ userMessage: 'How warm', hasToolResult: true }, { content: 'It is 21 degrees in Paris.' })
    .onMessage('Say hello', { content: 'Hello there.' });
  await mock.start();
  Object.assign(process.env, {
    AI_MODEL_PROVIDER: 'openai-compatible',
    AI_MODEL_NAME: 'sample',
    AI_MODEL_BASE_URL: `${mock.url}/v1`,
    AI_MODEL_API_KEY: 'sample',
  });
});
afterAll(async () => {
  for (const key of ['PROVIDER', 'NAME', 'BASE_URL', 'API_KEY']) delete process.env[`AI_MODEL_${key}`];
  Object.assign(process.env, environment);
  await mock.stop();
});

describe('the code samples of README and docs', () => {
  it('are there', () => {
    expect(samples.length).toBeGreaterThan(10);
  });

  // Samples run as on a developer's machine. In CI, the option `record` is refused.
  beforeAll(() => void delete process.env['CI']);

  it.each(samples)('run, and print what they say: $title', async ({ file, prints }) => {
    const printed: string[] = [];
    const log = jest
      .spyOn(console, 'log')
      .mockImplementation((...values) => void printed.push(format(...values).trim()));
    try {
      await import(file);
    } finally {
      log.mockRestore();
    }
    expect(printed.slice(0, prints.length)).toEqual(prints);
  });
});

it('the quick start of README answers as its curl command shows', async () => {
  const command = /^curl localhost:3000(\S+) .* -d '(.+)'\n# (.+)$/m;
  const [, path, body, answer] = command.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
  const { AppModule } = await import(join(root, 'test/docs/generated/run/readme/app.module.ts'));
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  try {
    await app.listen(0, '127.0.0.1');
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${await app.getUrl()}${path}`, { method: 'POST', headers, body: body! });
    expect(await response.text()).toBe(answer);
  } finally {
    await app.close();
  }
});
