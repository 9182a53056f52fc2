// Page "ToolCallingAdvisor", section "Call-Path Hooks"
import { describe, expect, it } from '@jest/globals';
import {
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  FunctionToolCallback,
  type Message,
  SystemMessage,
  ToolCallingAdvisor,
  type ToolExecutionResult,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const weather = new FunctionToolCallback({ name: 'getWeather', toolFunction: () => 'sunny' });
const forecast = new FunctionToolCallback({ name: 'getForecast', toolFunction: () => 'rain' });

function ask(advisor: ToolCallingAdvisor) {
  const model = new ScriptedChatModel([
    { toolCalls: [toolCall('getWeather')] },
    { toolCalls: [toolCall('getForecast')] },
    'Rain tomorrow.',
  ]);
  const chatClient = ChatClient.builder(model).defaultAdvisors(advisor).defaultTools(weather, forecast).build();
  return { model, call: chatClient.prompt('And tomorrow?').call() };
}

const offered = (model: ScriptedChatModel) =>
  model.prompts.map(({ options }) => options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name));

describe('a subclass of the tool-calling advisor', () => {
  it('takes part at each place of the loop, in order', async () => {
    const log: string[] = [];
    class Logging extends ToolCallingAdvisor {
      protected override doInitializeLoop(request: ChatClientRequest, chain: CallAdvisorChain): ChatClientRequest {
        log.push(`initialize, ${chain.advisors.includes(this) ? 'in the chain' : 'elsewhere'}`);
        return request;
      }
      protected override doBeforeCall(request: ChatClientRequest): ChatClientRequest {
        log.push(`before ${request.prompt.messages.at(-1)?.role}`);
        return request;
      }
      protected override doAfterCall(response: ChatClientResponse): ChatClientResponse {
        log.push(`after ${response.chatResponse?.result?.output.toolCalls[0]?.name ?? response.chatResponse?.text}`);
        return response;
      }
      protected override doGetNextInstructionsForToolCall(
        request: ChatClientRequest,
        response: ChatClientResponse,
        result: ToolExecutionResult,
      ): readonly Message[] {
        const asked = response.chatResponse?.result?.output.toolCalls[0]?.name;
        log.push(`next after ${asked}, ${request.prompt.messages.length} → ${result.conversationHistory.length}`);
        return result.conversationHistory;
      }
      protected override doFinalizeLoop(response: ChatClientResponse): ChatClientResponse {
        log.push(`finalize ${response.chatResponse?.text}`);
        return response;
      }
    }
    await ask(new Logging()).call.content();
    expect(log).toEqual([
      'initialize, in the chain',
      'before user',
      'after getWeather',
      'next after getWeather, 1 → 3',
      'before tool',
      'after getForecast',
      'next after getForecast, 3 → 5',
      'before tool',
      'after Rain tomorrow.',
      'finalize Rain tomorrow.',
    ]);
  });

  it('augments the prompt of the whole turn once', async () => {
    class Instructing extends ToolCallingAdvisor {
      protected override async doInitializeLoop(request: ChatClientRequest): Promise<ChatClientRequest> {
        const messages = [new SystemMessage('Ask for both.'), ...request.prompt.messages];
        return { ...request, prompt: request.prompt.with({ messages }) };
      }
    }
    const { model, call } = ask(new Instructing());
    await call.content();
    const instructions = [new SystemMessage('Ask for both.')];
    const sent = model.prompts.map(({ messages }) => messages.filter(({ role }) => role === 'system'));
    expect(sent).toEqual([instructions, instructions, instructions]);
  });

  it('decides in each round which tools the model has', async () => {
    class OneAfterTheOther extends ToolCallingAdvisor {
      readonly #rounds = [[weather], [forecast], []];
      protected override doBeforeCall(request: ChatClientRequest): ChatClientRequest {
        const options = { ...request.prompt.options, toolCallbacks: this.#rounds.shift()! };
        return { ...request, prompt: request.prompt.with({ options }) };
      }
    }
    const { model, call } = ask(new OneAfterTheOther());
    expect(await call.content()).toBe('Rain tomorrow.');
    expect(offered(model)).toEqual([['getWeather'], ['getForecast'], []]);
    expect(model.toolResponses).toEqual(['sunny', 'rain']);
  });

  it('ends the loop by changing the response before the loop decides', async () => {
    class AtMostOneTool extends ToolCallingAdvisor {
      #calls = 0;
      protected override doAfterCall(response: ChatClientResponse): ChatClientResponse {
        if (!response.chatResponse?.hasToolCalls() || ++this.#calls === 1) return response;
        return { ...response, chatResponse: response.chatResponse.with({ results: [] }) };
      }
    }
    const { model, call } = ask(new AtMostOneTool());
    await call.content();
    expect(model.prompts).toHaveLength(2);
    expect(model.toolResponses).toEqual(['sunny']);
  });

  it('attaches a final transformation to the answer', async () => {
    class Counting extends ToolCallingAdvisor {
      #rounds = 0;
      protected override doAfterCall(response: ChatClientResponse): ChatClientResponse {
        this.#rounds++;
        return response;
      }
      protected override doFinalizeLoop(response: ChatClientResponse): ChatClientResponse {
        return { ...response, context: { ...response.context, rounds: this.#rounds } };
      }
    }
    const { chatResponse, context } = await ask(new Counting()).call.chatClientResponse();
    expect(chatResponse?.text).toBe('Rain tomorrow.');
    expect(context.rounds).toBe(3);
  });

  it('may take its time in each of them', async () => {
    const log: string[] = [];
    const later = async <T>(what: string, value: T): Promise<T> => {
      await new Promise(setImmediate);
      log.push(what);
      return value;
    };
    class Slow extends ToolCallingAdvisor {
      protected override doInitializeLoop(request: ChatClientRequest) {
        return later('initialize', request);
      }
      protected override doBeforeCall(request: ChatClientRequest) {
        return later('before', request);
      }
      protected override doAfterCall(response: ChatClientResponse) {
        return later('after', response);
      }
      protected override doGetNextInstructionsForToolCall(
        _request: ChatClientRequest,
        _response: ChatClientResponse,
        { conversationHistory }: ToolExecutionResult,
      ) {
        return later('next', conversationHistory);
      }
      protected override doFinalizeLoop(response: ChatClientResponse) {
        return later('finalize', response);
      }
    }
    expect(await ask(new Slow()).call.content()).toBe('Rain tomorrow.');
    const round = ['before', 'after', 'next'];
    expect(log).toEqual(['initialize', ...round, ...round, 'before', 'after', 'finalize']);
  });

  it.each([
    'doInitializeLoop',
    'doBeforeCall',
    'doAfterCall',
    'doGetNextInstructionsForToolCall',
    'doFinalizeLoop',
  ] as const)('fails the call with what %s throws', async (hook) => {
    class Failing extends ToolCallingAdvisor {}
    Object.assign(Failing.prototype, {
      [hook]: () => {
        throw new Error(`${hook} has failed`);
      },
    });
    await expect(ask(new Failing()).call.content()).rejects.toThrow(`${hook} has failed`);
  });

  it('chooses what the next round is sent', async () => {
    class Forgetful extends ToolCallingAdvisor {
      protected override doGetNextInstructionsForToolCall(
        _request: ChatClientRequest,
        _response: ChatClientResponse,
        { conversationHistory }: ToolExecutionResult,
      ): readonly Message[] {
        return [conversationHistory[0]!, ...conversationHistory.slice(-2)];
      }
    }
    const { model, call } = ask(new Forgetful());
    await call.content();
    expect(model.lastPrompt?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(model.toolResponses).toEqual(['rain']);
  });
});
