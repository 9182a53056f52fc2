import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import type { ModelProvider } from '@nestor-ai/ai-sdk';
import { ChatClient, ChatModel } from '@nestor-ai/core';
import { OfflineChatModel } from '../../apps/assistant/src/offline-model/offline-chat-model.js';
import { runQuickStart } from '../../apps/assistant/src/quick-start.js';
import { StandInServer } from '../stand-in-server.js';

/** A stand-in that speaks the wire formats of all these providers. */
const standIn = new StandInServer();
const inTenMinutes = new Date(Date.now() + 600_000).toISOString();

/** The base URL of each provider on the stand-in. */
const BASES: Partial<Record<ModelProvider, string>> = {
  openai: '/v1',
  'openai-compatible': '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  mistral: '/v1',
  'amazon-bedrock': '',
  xai: '/v1',
  groq: '/v1',
  deepseek: '/v1',
  azure: '/v1',
  ollama: '/api',
};

let module: TestingModule;
const given = { ...process.env };

beforeAll(async () => {
  standIn.addFixture({
    match: { predicate: ({ messages }) => messages.at(-1)?.role === 'tool' },
    response: { content: 'The tool has answered.' },
  });
  standIn.onMessage('tomorrow', { toolCalls: [{ name: 'getCurrentDateTime', arguments: '{}' }] });
  standIn.onMessage('alarm', {
    toolCalls: [{ name: 'setAlarm', arguments: JSON.stringify({ time: inTenMinutes }) }],
  });
  await standIn.start();
});
afterAll(() => standIn.stop());
afterEach(async () => {
  await module.close();
  process.env = { ...given };
});

/** The application of `npm start` with these environment variables. */
async function start(environment: Record<string, string>): Promise<ChatClient> {
  Object.assign(process.env, environment);
  // `ConfigModule.forRoot()` reads the environment when this module is imported.
  const { AppModule } = await import(`../../apps/assistant/src/app.module.js?${JSON.stringify(environment)}`);
  module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  await module.init();
  return module.get(ChatClient);
}

describe('npm start with the provider', () => {
  it.each(Object.entries(BASES))('%s runs the tools that the model calls', async (provider, base) => {
    const chatClient = await start({
      AI_MODEL_PROVIDER: provider,
      AI_MODEL_NAME: 'test-model',
      AI_MODEL_API_KEY: 'test',
      AI_MODEL_BASE_URL: `${standIn.url}${base}`,
    });
    expect(module.get(ChatModel)).not.toBeInstanceOf(OfflineChatModel);
    const lines: string[] = [];
    await runQuickStart(chatClient, (line) => lines.push(line));
    expect(lines).toEqual([
      '\n> What day is tomorrow?',
      '  the model calls getCurrentDateTime({})',
      expect.stringMatching(/^ {2}getCurrentDateTime answered \d{4}-\d\d-\d\dT/),
      'The tool has answered.',
      '\n> Can you set an alarm 10 minutes from now?',
      `  the model calls setAlarm({"time":"${inTenMinutes}"})`,
      `  setAlarm answered Alarm set for ${inTenMinutes}`,
      'The tool has answered.',
    ]);
  });
});
