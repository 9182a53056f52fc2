// Page "Tool Calling" (first edition), section "Dynamic Specification: @Bean", "Adding Tools to ChatModel"
// Names are looked up by the client, so the prompt is given to the client instead of the model.
import { describe, expect, it } from '@jest/globals';
import { Prompt, ToolCallingChatOptions } from '@nestor-ai/core';
import { offeredTools, startApplication } from '../../nest/application.js';
import { ANSWER, namedTool, QUESTION, WEATHER, weatherScript, WeatherTools } from './weather.js';

const chatOptions = ToolCallingChatOptions.builder().toolNames(['currentWeather']).build();

describe('a prompt whose options name a tool', () => {
  it('has that tool and no other, and the user gets the answer made of its result', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, weatherScript());
    const prompt = new Prompt(QUESTION, chatOptions);
    expect((await client.prompt(prompt).call().chatResponse())?.text).toBe(ANSWER);
    expect(offeredTools(model)).toEqual(['currentWeather']);
    expect(model.toolResponses).toEqual([WEATHER]);
  });

  it('reaches the model with the tool in the place of its name', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['Hello.']);
    await client.prompt(new Prompt(QUESTION, chatOptions)).call().content();
    expect(model.lastPrompt?.options).not.toHaveProperty('toolNames');
  });

  it('may bring other tools as they are, beside those it names', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['Hello.']);
    const both = { ...chatOptions, toolCallbacks: [namedTool('own')] };
    await client.prompt(new Prompt(QUESTION, both)).call().content();
    expect(offeredTools(model)).toEqual(['own', 'currentWeather']);
  });

  it('is refused when a name means no tool, before the model is asked', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['never asked']);
    const prompt = new Prompt(QUESTION, { toolNames: ['currentWeather', 'forecast'] });
    await expect(client.prompt(prompt).call().content()).rejects.toThrow("Unknown tool 'forecast'");
    expect(model.prompts).toEqual([]);
  });
});
