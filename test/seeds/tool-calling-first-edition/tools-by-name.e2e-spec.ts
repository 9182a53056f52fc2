// Page "Tool Calling" (first edition), section "Dynamic Specification: @Bean": what holds of names and of no other kind of tool.
// What all kinds have in common stands in tool-calling/adding-*. Names are looked up by the client, so that the prompts of
// "Adding Tools to ChatModel" are given to the client instead of the model.
import { describe, expect, it } from '@jest/globals';
import { type ChatClient, ChatClientBuilder, type ChatOptions, Prompt, ToolCallingChatOptions } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { offeredTools, startApplication } from '../../nest/application.js';
import { ANSWER, namedTool, QUESTION, WEATHER, weatherScript, WeatherTools } from './weather.js';

const chatOptions = ToolCallingChatOptions.builder().toolNames(['currentWeather']).build();

describe('a request that names a tool', () => {
  it.each<[string, (client: ChatClient) => ReturnType<ChatClient['prompt']>]>([
    ['itself', (client) => client.prompt(QUESTION).tools('currentWeather')],
    ['in the options of its prompt', (client) => client.prompt(new Prompt(QUESTION, chatOptions))],
  ])('has that tool and no other one of the application: %s', async (_name, ask) => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, weatherScript());
    expect(await ask(client).call().content()).toBe(ANSWER);
    expect(offeredTools(model)).toEqual(['currentWeather']);
    expect(model.toolResponses).toEqual([WEATHER]);
    model.assertDone();
  });

  it('reaches the model with the tool in the place of its name', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['Hello.']);
    await client.prompt(new Prompt(QUESTION, chatOptions)).call().content();
    expect(offeredTools(model)).toEqual(['currentWeather']);
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

describe('a client whose default tools are named', () => {
  it('gives way altogether to a tool that a request names', async () => {
    const { app, model } = await startApplication({ imports: [WeatherTools] }, ['Hello.']);
    const chatClient = (await app.resolve(ChatClientBuilder)).defaultTools('currentWeather').build();
    await chatClient.prompt(QUESTION).tools('wishes').call().content();
    expect(offeredTools(model)).toEqual(['wishes']);
  });
});

describe('a model whose default options name a tool', () => {
  /** Discovered tools would stand before those of the model, so this application offers none by itself. */
  async function startWith(options: ChatOptions) {
    const chatModel = new ScriptedChatModel(['Hello.'], options);
    const properties = { chat: { client: { defaultTools: 'none' as const } } };
    const { client } = await startApplication({ imports: [WeatherTools] }, [], { chatModel, properties });
    return { client, chatModel };
  }

  it('may name it beside tools that it has as they are', async () => {
    const { client, chatModel } = await startWith({ ...chatOptions, toolCallbacks: [namedTool('own')] });
    await client.prompt(QUESTION).call().content();
    expect(offeredTools(chatModel)).toEqual(['own', 'currentWeather']);
  });

  it.each<[string, (client: ChatClient) => ReturnType<ChatClient['prompt']>]>([
    ['a request', (client) => client.prompt(QUESTION).tools('wishes')],
    ['the options of a request', (client) => client.prompt(QUESTION).options({ toolNames: ['wishes'] })],
    ['a client', (client) => client.mutate().defaultTools('wishes').build().prompt(QUESTION)],
  ])('gives way altogether to a tool named by %s', async (_name, ask) => {
    const { client, chatModel } = await startWith({ ...chatOptions, temperature: 0.5 });
    await ask(client).call().content();
    expect(offeredTools(chatModel)).toEqual(['wishes']);
    expect(chatModel.lastPrompt?.options?.temperature).toBe(0.5);
  });
});
