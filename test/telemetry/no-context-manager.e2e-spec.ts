import { expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { SafeGuardAdvisor } from '@nestor-ai/advisors';
import { lastValueFrom } from 'rxjs';
import { callOf, startApplication } from '../nest/application.js';
import { Recorder } from './recorder.js';

const recorder = Recorder.register({ contextManager: false });

@Injectable()
class Weather {
  @Tool()
  getWeather(city: string): object {
    return { city };
  }
}

test('an application that has registered no context manager still gets one trace a request', async () => {
  const script = callOf('getWeather', { city: 'Paris' });
  const { client } = await startApplication({ providers: [Weather] }, [...script, ...script]);
  const guard = new SafeGuardAdvisor({ sensitiveWords: ['secret'] });

  await client.prompt('Hello').advisors(guard).call().content();
  await lastValueFrom(client.prompt('Hello').advisors(guard).stream().content());

  const trace = `
chat_client
  tool_calling
    safe_guard
      chat
    execute_tool getWeather
    safe_guard
      chat`.trim();
  expect(recorder.tree()).toBe(`${trace}\n${trace}`);
});
