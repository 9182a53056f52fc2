// Page "ToolCallingAdvisor", section "Stream-Path Hooks"
import { describe, expect, it } from '@jest/globals';
import { endWith, map, type Observable } from 'rxjs';
import {
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatResponse,
  AssistantMessage,
  FunctionToolCallback,
  type Message,
  type StreamAdvisorChain,
  ToolCallingAdvisor,
  type ToolExecutionResult,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';

const weather = new FunctionToolCallback({ name: 'getWeather', toolFunction: () => 'sunny' });

function ask(advisor: ToolCallingAdvisor) {
  const model = new ScriptedChatModel([
    { chunks: ['One ', 'moment. '], toolCalls: [toolCall('getWeather')] },
    { chunks: ['It ', 'is ', 'sunny.'] },
  ]);
  const chatClient = ChatClient.builder(model).defaultAdvisors(advisor).defaultTools(weather).build();
  return { model, request: chatClient.prompt('What is the weather?') };
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('a subclass of the tool-calling advisor, when streaming', () => {
  it('takes part at each place of the loop, and sees each round as a whole', async () => {
    const log: string[] = [];
    class Logging extends ToolCallingAdvisor {
      protected override doInitializeLoopStream(request: ChatClientRequest, chain: StreamAdvisorChain) {
        log.push(`initialize, ${chain.advisors.includes(this) ? 'in the chain' : 'elsewhere'}`);
        return request;
      }
      protected override doBeforeStream(request: ChatClientRequest) {
        log.push(`before ${request.prompt.messages.at(-1)?.role}`);
        return request;
      }
      protected override doAfterStream(response: ChatClientResponse) {
        const { output } = response.chatResponse!.result!;
        log.push(`after '${output.text}' ${output.toolCalls.map(({ name }) => name)}`);
        return response;
      }
      protected override doGetNextInstructionsForToolCallStream(
        _request: ChatClientRequest,
        _response: ChatClientResponse,
        { conversationHistory }: ToolExecutionResult,
      ): readonly Message[] {
        log.push(`next ${conversationHistory.map(({ role }) => role)}`);
        return conversationHistory;
      }
      protected override doFinalizeLoopStream(responses: Observable<ChatClientResponse>) {
        log.push('finalize');
        return responses;
      }
    }
    const { model, request } = ask(new Logging());
    expect(await collect(request.stream().content())).toEqual(['One ', 'moment. ', 'It ', 'is ', 'sunny.']);
    // The whole stream is wrapped when it is made; what is in it comes after.
    expect(log).toEqual([
      'finalize',
      'initialize, in the chain',
      'before user',
      "after 'One moment. ' getWeather",
      'next user,assistant,tool',
      'before tool',
      "after 'It is sunny.' ",
    ]);
    model.assertDone();
  });

  it('leaves calls in one piece alone', async () => {
    class OnlyStreams extends ToolCallingAdvisor {
      protected override doBeforeStream(): never {
        throw new Error('no stream was asked for');
      }
    }
    expect(await ask(new OnlyStreams()).request.call().content()).toBe('It is sunny.');
    await expect(collect(ask(new OnlyStreams()).request.stream().content())).rejects.toThrow('no stream was asked for');
  });

  it('transforms the whole stream', async () => {
    class Loud extends ToolCallingAdvisor {
      protected override doFinalizeLoopStream(responses: Observable<ChatClientResponse>) {
        return responses.pipe(
          map((response) => textOf(response.chatResponse?.text?.toUpperCase() ?? '')),
          endWith(textOf(' THE END')),
        );
      }
    }
    const texts = await collect(ask(new Loud()).request.stream().content());
    expect(texts.join('')).toBe('ONE MOMENT. IT IS SUNNY. THE END');
  });

  it('has its hooks for calls used where it overrides none for streams', async () => {
    const seen: string[] = [];
    class ForBoth extends ToolCallingAdvisor {
      protected override doAfterCall(response: ChatClientResponse) {
        seen.push(response.chatResponse?.text ?? '');
        return response;
      }
    }
    await collect(ask(new ForBoth()).request.stream().content());
    expect(seen).toEqual(['One moment. ', 'It is sunny.']);
  });
});

function textOf(text: string): ChatClientResponse {
  return { chatResponse: new ChatResponse({ results: [{ output: new AssistantMessage({ text }) }] }), context: {} };
}
