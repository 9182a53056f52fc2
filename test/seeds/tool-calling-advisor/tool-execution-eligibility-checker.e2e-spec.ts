// Page "ToolCallingAdvisor", section "ToolExecutionEligibilityChecker"
import { describe, expect, it } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import {
  type CallAdvisor,
  ChatClient,
  type ChatResponse,
  FunctionToolCallback,
  ToolCallingAdvisor,
  type ToolCallingAdvisorOptions,
  ToolExecutionEligibilityChecker,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class StrictChecker extends ToolExecutionEligibilityChecker {
  isToolExecutionRequired(response: ChatResponse | undefined): boolean {
    return response?.hasToolCalls() === true && response.result?.metadata?.finishReason === 'tool-calls';
  }
}

const isRequired = (response: ChatResponse | undefined): boolean =>
  response?.hasToolCalls() === true && response.result?.metadata?.finishReason === 'tool-calls';

function scene(finishReason: string, advisor: ToolCallingAdvisor) {
  const ran: string[] = [];
  const getWeather = new FunctionToolCallback({ name: 'getWeather', toolFunction: () => ran.push('getWeather') });
  const model = new ScriptedChatModel([
    { text: 'Let me see. ', toolCalls: [toolCall('getWeather')], finishReason },
    'Sunny.',
  ]);
  const chatClient = ChatClient.builder(model).defaultAdvisors(advisor).defaultTools(getWeather).build();
  return { ran, model, request: chatClient.prompt('What is the weather?') };
}

const strict = () => ToolCallingAdvisor.builder().toolExecutionEligibilityChecker(new StrictChecker()).build();

describe('a model that asks for a tool', () => {
  it('gets its result when the checker finds that it has stopped for that', async () => {
    const { ran, model, request } = scene('tool-calls', strict());
    expect(await request.call().content()).toBe('Sunny.');
    expect(ran).toEqual(['getWeather']);
    model.assertDone();
  });

  it('is not asked again when the checker finds that it has stopped for something else', async () => {
    const { ran, model, request } = scene('length', strict());
    const response = await request.call().chatResponse();
    expect(response?.text).toBe('Let me see. ');
    expect(response?.result?.output.toolCalls).toMatchObject([{ name: 'getWeather' }]);
    expect(ran).toHaveLength(0);
    expect(model.prompts).toHaveLength(1);
  });

  it('is judged by the whole answer when streaming, and calls that are not run come out', async () => {
    const { ran, request } = scene('length', strict());
    const chunks: ChatResponse[] = [];
    for await (const chunk of request.stream().chatResponse()) chunks.push(chunk);
    expect(chunks.flatMap(({ result }) => result?.output.toolCalls.map(({ name }) => name) ?? [])).toEqual([
      'getWeather',
    ]);
    expect(chunks.map(({ text }) => text).join('')).toBe('Let me see. ');
    expect(ran).toEqual([]);
  });

  it.each<[string, ToolCallingAdvisorOptions['toolExecutionEligibilityChecker']]>([
    ['a function', isRequired],
    ['an object', { isToolExecutionRequired: isRequired }],
    ['an instance of a class', new StrictChecker()],
  ])('may be judged by %s, in one piece and in a stream', async (_form, checker) => {
    const advisor = () => ToolCallingAdvisor.builder().toolExecutionEligibilityChecker(checker).build();
    for (const finishReason of ['tool-calls', 'length']) {
      const called = scene(finishReason, advisor());
      await called.request.call().content();
      const streamed = scene(finishReason, advisor());
      await lastValueFrom(streamed.request.stream().content());
      const expected = finishReason === 'tool-calls' ? ['getWeather'] : [];
      expect([called.ran, streamed.ran]).toEqual([expected, expected]);
    }
  });

  it('is not judged where no model has answered', async () => {
    const seen: (ChatResponse | undefined)[] = [];
    const silent: CallAdvisor = {
      name: 'silent',
      order: ToolCallingAdvisor.DEFAULT_ORDER + 1,
      adviseCall: async ({ context }) => ({ context }),
    };
    const advisor = new ToolCallingAdvisor({
      toolExecutionEligibilityChecker: (response) => seen.push(response) > 0 && isRequired(response),
    });
    const chatClient = ChatClient.builder(new ScriptedChatModel([])).defaultAdvisors(advisor, silent).build();
    expect(await chatClient.prompt('What is the weather?').call().content()).toBe('');
    expect(seen).toEqual([]);
  });

  it('gets its result whatever it stopped for, unless a checker is given', async () => {
    const { ran, request } = scene('length', ToolCallingAdvisor.builder().build());
    expect(await request.call().content()).toBe('Sunny.');
    expect(ran).toEqual(['getWeather']);
  });
});
