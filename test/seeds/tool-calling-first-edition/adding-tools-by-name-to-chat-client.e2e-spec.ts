// Page "Tool Calling" (first edition), section "Dynamic Specification: @Bean", "Adding Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import { offeredTools, startApplication } from '../../nest/application.js';
import { ANSWER, QUESTION, WEATHER, weatherScript, WeatherTools } from './weather.js';

describe('a request that names a tool', () => {
  it('has that tool and no other, and the user gets the answer made of its result', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, weatherScript());
    expect(await client.prompt(QUESTION).tools('currentWeather').call().content()).toBe(ANSWER);
    expect(offeredTools(model)).toEqual(['currentWeather']);
    expect(model.toolResponses).toEqual([WEATHER]);
    model.assertDone();
  });

  it('says nothing of the tools of the next request', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['One', 'Two'], {
      properties: { chat: { client: { defaultTools: 'none' } } },
    });
    await client.prompt(QUESTION).tools('currentWeather').call().content();
    expect(offeredTools(model)).toEqual(['currentWeather']);
    await client.prompt(QUESTION).call().content();
    expect(offeredTools(model)).toEqual([]);
  });

  it('streams its answer after the tool has run', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, weatherScript());
    let text = '';
    for await (const piece of client.prompt(QUESTION).tools('currentWeather').stream().content()) text += piece;
    expect(text).toBe(ANSWER);
    expect(model.toolResponses).toEqual([WEATHER]);
  });
});
