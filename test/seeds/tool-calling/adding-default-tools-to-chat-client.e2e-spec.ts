// Page "Tool Calling", sections "Adding Default Tools to ChatClient" of methods, functions and names of functions
import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { offeredTools } from '../../nest/application.js';
import { ANSWER, ownTool, QUESTION, scriptOf, TOOL_KINDS } from './tool-kinds.js';

describe.each(TOOL_KINDS)('%s as the default tool of a client', (_kind, make) => {
  it('is offered and run in every request, of every client of the builder', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel([...scriptOf(tool), ...scriptOf(tool), ...scriptOf(tool)]);
    const builder = (await tool.clientBuilder(chatModel)).defaultTools(tool.source);
    const [first, second] = [builder.build(), builder.build()];
    for (const chatClient of [first, first, second]) {
      expect(await chatClient.prompt(QUESTION).call().content()).toBe(ANSWER);
      expect(offeredTools(chatModel)).toEqual([tool.name]);
      expect(chatModel.toolResponses).toEqual([tool.result]);
    }
    expect(tool.received).toEqual([tool.input, tool.input, tool.input]);
    chatModel.assertDone();
  });

  it('is shared by clients of the builder that differ otherwise', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel(['One', 'Two']);
    const builder = (await tool.clientBuilder(chatModel)).defaultTools(tool.source);
    const [plain, brief] = [builder.build(), builder.defaultSystem('Be brief.').build()];

    await plain.prompt('Hi').call().content();
    expect(offeredTools(chatModel)).toEqual([tool.name]);
    expect(chatModel.lastPrompt!.messages.map(({ role }) => role)).toEqual(['user']);

    await brief.prompt('Hi').call().content();
    expect(offeredTools(chatModel)).toEqual([tool.name]);
    expect(chatModel.lastPrompt!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('is replaced completely by the tools of a request', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall(tool.name, tool.input), toolCall('own')] },
      ANSWER,
    ]);
    const chatClient = (await tool.clientBuilder(chatModel)).defaultTools(tool.source).build();

    await chatClient.prompt(QUESTION).tools(ownTool()).call().content();

    expect(offeredTools(chatModel)).toEqual(['own']);
    expect(chatModel.toolResponses).toEqual([expect.stringContaining(`Unknown tool '${tool.name}'`), 'own done']);
    expect(tool.received).toEqual([]);
  });

  it('is not offered to a request that wants no tools', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel(['Hello']);
    const chatClient = (await tool.clientBuilder(chatModel)).defaultTools(tool.source).build();
    await chatClient.prompt('Hi').tools().call().content();
    expect(offeredTools(chatModel)).toEqual([]);
  });
});
