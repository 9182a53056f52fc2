// Page "Tool Calling" (first edition), section "Dynamic Specification: @Bean", "Adding Default Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import { ChatClientBuilder } from '@nestor-ai/core';
import { offeredTools, startApplication } from '../../nest/application.js';
import { ANSWER, namedTool, QUESTION, WEATHER, weatherScript, WeatherTools } from './weather.js';

describe('a client whose default tools are named', () => {
  it('has them in every request', async () => {
    const { app, model } = await startApplication({ imports: [WeatherTools] }, [...weatherScript(), 'Hello.']);
    const builder = await app.resolve(ChatClientBuilder);
    const chatClient = builder.defaultTools('currentWeather').build();
    expect(await chatClient.prompt(QUESTION).call().content()).toBe(ANSWER);
    expect(model.toolResponses).toEqual([WEATHER]);
    await chatClient.prompt('Hello').call().content();
    expect(offeredTools(model)).toEqual(['currentWeather']);
  });

  it('shares them with every client of the same builder', async () => {
    const { app, model } = await startApplication({ imports: [WeatherTools] }, ['One', 'Two']);
    const builder = (await app.resolve(ChatClientBuilder)).defaultTools('currentWeather');
    for (const chatClient of [builder.build(), builder.build()]) {
      await chatClient.prompt(QUESTION).call().content();
      expect(offeredTools(model)).toEqual(['currentWeather']);
    }
  });

  it('has none of them in a request that brings its own: these replace them altogether', async () => {
    const { app, model } = await startApplication({ imports: [WeatherTools] }, ['One', 'Two', 'Three']);
    const chatClient = (await app.resolve(ChatClientBuilder)).defaultTools('currentWeather').build();
    await chatClient.prompt(QUESTION).tools('wishes').call().content();
    expect(offeredTools(model)).toEqual(['wishes']);
    await chatClient.prompt(QUESTION).tools(namedTool('own')).call().content();
    expect(offeredTools(model)).toEqual(['own']);
    await chatClient.prompt(QUESTION).tools().call().content();
    expect(offeredTools(model)).toEqual([]);
  });
});
