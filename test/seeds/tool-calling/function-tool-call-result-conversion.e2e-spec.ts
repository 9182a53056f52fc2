// Page "Tool Calling", section "Result Conversion / Function Tool Call Result Conversion"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback, ToolCallResultConverter } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { IsInt } from 'class-validator';
import { type Customer, customerRepository } from './customers.js';

class CustomerRequest {
  @IsInt() id!: number;
}

class CustomToolCallResultConverter extends ToolCallResultConverter {
  async convert(result: unknown): Promise<string> {
    const { id, name } = result as Customer;
    return `${name} has the number ${id}`;
  }
}

describe('the result of a function', () => {
  it('is converted as the builder of a FunctionToolCallback says', async () => {
    const builder = FunctionToolCallback.builder<CustomerRequest>()
      .description('Retrieve customer information')
      .inputType(CustomerRequest)
      .toolFunction(({ id }) => customerRepository.findById(id));
    const plain = builder.name('plain').build();
    const custom = builder.name('custom').toolCallResultConverter(new CustomToolCallResultConverter()).build();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('custom', { id: 7 }), toolCall('plain', { id: 7 })] },
      'It is Ada.',
    ]);

    await ChatClient.create(chatModel).prompt('Who is 7?').tools(custom, plain).call().content();

    expect(chatModel.toolResponses).toEqual(['Ada has the number 7', '{"id":7,"name":"Ada"}']);
  });
});
