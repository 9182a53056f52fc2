// Page "Tool Calling", section "Exception Handling"
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import {
  ChatClient,
  DefaultToolExecutionExceptionProcessor,
  Tool,
  ToolCallback,
  ToolDefinition,
  ToolExecutionException,
  ToolExecutionExceptionProcessor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../../nest/application.js';

class IOException extends Error {}

@Injectable()
class CustomerTools {
  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number): never {
    throw new IOException(`The database has lost customer ${id}`);
  }
}

const script = (name = 'getCustomerInfo') => [
  { toolCalls: [toolCall(name, { id: 42 })] },
  'I cannot find out about customer 42.',
];
const QUESTION = 'Tell me more about the customer with ID 42';
const LOST = 'The database has lost customer 42';

const startWith = (processor: ToolExecutionExceptionProcessor) =>
  startApplication({ providers: [CustomerTools] }, script(), {
    providers: [{ provide: ToolExecutionExceptionProcessor, useFactory: () => processor }],
  });

describe('a tool that fails', () => {
  it('tells the model why, and the turn goes on', async () => {
    const { client, model } = await startApplication({ providers: [CustomerTools] }, script());

    expect(await client.prompt(QUESTION).call().content()).toBe('I cannot find out about customer 42.');
    expect(model.lastPrompt?.messages.at(-1)).toMatchObject({ responses: [{ responseData: LOST, isError: true }] });
  });

  it('ends the turn with an exception that names the tool, where the processor always throws', async () => {
    const { client, model } = await startWith(new DefaultToolExecutionExceptionProcessor({ alwaysThrow: true }));

    const error = await client
      .prompt(QUESTION)
      .call()
      .content()
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ToolExecutionException);
    const { message, cause, toolDefinition } = error as ToolExecutionException;
    expect(message).toBe(LOST);
    expect(cause).toBeInstanceOf(IOException);
    expect(toolDefinition.name).toBe('getCustomerInfo');
    expect(model.prompts).toHaveLength(1);
  });

  it('ends the turn where ai.tools.throw-exception-on-error says so', async () => {
    const load = [() => ({ ai: { tools: { 'throw-exception-on-error': true } } })];
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load });
    const { client } = await startApplication({ imports: [config], providers: [CustomerTools] }, script());

    await expect(client.prompt(QUESTION).call().content()).rejects.toBeInstanceOf(ToolExecutionException);
  });

  it('ends the turn with the error itself, where errors of its class are to be thrown', async () => {
    const { client } = await startWith(new DefaultToolExecutionExceptionProcessor({ rethrow: [IOException] }));

    await expect(client.prompt(QUESTION).call().content()).rejects.toBeInstanceOf(IOException);
  });

  it('tells the model whatever a processor of one’s own makes of it', async () => {
    const { client, model } = await startWith({
      process: ({ toolDefinition }) => `${toolDefinition.name} does not work today`,
    });

    await client.prompt(QUESTION).call().content();

    expect(model.toolResponses).toEqual(['getCustomerInfo does not work today']);
  });

  it('may be a callback of one’s own, which throws a ToolExecutionException', async () => {
    class Broken extends ToolCallback {
      readonly toolDefinition = ToolDefinition.builder().name('broken').inputSchema({ type: 'object' }).build();

      async call(): Promise<string> {
        throw new ToolExecutionException(this.toolDefinition, new Error('Out of order'));
      }
    }
    const chatModel = new ScriptedChatModel(script('broken'));

    await ChatClient.create(chatModel).prompt(QUESTION).tools(new Broken()).call().content();

    expect(chatModel.toolResponses).toEqual(['Out of order']);
  });
});
