// Page "Tool Calling", sections "Return Direct", "Method Return Direct" and "Function Return Direct"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  ToolDefinitions,
  ToolMetadata,
  ToolParam,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { customerRepository } from './customers.js';

const QUESTION = 'Tell me more about the customer with ID 42';
const CUSTOMER = { id: 42, name: 'Ada' };

const description = 'Retrieve customer information';

/** `getCustomerInfo` of each kind, with `returnDirect` or with the defaults. */
const KINDS: [kind: string, make: (metadata: { returnDirect?: boolean }) => object][] = [
  [
    'a method with @Tool',
    (metadata) => {
      class CustomerTools {
        @Tool({ description, ...metadata })
        getCustomerInfo(id: number) {
          return customerRepository.findById(id);
        }
      }
      return new CustomerTools();
    },
  ],
  [
    'a MethodToolCallback',
    ({ returnDirect }) => {
      class CustomerTools {
        getCustomerInfo(@ToolParam() id: number) {
          return customerRepository.findById(id);
        }
      }
      const builder = MethodToolCallback.builder()
        .toolDefinition(ToolDefinitions.builder(CustomerTools, 'getCustomerInfo').description(description).build())
        .toolMethod('getCustomerInfo')
        .toolObject(new CustomerTools());
      return (returnDirect ? builder.toolMetadata(ToolMetadata.builder().returnDirect(true).build()) : builder).build();
    },
  ],
  [
    'a FunctionToolCallback',
    ({ returnDirect }) => {
      const builder = FunctionToolCallback.builder<{ id: number }>()
        .name('getCustomerInfo')
        .description(description)
        .inputSchema({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] })
        .toolFunction(({ id }) => customerRepository.findById(id));
      return (returnDirect ? builder.toolMetadata(ToolMetadata.builder().returnDirect(true).build()) : builder).build();
    },
  ],
];

const countOrders = new FunctionToolCallback({
  name: 'countOrders',
  toolFunction: () => 'Customer 42 has 3 orders',
});

const customerCall = () => toolCall('getCustomerInfo', { id: 42 });

describe.each(KINDS)('%s that returns directly', (_kind, make) => {
  it('answers the user itself: the model is not asked again', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [customerCall()] }]);

    const response = await ChatClient.create(chatModel)
      .prompt(QUESTION)
      .tools(make({ returnDirect: true }))
      .call()
      .chatResponse();

    expect(JSON.parse(response!.text!)).toEqual(CUSTOMER);
    expect(response?.result?.metadata).toMatchObject({ finishReason: 'returnDirect', toolName: 'getCustomerInfo' });
    chatModel.assertDone();
  });

  it('answers a stream in the same way', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [customerCall()] }]);
    const texts: string[] = [];

    const request = ChatClient.create(chatModel).prompt(QUESTION);
    for await (const text of request
      .tools(make({ returnDirect: true }))
      .stream()
      .content())
      texts.push(text);

    expect(texts.map((text) => JSON.parse(text))).toEqual([CUSTOMER]);
    chatModel.assertDone();
  });

  it('returns to the model beside a tool that does not return directly', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [customerCall(), toolCall('countOrders')] },
      'Ada has ordered three times.',
    ]);

    const request = ChatClient.create(chatModel).prompt(QUESTION);
    const response = await request
      .tools(make({ returnDirect: true }), countOrders)
      .call()
      .content();

    expect(response).toBe('Ada has ordered three times.');
    expect(chatModel.toolResponses).toEqual([JSON.stringify(CUSTOMER), 'Customer 42 has 3 orders']);
  });
});

describe.each(KINDS)('%s by default', (_kind, make) => {
  it('returns to the model', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [customerCall()] }, 'It is Ada.']);

    const response = await ChatClient.create(chatModel).prompt(QUESTION).tools(make({})).call().content();

    expect(response).toBe('It is Ada.');
    expect(chatModel.toolResponses).toEqual([JSON.stringify(CUSTOMER)]);
  });
});
