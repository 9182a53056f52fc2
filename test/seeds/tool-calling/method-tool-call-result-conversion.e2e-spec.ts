// Page "Tool Calling", section "Result Conversion / Method Tool Call Result Conversion"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  MethodToolCallback,
  Tool,
  ToolCallbacks,
  ToolCallResultConverter,
  ToolDefinitions,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { Customer, customerRepository } from './customers.js';

class CustomToolCallResultConverter extends ToolCallResultConverter {
  convert(result: unknown, returnType: unknown): string {
    const { id, name } = result as Customer;
    return `<customer id="${id}" type="${(returnType as { name: string }).name}">${name}</customer>`;
  }
}

class CustomerTools {
  @Tool({ description: 'Retrieve customer information', resultConverter: CustomToolCallResultConverter })
  getCustomerInfo(id: number): Customer {
    return customerRepository.findById(id);
  }

  @Tool({ description: 'Retrieve customer information' })
  getPlainCustomerInfo(id: number): Customer {
    return customerRepository.findById(id);
  }
}

const XML = '<customer id="7" type="Customer">Ada</customer>';

describe('the result of a method', () => {
  it('is converted as its @Tool says, and only that of this method', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCustomerInfo', { id: 7 }), toolCall('getPlainCustomerInfo', { id: 7 })] },
      'It is Ada.',
    ]);
    await ChatClient.create(chatModel).prompt('Who is 7?').tools(new CustomerTools()).call().content();
    expect(chatModel.toolResponses).toEqual([XML, '{"id":7,"name":"Ada"}']);
  });

  it('is converted as the builder of a MethodToolCallback says', async () => {
    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.from(CustomerTools, 'getPlainCustomerInfo'))
      .toolMethod('getPlainCustomerInfo')
      .toolObject(new CustomerTools())
      .toolCallResultConverter(new CustomToolCallResultConverter())
      .build();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getPlainCustomerInfo', { id: 7 })] },
      'It is Ada.',
    ]);
    await ChatClient.create(chatModel).prompt('Who is 7?').tools(toolCallback).call().content();
    expect(chatModel.toolResponses).toEqual([XML]);
  });

  it('that cannot be converted is an error that the model is told of', async () => {
    class Broken extends ToolCallResultConverter {
      convert(): string {
        throw new Error('This customer cannot be shown.');
      }
    }
    class BrokenTools {
      @Tool({ resultConverter: new Broken() }) getCustomerInfo(id: number): Customer {
        return customerRepository.findById(id);
      }
    }
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCustomerInfo', { id: 7 })] }, 'I cannot say.']);
    const [tool] = ToolCallbacks.from(new BrokenTools());
    expect(await ChatClient.create(chatModel).prompt('Who is 7?').tools(tool!).call().content()).toBe('I cannot say.');
    expect(chatModel.lastPrompt!.messages.at(-1)).toMatchObject({
      responses: [{ responseData: 'This customer cannot be shown.', isError: true }],
    });
  });
});
