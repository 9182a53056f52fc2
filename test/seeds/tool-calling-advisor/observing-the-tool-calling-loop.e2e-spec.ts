// Page "ToolCallingAdvisor", section "Observing the Tool-Calling Loop"
import { describe, expect, it } from '@jest/globals';
import { type Observable, tap } from 'rxjs';
import {
  type CallAdvisor,
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  Ordered,
  type StreamAdvisor,
  type StreamAdvisorChain,
  Tool,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class ToolCallObservingAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name = 'tool call observing advisor';
  readonly order = Ordered.HIGHEST_PRECEDENCE + 400; // inside the tool loop (order 300)
  readonly log: string[][] = [];

  constructor(private readonly observer: (response: ChatClientResponse) => void) {}

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    // The request of each round has the tool responses of the rounds before.
    this.log.push(request.prompt.messages.map(({ role }) => role));
    const response = await chain.nextCall(request);
    this.observer(response);
    return response;
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return chain.nextStream(request).pipe(tap(this.observer));
  }
}

class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    return `sunny in ${city}`;
  }
}

function scene() {
  const sse: string[] = [];
  const forwardToSse = ({ chatResponse }: ChatClientResponse) => {
    const { text, toolCalls } = chatResponse!.result!.output;
    if (text) sse.push(text);
    sse.push(...toolCalls.map(({ name, arguments: args }) => `${name}(${args})`));
  };
  const model = new ScriptedChatModel([
    { text: 'Wait. ', toolCalls: [toolCall('getWeather', { city: 'Amsterdam' })] },
    { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
    'Sunny in both.',
  ]);
  const advisor = new ToolCallObservingAdvisor((chunk) => forwardToSse(chunk));
  const chatClient = ChatClient.builder(model).defaultAdvisors(advisor).build();
  const request = chatClient.prompt().user('What is the weather in Amsterdam and Paris?').tools(new WeatherTools());
  return { sse, advisor, request };
}

const CALLS = ['getWeather({"city":"Amsterdam"})', 'getWeather({"city":"Paris"})'];

describe('an advisor inside the loop', () => {
  it('observes every round of a call, while the caller gets the final answer', async () => {
    const { sse, advisor, request } = scene();
    expect(await request.call().content()).toBe('Sunny in both.');
    expect(sse).toEqual(['Wait. ', ...CALLS, 'Sunny in both.']);
    expect(advisor.log).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
      ['user', 'assistant', 'tool', 'assistant', 'tool'],
    ]);
  });

  it('observes every chunk of a stream, while the caller gets no tool calls', async () => {
    const { sse, request } = scene();
    const chunks: ChatClientResponse[] = [];
    for await (const chunk of request.stream().chatClientResponse()) chunks.push(chunk);
    expect(sse).toEqual(['Wait. ', ...CALLS, 'Sunny ', 'in ', 'both.']);
    expect(chunks.some(({ chatResponse }) => chatResponse?.hasToolCalls())).toBe(false);
    const lastRound = chunks.filter(({ chatResponse }) => chatResponse?.metadata.round === 2);
    expect(lastRound.map(({ chatResponse }) => chatResponse?.text).join('')).toBe('Sunny in both.');
  });
});
