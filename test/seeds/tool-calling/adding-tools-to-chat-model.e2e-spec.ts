// Page "Tool Calling", sections "Adding Tools to ChatModel" of methods, functions and names of functions
import { describe, expect, it } from '@jest/globals';
import { offeredToolDefinitions, Prompt } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { offeredTools } from '../../nest/application.js';
import { ANSWER, CALLBACK_KINDS, QUESTION, scriptOf, TOOL_KINDS } from './tool-kinds.js';

describe.each(CALLBACK_KINDS)('%s in a prompt for a model that is called directly', (_kind, make) => {
  it('is offered to the model, and what the model wants to call is left to the caller', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel([...scriptOf(tool)]);

    const response = await chatModel.call(new Prompt(QUESTION, tool.options));

    expect(offeredToolDefinitions(chatModel.lastPrompt!.options)).toMatchObject([
      { name: tool.name, description: tool.description, inputSchema: { required: Object.keys(tool.input) } },
    ]);
    expect(response.hasToolCalls()).toBe(true);
    expect(response.result!.output.toolCalls).toMatchObject([
      { name: tool.name, arguments: JSON.stringify(tool.input) },
    ]);
    expect(tool.received).toEqual([]);

    await chatModel.call(new Prompt(QUESTION));
    expect(offeredToolDefinitions(chatModel.lastPrompt!.options)).toEqual([]);
  });
});

describe.each(TOOL_KINDS)('%s in a prompt that goes through a client', (_kind, make) => {
  it('is offered and run, and the user reads the answer that is made of its result', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel(scriptOf(tool));
    const chatClient = (await tool.clientBuilder(chatModel)).build();

    const response = await chatClient.prompt(new Prompt(QUESTION, tool.options)).call().chatResponse();

    expect(response?.text).toBe(ANSWER);
    expect(offeredTools(chatModel)).toEqual([tool.name]);
    expect(tool.received).toEqual([tool.input]);
    expect(chatModel.toolResponses).toEqual([tool.result]);
  });
});
