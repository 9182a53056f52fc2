// Page "Tool Calling" (first edition), section "Tool Context"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  type ChatOptions,
  DefaultToolCallingManager,
  mergeChatOptions,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  ToolContext,
  toMessageJson,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const QUESTION = 'Tell me more about the customer with ID 42';
const script = [{ toolCalls: [toolCall('getCustomerInfo', { id: 42 })] }, 'Ada has been a customer since 2015.'];

class CustomerTools {
  readonly contexts: Readonly<Record<string, unknown>>[] = [];

  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number, toolContext: ToolContext) {
    this.contexts.push(toolContext.context);
    return { id, name: 'Ada', tenant: toolContext.get('tenantId') };
  }
}

describe('what is given as tool context', () => {
  it('reaches the tool beside the arguments of the model, and the model never', async () => {
    const model = new ScriptedChatModel(script);
    const response = await ChatClient.create(model)
      .prompt(QUESTION)
      .tools(new CustomerTools())
      .toolContext({ tenantId: 'acme', token: 'top secret' })
      .call()
      .content();
    expect(response).toBe('Ada has been a customer since 2015.');
    expect(model.toolResponses).toEqual(['{"id":42,"name":"Ada","tenant":"acme"}']);
    const [tool] = model.lastPrompt!.options!.toolCallbacks!;
    expect(tool!.toolDefinition.inputSchema.properties).toEqual({ id: { type: 'number' } });
    expect(JSON.stringify(model.lastPrompt!.messages.map(toMessageJson))).not.toContain('top secret');
  });

  it('may stand in the options of a prompt for a model that is called directly', async () => {
    const customerTools = ToolCallbacks.from(new CustomerTools());
    const chatOptions = ToolCallingChatOptions.builder()
      .toolCallbacks(customerTools)
      .toolContext({ tenantId: 'acme' })
      .build();
    const prompt = new Prompt(QUESTION, chatOptions);
    const response = await new ScriptedChatModel(script).call(prompt);
    const { conversationHistory } = await new DefaultToolCallingManager().executeToolCalls(prompt, response);
    expect(conversationHistory.at(-1)).toMatchObject({
      responses: [{ responseData: '{"id":42,"name":"Ada","tenant":"acme"}' }],
    });
  });
});

describe('tool context in the defaults and in the request', () => {
  const defaults: ChatOptions = { toolContext: { tenantId: 'default', region: 'eu' } };

  it('is united, and the value of the request wins: defaults of the model', async () => {
    const tools = new CustomerTools();
    const client = ChatClient.create(new ScriptedChatModel(script, defaults));
    await client.prompt(QUESTION).tools(tools).toolContext({ tenantId: 'acme', user: 'bob' }).call().content();
    expect(tools.contexts).toEqual([{ tenantId: 'acme', region: 'eu', user: 'bob' }]);
  });

  it('is united, and the value of the request wins: defaults of the client', async () => {
    const tools = new CustomerTools();
    const client = ChatClient.builder(new ScriptedChatModel(script)).defaultOptions(defaults).build();
    const prompt = new Prompt(QUESTION, { toolContext: { tenantId: 'acme', user: 'bob' } });
    await client.prompt(prompt).tools(tools).call().content();
    expect(tools.contexts).toEqual([{ tenantId: 'acme', region: 'eu', user: 'bob' }]);
  });

  it('is the stronger, the nearer it stands to the request', async () => {
    const tools = new CustomerTools();
    const model = new ScriptedChatModel([...script, ...script], { toolContext: { a: 1, b: 1, c: 1, d: 1 } });
    const client = ChatClient.builder(model)
      .defaultOptions({ toolContext: { b: 2, c: 2, d: 2 } })
      .defaultToolContext({ c: 3, d: 3 })
      .build();
    await client.prompt(QUESTION).tools(tools).toolContext({ d: 4 }).call().content();
    await client.prompt(QUESTION).tools(tools).call().content();
    expect(tools.contexts).toEqual([
      { a: 1, b: 2, c: 3, d: 4 },
      { a: 1, b: 2, c: 3, d: 3 },
    ]);
  });

  it('is united in the same way by whoever lays options over others himself', () => {
    const merged = mergeChatOptions(defaults, { toolContext: { tenantId: 'acme' } });
    expect(merged.toolContext).toEqual({ tenantId: 'acme', region: 'eu' });
    expect(ToolCallingChatOptions.mergeToolContext({ tenantId: 'acme' }, defaults.toolContext)).toEqual(
      merged.toolContext,
    );
  });
});
