// Page "Tool Calling", section "Result Conversion", with "Method Tool Call Result Conversion" and "Function Tool Call Result Conversion"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  DefaultToolCallResultConverter,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  ToolCallResultConverter,
  ToolDefinitions,
  toolProvider,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { callOf, resultOf, startApplication } from '../../nest/application.js';
import { Customer, customerRepository } from './customers.js';

const ID_SCHEMA = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const JSON_OF_CUSTOMER = '{"id":7,"name":"Ada"}';

/** A `getCustomerInfo` of each kind, with a converter of its own or without. */
const KINDS: [kind: string, make: (converter?: ToolCallResultConverter) => object][] = [
  [
    'a method with @Tool',
    (resultConverter) => {
      class CustomerTools {
        @Tool({ description: 'Retrieve customer information', ...(resultConverter && { resultConverter }) })
        getCustomerInfo(id: number): Customer {
          return customerRepository.findById(id);
        }
      }
      return new CustomerTools();
    },
  ],
  [
    'a MethodToolCallback',
    (converter) => {
      class CustomerTools {
        @Tool() getCustomerInfo(id: number): Customer {
          return customerRepository.findById(id);
        }
      }
      const builder = MethodToolCallback.builder()
        .toolDefinition(ToolDefinitions.from(CustomerTools, 'getCustomerInfo'))
        .toolMethod('getCustomerInfo')
        .toolObject(new CustomerTools());
      return (converter ? builder.toolCallResultConverter(converter) : builder).build();
    },
  ],
  [
    'a FunctionToolCallback',
    (converter) => {
      const builder = FunctionToolCallback.builder<{ id: number }>()
        .name('getCustomerInfo')
        .inputSchema(ID_SCHEMA)
        .toolFunction(({ id }) => customerRepository.findById(id));
      return (converter ? builder.toolCallResultConverter(converter) : builder).build();
    },
  ],
];

const askForCustomer = async (tool: object) => {
  const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCustomerInfo', { id: 7 })] }, 'It is Ada.']);
  const response = await ChatClient.create(chatModel).prompt('Who is 7?').tools(tool).call().content();
  return { response, chatModel };
};

describe.each(KINDS)('the result of %s', (_kind, make) => {
  it('goes to the model as JSON', async () => {
    const { response, chatModel } = await askForCustomer(make());
    expect(response).toBe('It is Ada.');
    expect(chatModel.toolResponses).toEqual([JSON_OF_CUSTOMER]);
  });

  it('is converted by the converter of the tool, even one that answers later', async () => {
    class InWords extends ToolCallResultConverter {
      async convert(result: unknown): Promise<string> {
        const { id, name } = result as Customer;
        return `${name} has the number ${id}`;
      }
    }
    const { chatModel } = await askForCustomer(make(new InWords()));
    expect(chatModel.toolResponses).toEqual(['Ada has the number 7']);
  });

  it('that cannot be converted is an error that the model is told of', async () => {
    class Broken extends ToolCallResultConverter {
      convert(): string {
        throw new Error('This customer cannot be shown.');
      }
    }
    const { chatModel } = await askForCustomer(make(new Broken()));
    expect(chatModel.lastPrompt!.messages.at(-1)).toMatchObject({
      responses: [{ responseData: 'This customer cannot be shown.', isError: true }],
    });
  });
});

describe('the converter of a method', () => {
  class CustomerAsXml extends ToolCallResultConverter {
    convert(result: unknown, returnType: unknown): string {
      const { id, name } = result as Customer;
      return `<customer id="${id}" type="${(returnType as { name: string }).name}">${name}</customer>`;
    }
  }

  class CustomerTools {
    @Tool({ description: 'Retrieve customer information', resultConverter: CustomerAsXml })
    getCustomerInfo(id: number): Customer {
      return customerRepository.findById(id);
    }

    @Tool({ description: 'Retrieve customer information' })
    getPlainCustomerInfo(id: number): Customer {
      return customerRepository.findById(id);
    }
  }

  const XML = '<customer id="7" type="Customer">Ada</customer>';

  it('may be a class in @Tool, learns the return type, and is for this method only', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCustomerInfo', { id: 7 }), toolCall('getPlainCustomerInfo', { id: 7 })] },
      'It is Ada.',
    ]);
    await ChatClient.create(chatModel).prompt('Who is 7?').tools(new CustomerTools()).call().content();
    expect(chatModel.toolResponses).toEqual([XML, JSON_OF_CUSTOMER]);
  });

  it('learns the return type of a MethodToolCallback as well', async () => {
    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.builder(CustomerTools, 'getPlainCustomerInfo').name('getCustomerInfo').build())
      .toolMethod('getPlainCustomerInfo')
      .toolObject(new CustomerTools())
      .toolCallResultConverter(new CustomerAsXml())
      .build();
    const { chatModel } = await askForCustomer(toolCallback);
    expect(chatModel.toolResponses).toEqual([XML]);
  });
});

describe('a FunctionToolCallback', () => {
  it('has a converter for itself: one of the same builder without it stays as it was', async () => {
    const builder = FunctionToolCallback.builder<{ id: number }>()
      .inputSchema(ID_SCHEMA)
      .toolFunction(({ id }) => customerRepository.findById(id));
    class NameOnly extends ToolCallResultConverter {
      convert(result: unknown): string {
        return (result as Customer).name;
      }
    }
    const plain = builder.name('plain').build();
    const custom = builder.name('custom').toolCallResultConverter(new NameOnly()).build();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('custom', { id: 7 }), toolCall('plain', { id: 7 })] },
      'It is Ada.',
    ]);
    await ChatClient.create(chatModel).prompt('Who is 7?').tools(custom, plain).call().content();
    expect(chatModel.toolResponses).toEqual(['Ada', JSON_OF_CUSTOMER]);
  });
});

describe('the default converter', () => {
  it('gives a text as it is, a list as JSON, and a word for nothing', async () => {
    const converter = new DefaultToolCallResultConverter();
    expect(await converter.convert('Ada')).toBe('Ada');
    expect(await converter.convert([customerRepository.findById(7)])).toBe(`[${JSON_OF_CUSTOMER}]`);
    expect(await converter.convert(undefined)).toBe('Done');
  });

  class CustomerTools {
    @Tool() getCustomerInfo(id: number): Customer {
      return customerRepository.findById(id);
    }
  }

  it.each([
    ['methods', CustomerTools],
    [
      'functions',
      toolProvider('getCustomerInfo', {
        inputSchema: ID_SCHEMA,
        useFactory: () => (input: unknown) => customerRepository.findById((input as { id: number }).id),
      }),
    ],
  ])('is replaced by the one that the application provides, for %s', async (_kind, provider) => {
    class NameOnly extends ToolCallResultConverter {
      convert(result: unknown): string {
        return `Name: ${(result as Customer).name}`;
      }
    }
    const scene = await startApplication({ providers: [provider] }, callOf('getCustomerInfo', { id: 7 }), {
      providers: [{ provide: ToolCallResultConverter, useClass: NameOnly }],
    });
    await scene.client.prompt('Who is 7?').call().content();
    expect(resultOf(scene)).toBe('Name: Ada');
  });
});
