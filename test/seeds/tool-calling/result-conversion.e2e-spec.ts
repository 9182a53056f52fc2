// Page "Tool Calling", section "Result Conversion"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  DefaultToolCallResultConverter,
  FunctionToolCallback,
  Tool,
  ToolCallResultConverter,
  toolProvider,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { callOf, resultOf, startApplication } from '../../nest/application.js';
import { type Customer, customerRepository } from './customers.js';

class CustomerTools {
  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number): Customer {
    return customerRepository.findById(id);
  }
}

const ID_SCHEMA = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

const getCustomerInfo = new FunctionToolCallback({
  name: 'getCustomerInfo',
  inputSchema: ID_SCHEMA,
  toolFunction: (input: unknown) => customerRepository.findById((input as { id: number }).id),
});

describe('the result of a tool', () => {
  it.each([
    ['a method', new CustomerTools()],
    ['a function', getCustomerInfo],
  ])('goes to the model as JSON, from %s', async (_kind, tool) => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCustomerInfo', { id: 7 })] }, 'It is Ada.']);
    const response = await ChatClient.create(chatModel).prompt('Who is 7?').tools(tool).call().content();
    expect(response).toBe('It is Ada.');
    expect(chatModel.toolResponses).toEqual(['{"id":7,"name":"Ada"}']);
  });

  it('is a text as it is, a list as JSON, and a word for nothing', async () => {
    const converter = new DefaultToolCallResultConverter();
    expect(await converter.convert('Ada')).toBe('Ada');
    expect(await converter.convert([customerRepository.findById(7)])).toBe('[{"id":7,"name":"Ada"}]');
    expect(await converter.convert(undefined)).toBe('Done');
  });

  it('is made by the converter that the application provides, for methods and functions', async () => {
    class NameOnly extends ToolCallResultConverter {
      convert(result: unknown): string {
        return `Name: ${(result as Customer).name}`;
      }
    }
    const converter = { provide: ToolCallResultConverter, useClass: NameOnly };
    const functionTool = toolProvider('getCustomerInfo', {
      inputSchema: ID_SCHEMA,
      useFactory: () => (input: unknown) => customerRepository.findById((input as { id: number }).id),
    });
    for (const provider of [CustomerTools, functionTool]) {
      const scene = await startApplication({ providers: [provider] }, callOf('getCustomerInfo', { id: 7 }), {
        providers: [converter],
      });
      await scene.client.prompt('Who is 7?').call().content();
      expect(resultOf(scene)).toBe('Name: Ada');
    }
  });
});
