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
  SystemMessage,
  ToolCallingAdvisor,
  type ToolExecutionResult,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

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

  it('augments the prompt of the whole turn once', async () => {
    class Instructing extends ToolCallingAdvisor {
      protected override async doInitializeLoopStream(request: ChatClientRequest): Promise<ChatClientRequest> {
        const messages = [new SystemMessage('Be brief.'), ...request.prompt.messages];
        return { ...request, prompt: request.prompt.with({ messages }) };
      }
    }
    const { model, request } = ask(new Instructing());
    await collect(request.stream().content());
    expect(model.prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
    ]);
  });

  it('decides in each round what the model is sent, tools and context included', async () => {
    const contexts: unknown[] = [];
    class OnlyOnce extends ToolCallingAdvisor {
      #round = 0;
      protected override async doBeforeStream(request: ChatClientRequest): Promise<ChatClientRequest> {
        const round = this.#round++;
        const options = { ...request.prompt.options, ...(round > 0 && { toolCallbacks: [] }) };
        return { prompt: request.prompt.with({ options }), context: { ...request.context, round } };
      }
      protected override doAfterStream(response: ChatClientResponse): ChatClientResponse {
        contexts.push(response.context['round']);
        return response;
      }
    }
    const { model, request } = ask(new OnlyOnce());
    await collect(request.stream().content());
    expect(model.prompts.map(({ options }) => options?.toolCallbacks?.length)).toEqual([1, 0]);
    expect(contexts).toEqual([0, 1]);
  });

  it('ends the loop by changing the response before the loop decides', async () => {
    class NoTools extends ToolCallingAdvisor {
      protected override async doAfterStream(response: ChatClientResponse): Promise<ChatClientResponse> {
        return { ...response, chatResponse: response.chatResponse!.with({ results: [] }) };
      }
    }
    const { model, request } = ask(new NoTools());
    // What has gone out stays.
    expect(await collect(request.stream().content())).toEqual(['One ', 'moment. ']);
    expect(model.prompts).toHaveLength(1);
  });

  it('chooses what the next round is sent', async () => {
    class Forgetful extends ToolCallingAdvisor {
      protected override async doGetNextInstructionsForToolCallStream(
        request: ChatClientRequest,
        response: ChatClientResponse,
        { conversationHistory }: ToolExecutionResult,
      ): Promise<readonly Message[]> {
        expect(request.prompt.messages).toHaveLength(1);
        expect(response.chatResponse?.hasToolCalls()).toBe(true);
        return conversationHistory.slice(-2);
      }
    }
    const { model, request } = ask(new Forgetful());
    await collect(request.stream().content());
    expect(model.lastPrompt?.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
  });

  it('sees the answer at the end with its hook for calls, where it wraps no stream', async () => {
    const finalized: (string | undefined)[] = [];
    class Counting extends ToolCallingAdvisor {
      protected override async doFinalizeLoop(response: ChatClientResponse): Promise<ChatClientResponse> {
        finalized.push(response.chatResponse?.text);
        return response;
      }
    }
    await collect(ask(new Counting()).request.stream().content());
    expect(finalized).toEqual(['It is sunny.']);
  });

  it.each([
    'doInitializeLoopStream',
    'doBeforeStream',
    'doAfterStream',
    'doGetNextInstructionsForToolCallStream',
  ] as const)('fails the stream with what %s throws', async (hook) => {
    class Failing extends ToolCallingAdvisor {}
    Object.assign(Failing.prototype, {
      [hook]: async () => {
        throw new Error(`${hook} has failed`);
      },
    });
    await expect(collect(ask(new Failing()).request.stream().content())).rejects.toThrow(`${hook} has failed`);
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
