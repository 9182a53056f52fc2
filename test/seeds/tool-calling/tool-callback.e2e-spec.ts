// Page "Tool Calling", section "Tool Specification / Tool Callback"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  offeredToolDefinitions,
  ToolCallback,
  ToolContext,
  ToolDefinition,
  ToolMetadata,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const QUESTION = { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] };

/** A client of another model as a tool: an application made of agents. */
class AgentToolCallback extends ToolCallback {
  override readonly toolDefinition = ToolDefinition.builder()
    .name('askTheHistorian')
    .description('Ask an expert of history')
    .inputSchema(QUESTION)
    .build();

  constructor(
    private readonly agent: ChatClient,
    override readonly toolMetadata = ToolMetadata.builder().returnDirect(false).build(),
  ) {
    super();
  }

  override async call(toolInput: string, toolContext = new ToolContext()): Promise<string> {
    const { question } = JSON.parse(toolInput) as { question: string };
    const user = toolContext.get<string>('user') ?? 'nobody';
    return (await this.agent.prompt(`${user} asks: ${question}`).call().content()) ?? '';
  }
}

describe('a ToolCallback of your own', () => {
  const scene = () => {
    const historian = new ScriptedChatModel(['In 1066.']);
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('askTheHistorian', { question: 'When was Hastings?' })] },
      'It was in 1066.',
    ]);
    return { historian, chatModel, agent: ChatClient.create(historian) };
  };

  it('is offered with its definition, called with input and context, and its text goes to the model', async () => {
    const { historian, chatModel, agent } = scene();

    const response = await ChatClient.create(chatModel)
      .prompt('When was the battle of Hastings?')
      .tools(new AgentToolCallback(agent))
      .toolContext({ user: 'ada' })
      .call()
      .content();

    expect(response).toBe('It was in 1066.');
    expect(offeredToolDefinitions(chatModel.prompts[0]!.options)).toEqual([
      { name: 'askTheHistorian', description: 'Ask an expert of history', inputSchema: QUESTION },
    ]);
    expect(historian.lastPrompt!.messages).toMatchObject([{ role: 'user', text: 'ada asks: When was Hastings?' }]);
    expect(chatModel.toolResponses).toEqual(['In 1066.']);
  });

  it('is treated as its metadata say: here, its text is the answer', async () => {
    const { chatModel, agent } = scene();
    const direct = new AgentToolCallback(agent, ToolMetadata.builder().returnDirect(true).build());
    const response = await ChatClient.create(chatModel).prompt('When was it?').tools(direct).call().content();
    expect(response).toBe('In 1066.');
    expect(chatModel.prompts).toHaveLength(1);
  });

  it('can be called without a context', async () => {
    const { historian, agent } = scene();
    expect(await new AgentToolCallback(agent).call('{"question":"When?"}')).toBe('In 1066.');
    expect(historian.lastPrompt!.messages).toMatchObject([{ text: 'nobody asks: When?' }]);
  });
});
