// Page "Tool Calling" (first edition), section "Dynamic Specification: @Bean", "Adding Default Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import { type ChatClient, type ChatOptions, ToolCallingChatOptions } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/core/testing';
import { offeredTools, startApplication } from '../../nest/application.js';
import { ANSWER, namedTool, QUESTION, WEATHER, weatherScript, WeatherTools } from './weather.js';

const defaultOptions = ToolCallingChatOptions.builder().toolNames(['currentWeather']).temperature(0.5).build();

/** Discovered tools would stand before those of the model, so this application offers none by itself. */
async function startWith(script: readonly ScriptEntry[], options: ChatOptions = defaultOptions) {
  const chatModel = new ScriptedChatModel(script, options);
  const properties = { chat: { client: { defaultTools: 'none' as const } } };
  const { client } = await startApplication({ imports: [WeatherTools] }, [], { chatModel, properties });
  return { client, chatModel };
}

describe('a model whose default options name a tool', () => {
  it('has it in every request that brings no tools', async () => {
    const { client, chatModel } = await startWith([...weatherScript(), 'Hello.']);
    expect(await client.prompt(QUESTION).call().content()).toBe(ANSWER);
    expect(chatModel.toolResponses).toEqual([WEATHER]);
    await client.prompt('Hello').options({ temperature: 1 }).call().content();
    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
    expect(chatModel.lastPrompt?.options?.temperature).toBe(1);
  });

  it('may name it beside tools that it has as they are', async () => {
    const { client, chatModel } = await startWith(['Hello.'], {
      toolNames: ['currentWeather'],
      toolCallbacks: [namedTool('own')],
    });
    await client.prompt(QUESTION).call().content();
    expect(offeredTools(chatModel)).toEqual(['own', 'currentWeather']);
  });

  it.each<[string, (client: ChatClient) => ReturnType<ChatClient['prompt']>, string[]]>([
    ['named', (client) => client.prompt(QUESTION).tools('wishes'), ['wishes']],
    ['named in its options', (client) => client.prompt(QUESTION).options({ toolNames: ['wishes'] }), ['wishes']],
    ['of its options', (client) => client.prompt(QUESTION).options({ toolCallbacks: [namedTool('own')] }), ['own']],
    ['named by the client', (client) => client.mutate().defaultTools('wishes').build().prompt(QUESTION), ['wishes']],
    ['none at all', (client) => client.prompt(QUESTION).tools(), []],
  ])('gives way altogether to the tools of a request: %s', async (_name, ask, offered) => {
    const { client, chatModel } = await startWith(['Hello.']);
    await ask(client).call().content();
    expect(offeredTools(chatModel)).toEqual(offered);
    expect(chatModel.lastPrompt?.options?.temperature).toBe(0.5);
  });
});
