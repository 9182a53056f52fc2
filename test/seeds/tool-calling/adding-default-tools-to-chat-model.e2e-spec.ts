// Page "Tool Calling", sections "Adding Default Tools to ChatModel" of methods, functions and names of functions
import { describe, expect, it } from '@jest/globals';
import { ChatClient, ToolCallingChatOptions } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { offeredTools } from '../../nest/application.js';
import { ANSWER, CALLBACK_KINDS, ownTool, QUESTION, scriptOf, TOOL_KINDS } from './tool-kinds.js';

/** Requests that decide about their tools themselves, and the tools that they have. */
const REQUESTS_WITH_TOOLS: [string, (client: ChatClient) => ReturnType<ChatClient['prompt']>, string[]][] = [
  ['a request', (client) => client.prompt(QUESTION).tools(ownTool()), ['own']],
  ['the options of a request', (client) => client.prompt(QUESTION).options({ toolCallbacks: [ownTool()] }), ['own']],
  ['a client', (client) => client.mutate().defaultTools(ownTool()).build().prompt(QUESTION), ['own']],
  ['a request that wants none', (client) => client.prompt(QUESTION).tools(), []],
];

describe.each(TOOL_KINDS)('%s as the default tool of a model', (_kind, make) => {
  it('is offered and run in every request of all clients of the model', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel([...scriptOf(tool), ...scriptOf(tool), ...scriptOf(tool)], tool.options);
    const builder = await tool.clientBuilder(chatModel);
    const [first, second] = [builder.build(), builder.build()];
    for (const chatClient of [first, first, second]) {
      expect(await chatClient.prompt(QUESTION).call().content()).toBe(ANSWER);
      expect(offeredTools(chatModel)).toEqual([tool.name]);
      expect(chatModel.toolResponses).toEqual([tool.result]);
    }
    expect(tool.received).toEqual([tool.input, tool.input, tool.input]);
    chatModel.assertDone();
  });

  it('stays when a request has other options', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel(['Hello'], { ...tool.options, temperature: 0.5 });
    const chatClient = (await tool.clientBuilder(chatModel)).build();
    await chatClient.prompt('Hi').options({ temperature: 1 }).call().content();
    expect(offeredTools(chatModel)).toEqual([tool.name]);
    expect(chatModel.lastPrompt?.options?.temperature).toBe(1);
  });

  it.each(REQUESTS_WITH_TOOLS)(
    'is replaced completely by the tools of %s, and is back in the next request',
    async (_name, ask, offered) => {
      const tool = make();
      const chatModel = new ScriptedChatModel(['One', 'Two'], { ...tool.options, temperature: 0.5 });
      const chatClient = (await tool.clientBuilder(chatModel)).build();

      await ask(chatClient).call().content();
      expect(offeredTools(chatModel)).toEqual(offered);
      expect(chatModel.lastPrompt?.options?.temperature).toBe(0.5);

      await chatClient.prompt(QUESTION).call().content();
      expect(offeredTools(chatModel)).toEqual([tool.name]);
    },
  );

  it('is unknown to a model that calls it when the request brings others', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall(tool.name, tool.input)] }, ANSWER], tool.options);
    const chatClient = (await tool.clientBuilder(chatModel)).build();

    await chatClient.prompt(QUESTION).tools(ownTool()).call().content();

    expect(chatModel.toolResponses).toEqual([expect.stringContaining(`Unknown tool '${tool.name}'`)]);
    expect(tool.received).toEqual([]);
  });
});

describe('default tools of a model', () => {
  const toolCallbacks = CALLBACK_KINDS.flatMap(([, make]) => make().options.toolCallbacks ?? []);

  it('may be of several kinds, and keep their order', async () => {
    const chatModel = new ScriptedChatModel(['Hello'], { toolCallbacks });
    await ChatClient.create(chatModel).prompt('Hi').call().content();
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime', 'getTimeZone', 'currentWeather']);
  });

  it('are merged by the same rule for code that calls a model itself', () => {
    const own = [ownTool()];
    const { mergeToolCallbacks } = ToolCallingChatOptions;
    expect(mergeToolCallbacks(own, toolCallbacks)).toEqual(own);
    expect(mergeToolCallbacks(undefined, toolCallbacks)).toEqual(toolCallbacks);
    expect(mergeToolCallbacks([], toolCallbacks)).toEqual(toolCallbacks);
  });
});
