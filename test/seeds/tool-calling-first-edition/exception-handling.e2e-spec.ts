// Page "Tool Calling" (first edition), section "Exception Handling"
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  ChatClient,
  DefaultToolCallingManager,
  DefaultToolExecutionExceptionProcessor,
  Prompt,
  Tool,
  ToolCallback,
  ToolCallbacks,
  ToolDefinition,
  ToolExecutionException,
  ToolExecutionExceptionProcessor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../../nest/application.js';

const QUESTION = 'Tell me more about the customer with ID 42';
const script = [{ toolCalls: [toolCall('getCustomerInfo', { id: 42 })] }, 'I could not find out.'];

class NoSuchCustomer extends Error {}

@Injectable()
class CustomerTools {
  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number): string {
    throw new NoSuchCustomer(`There is no customer ${id}`);
  }
}

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error,
  );

describe('a tool that fails', () => {
  it('tells the model why, by default, and the turn goes on', async () => {
    const { client, model } = await startApplication({ providers: [CustomerTools] }, script);
    expect(await client.prompt(QUESTION).call().content()).toBe('I could not find out.');
    expect(model.lastPrompt?.messages.at(-1)).toMatchObject({
      role: 'tool',
      responses: [{ name: 'getCustomerInfo', responseData: 'There is no customer 42', isError: true }],
    });
  });

  it('throws at the caller instead, with the processor that always throws', async () => {
    const { client, model } = await startApplication({ providers: [CustomerTools] }, script, {
      providers: [
        {
          provide: ToolExecutionExceptionProcessor,
          useFactory: () => new DefaultToolExecutionExceptionProcessor({ alwaysThrow: true }),
        },
      ],
    });
    const error = (await thrownBy(client.prompt(QUESTION).call().content())) as ToolExecutionException;
    expect(error).toBeInstanceOf(ToolExecutionException);
    expect(error.toolDefinition.name).toBe('getCustomerInfo');
    expect(error.message).toBe('There is no customer 42');
    expect(error.cause).toBeInstanceOf(NoSuchCustomer);
    expect(model.prompts).toHaveLength(1);
  });

  it('is told of by a processor of your own, which chooses between the two', async () => {
    class OnlyKnownCauses extends ToolExecutionExceptionProcessor {
      process(exception: ToolExecutionException): string {
        if (exception.cause instanceof NoSuchCustomer) return `${exception.toolDefinition.name}: nobody`;
        throw exception;
      }
    }
    class BrokenTools {
      @Tool() open() {
        throw new Error('The database is gone');
      }
    }
    const { client, model } = await startApplication(
      { providers: [CustomerTools] },
      [...script, { toolCalls: [toolCall('open')] }],
      { providers: [{ provide: ToolExecutionExceptionProcessor, useClass: OnlyKnownCauses }] },
    );
    await client.prompt(QUESTION).call().content();
    expect(model.toolResponses).toEqual(['getCustomerInfo: nobody']);
    const error = await thrownBy(client.prompt('Open').tools(new BrokenTools()).call().content());
    expect(error).toBeInstanceOf(ToolExecutionException);
    expect(error).toHaveProperty('message', 'The database is gone');
  });

  it('is handled by the manager in the same way when the caller runs the tools', async () => {
    const prompt = new Prompt(QUESTION, { toolCallbacks: ToolCallbacks.from(new CustomerTools()) });
    const response = await new ScriptedChatModel(script).call(prompt);
    const told = await new DefaultToolCallingManager().executeToolCalls(prompt, response);
    expect(told.conversationHistory.at(-1)).toMatchObject({ responses: [{ isError: true }] });
    const strict = new DefaultToolCallingManager({
      toolExecutionExceptionProcessor: new DefaultToolExecutionExceptionProcessor({ alwaysThrow: true }),
    });
    await expect(strict.executeToolCalls(prompt, response)).rejects.toBeInstanceOf(ToolExecutionException);
  });
});

describe('a ToolCallback of your own', () => {
  class CustomerTool extends ToolCallback {
    override readonly toolDefinition = ToolDefinition.builder()
      .name('getCustomerInfo')
      .description('Retrieve customer information')
      .inputSchema({ type: 'object', properties: { id: { type: 'number' } } })
      .build();

    override call(): Promise<string> {
      return Promise.reject(new ToolExecutionException(this.toolDefinition, new NoSuchCustomer('Nobody has that ID')));
    }
  }

  it('throws a ToolExecutionException when it fails, and the model reads the message of its cause', async () => {
    const model = new ScriptedChatModel(script);
    await ChatClient.create(model).prompt(QUESTION).tools(new CustomerTool()).call().content();
    expect(model.toolResponses).toEqual(['Nobody has that ID']);
  });

  it('hands that very exception to the processor', async () => {
    const seen: ToolExecutionException[] = [];
    class Watching extends DefaultToolExecutionExceptionProcessor {
      override process(exception: ToolExecutionException): string {
        seen.push(exception);
        return super.process(exception);
      }
    }
    const { client } = await startApplication({}, script, {
      providers: [{ provide: ToolExecutionExceptionProcessor, useClass: Watching }],
    });
    await client.prompt(QUESTION).tools(new CustomerTool()).call().content();
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBeInstanceOf(ToolExecutionException);
    expect(seen[0]?.cause).toBeInstanceOf(NoSuchCustomer);
  });
});
