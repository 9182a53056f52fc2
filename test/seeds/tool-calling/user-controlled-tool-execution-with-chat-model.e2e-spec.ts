// Page "Tool Calling", section "User-Controlled Tool Execution", "With ChatModel"
import { describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  ChatResponse,
  DefaultToolCallingManager,
  MessageAggregator,
  MessageWindowChatMemory,
  Prompt,
  SystemMessage,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, mergeMap, type Observable, toArray } from 'rxjs';

class CustomerTools {
  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number) {
    return { id, name: 'Ada Lovelace' };
  }
}

class MathTools {
  @Tool({ description: 'Multiply two numbers' })
  multiply(a: number, b: number) {
    return a * b;
  }
}

/** Streams tool calls as many providers do: the arguments in pieces. */
class FragmentingChatModel extends ScriptedChatModel {
  override stream(prompt: Prompt): Observable<ChatResponse> {
    return super.stream(prompt).pipe(
      mergeMap((chunk) => {
        const [call] = chunk.result?.output.toolCalls ?? [];
        if (!call) return [chunk];
        const half = call.arguments.length / 2;
        return [call.arguments.slice(0, half), call.arguments.slice(half)].map((part, at) => {
          const fragment = { id: call.id, name: at === 0 ? call.name : '', index: 0, arguments: part };
          return new ChatResponse({ results: [{ output: new AssistantMessage({ toolCalls: [fragment] }) }] });
        });
      }),
    );
  }
}

const QUESTION = 'Tell me more about the customer with ID 42';
const script = () => [{ toolCalls: [toolCall('getCustomerInfo', { id: 42 })] }, 'Customer 42 is Ada Lovelace.'];

describe('a tool loop of one’s own around a ChatModel', () => {
  const toolCallingManager = DefaultToolCallingManager.builder().build();

  it('asks for the customer and answers with what it learns', async () => {
    const chatModel = new ScriptedChatModel(script());
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new CustomerTools())).build();
    let prompt = new Prompt(QUESTION, chatOptions);

    let chatResponse = await chatModel.call(prompt);
    while (chatResponse.hasToolCalls()) {
      const toolExecutionResult = await toolCallingManager.executeToolCalls(prompt, chatResponse);
      prompt = new Prompt(toolExecutionResult.conversationHistory, chatOptions);
      chatResponse = await chatModel.call(prompt);
    }

    expect(chatResponse.result?.output.text).toBe('Customer 42 is Ada Lovelace.');
    expect(chatModel.toolResponses).toEqual(['{"id":42,"name":"Ada Lovelace"}']);
  });

  it('puts the pieces of a streamed tool call together before it is run', async () => {
    const chatModel = new FragmentingChatModel(script());
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new CustomerTools())).build();
    let prompt = new Prompt(QUESTION, chatOptions);
    let aggregatedResponse: ChatResponse | undefined;
    const ask = (): Promise<ChatResponse[]> => {
      const chunks = new MessageAggregator().aggregate(chatModel.stream(prompt), (whole) => {
        aggregatedResponse = whole;
      });
      return lastValueFrom(chunks.pipe(toArray()));
    };

    const chunks = await ask();
    expect(chunks.map(({ result }) => result?.output.toolCalls[0]?.arguments)).toEqual(['{"id', '":42}']);
    while (aggregatedResponse?.hasToolCalls()) {
      const toolExecutionResult = await toolCallingManager.executeToolCalls(prompt, aggregatedResponse);
      prompt = new Prompt(toolExecutionResult.conversationHistory, chatOptions);
      aggregatedResponse = undefined;
      await ask();
    }

    expect(aggregatedResponse?.result?.output.text).toBe('Customer 42 is Ada Lovelace.');
    expect(chatModel.toolResponses).toEqual(['{"id":42,"name":"Ada Lovelace"}']);
  });

  it('remembers the conversation in a memory of its own', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('multiply', { a: 6, b: 8 })] },
      '6 * 8 is 48.',
      ({ messages }) => `You asked: ${messages.find((message) => message.role === 'user')?.text}`,
    ]);
    const chatMemory = MessageWindowChatMemory.builder().build();
    const conversationId = 'math';
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new MathTools())).build();
    const prompt = new Prompt(
      [new SystemMessage('You are a helpful assistant.'), new UserMessage('What is 6 * 8?')],
      chatOptions,
    );
    await chatMemory.add(conversationId, prompt.messages);

    let promptWithMemory = new Prompt(await chatMemory.get(conversationId), chatOptions);
    let chatResponse = await chatModel.call(promptWithMemory);
    await chatMemory.add(conversationId, chatResponse.result!.output);
    while (chatResponse.hasToolCalls()) {
      const { conversationHistory } = await toolCallingManager.executeToolCalls(promptWithMemory, chatResponse);
      await chatMemory.add(conversationId, conversationHistory.at(-1)!);
      promptWithMemory = new Prompt(await chatMemory.get(conversationId), chatOptions);
      chatResponse = await chatModel.call(promptWithMemory);
      await chatMemory.add(conversationId, chatResponse.result!.output);
    }
    await chatMemory.add(conversationId, new UserMessage('What did I ask you earlier?'));
    const newResponse = await chatModel.call(new Prompt(await chatMemory.get(conversationId)));

    expect(newResponse.text).toBe('You asked: What is 6 * 8?');
    expect(chatModel.lastPrompt?.messages).toMatchObject([
      { role: 'system', text: 'You are a helpful assistant.' },
      { role: 'user', text: 'What is 6 * 8?' },
      { role: 'assistant', toolCalls: [{ name: 'multiply' }] },
      { role: 'tool', responses: [{ responseData: '48' }] },
      { role: 'assistant', text: '6 * 8 is 48.' },
      { role: 'user', text: 'What did I ask you earlier?' },
    ]);
  });
});
