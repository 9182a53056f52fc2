// Page "Tool Calling", section "Tool Context"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  DefaultToolCallingManager,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  ToolContext,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const QUESTION = 'Tell me more about the customer with ID 42';

class CustomerRepository {
  readonly searches: unknown[] = [];

  findById(id: number, tenantId: unknown) {
    this.searches.push({ id, tenantId });
    return { id, name: 'Ada Lovelace' };
  }
}

class CustomerTools {
  readonly customerRepository = new CustomerRepository();

  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number, toolContext: ToolContext) {
    return this.customerRepository.findById(id, toolContext.context.tenantId);
  }
}

const script = () => [{ toolCalls: [toolCall('getCustomerInfo', { id: 42 })] }, 'Customer 42 is Ada Lovelace.'];

/** Everything of the requests that a provider would be sent. */
function sentTo(model: ScriptedChatModel): string {
  const sent = model.prompts.map(({ messages, options }) => ({
    messages,
    tools: options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition),
  }));
  return JSON.stringify(sent);
}

describe('the tool context', () => {
  it('tells the tool whose customer is meant, and the model nothing of it', async () => {
    const chatModel = new ScriptedChatModel(script());
    const customerTools = new CustomerTools();

    const response = await ChatClient.create(chatModel)
      .prompt(QUESTION)
      .tools(customerTools)
      .toolContext({ tenantId: 'acme' })
      .call()
      .content();

    expect(response).toBe('Customer 42 is Ada Lovelace.');
    expect(customerTools.customerRepository.searches).toEqual([{ id: 42, tenantId: 'acme' }]);
    const [getCustomerInfo] = chatModel.prompts[0]!.options!.toolCallbacks!;
    expect(getCustomerInfo!.toolDefinition.inputSchema.properties).toEqual({ id: { type: 'number' } });
    expect(sentTo(chatModel)).toContain('Ada Lovelace');
    expect(sentTo(chatModel)).not.toMatch(/acme|tenantId|toolContext/);
  });

  it('is not something that the model can make up', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCustomerInfo', { id: 42, toolContext: { tenantId: 'other' } })] },
      'I may not choose the tenant.',
    ]);
    const customerTools = new CustomerTools();

    await ChatClient.create(chatModel)
      .prompt(QUESTION)
      .tools(customerTools)
      .toolContext({ tenantId: 'acme' })
      .call()
      .content();

    expect(customerTools.customerRepository.searches).toEqual([]);
    expect(chatModel.toolResponses).toEqual([expect.stringContaining('toolContext')]);
  });

  it('goes with the options when a model is called directly', async () => {
    const chatModel = new ScriptedChatModel(script());
    const tools = new CustomerTools();
    const customerTools = ToolCallbacks.from(tools);
    const chatOptions = ToolCallingChatOptions.builder()
      .toolCallbacks(customerTools)
      .toolContext({ tenantId: 'acme' })
      .build();
    const prompt = new Prompt(QUESTION, chatOptions);

    const chatResponse = await chatModel.call(prompt);

    expect(chatResponse.hasToolCalls()).toBe(true);
    expect(tools.customerRepository.searches).toEqual([]);
    await new DefaultToolCallingManager().executeToolCalls(prompt, chatResponse);
    expect(tools.customerRepository.searches).toEqual([{ id: 42, tenantId: 'acme' }]);
  });

  it('is the merge of default and runtime options, of which the runtime ones win', async () => {
    const seen: unknown[] = [];
    class RegionTools {
      @Tool({ description: 'Retrieve customer information' })
      getCustomerInfo(id: number, { context }: ToolContext) {
        seen.push({ id, ...context });
      }
    }
    const chatModel = new ScriptedChatModel(script(), { toolContext: { tenantId: 'nobody', region: 'eu' } });

    await ChatClient.create(chatModel)
      .prompt(QUESTION)
      .tools(new RegionTools())
      .toolContext({ tenantId: 'acme' })
      .call()
      .content();

    expect(seen).toEqual([{ id: 42, tenantId: 'acme', region: 'eu' }]);
  });
});
