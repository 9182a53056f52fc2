// Page "Tool Calling", sections "Return Direct" and "Method Return Direct"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, MethodToolCallback, Tool, ToolDefinitions, ToolMetadata, ToolParam } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';

const QUESTION = 'Tell me more about the customer with ID 42';

class CustomerTools {
  @Tool({ description: 'Retrieve customer information', returnDirect: true })
  getCustomerInfo(id: number) {
    return { id, name: 'Ada Lovelace' };
  }

  @Tool({ description: 'Count the orders of a customer' })
  countOrders(id: number) {
    return `Customer ${id} has 3 orders`;
  }
}

const customerCall = () => toolCall('getCustomerInfo', { id: 42 });

describe('a method that returns directly', () => {
  it('answers the user itself: the model is not asked again', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [customerCall()] }]);

    const response = await ChatClient.create(chatModel)
      .prompt(QUESTION)
      .tools(new CustomerTools())
      .call()
      .chatResponse();

    expect(JSON.parse(response!.text!)).toEqual({ id: 42, name: 'Ada Lovelace' });
    expect(response?.result?.metadata).toMatchObject({ finishReason: 'returnDirect', toolName: 'getCustomerInfo' });
    chatModel.assertDone();
  });

  it('answers a stream in the same way', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [customerCall()] }]);
    const texts: string[] = [];

    const stream = ChatClient.create(chatModel).prompt(QUESTION).tools(new CustomerTools()).stream().content();
    for await (const text of stream) texts.push(text);

    expect(texts.map((text) => JSON.parse(text))).toEqual([{ id: 42, name: 'Ada Lovelace' }]);
  });

  it('returns to the model beside a tool that does not return directly', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [customerCall(), toolCall('countOrders', { id: 42 })] },
      'Ada Lovelace has ordered three times.',
    ]);

    const response = await ChatClient.create(chatModel).prompt(QUESTION).tools(new CustomerTools()).call().content();

    expect(response).toBe('Ada Lovelace has ordered three times.');
    expect(chatModel.toolResponses).toEqual(['{"id":42,"name":"Ada Lovelace"}', 'Customer 42 has 3 orders']);
  });

  it('may be told so by its metadata', async () => {
    class PlainCustomerTools {
      getCustomerInfo(@ToolParam() id: number) {
        return { id, name: 'Grace Hopper' };
      }
    }
    const toolMetadata = ToolMetadata.builder().returnDirect(true).build();
    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(
        ToolDefinitions.builder(PlainCustomerTools, 'getCustomerInfo')
          .description('Retrieve customer information')
          .build(),
      )
      .toolMetadata(toolMetadata)
      .toolMethod('getCustomerInfo')
      .toolObject(new PlainCustomerTools())
      .build();
    const chatModel = new ScriptedChatModel([{ toolCalls: [customerCall()] }]);

    const response = await ChatClient.create(chatModel).prompt(QUESTION).tools(toolCallback).call().content();

    expect(JSON.parse(response!)).toEqual({ id: 42, name: 'Grace Hopper' });
    chatModel.assertDone();
  });
});
