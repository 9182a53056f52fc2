// Page "Recursive Advisors", section "Observing the Tool-Calling Loop"
import { describe, expect, it } from '@jest/globals';
import { type Observable, tap } from 'rxjs';
import {
  type CallAdvisor,
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  type Message,
  Ordered,
  type StreamAdvisor,
  type StreamAdvisorChain,
  Tool,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class ToolCallObservingAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name: string = 'tool call observing advisor';
  readonly order: number = Ordered.HIGHEST_PRECEDENCE + 400; // inside the tool loop (order 300)
  readonly messages: Message[][] = [];

  constructor(private readonly observer: (response: ChatClientResponse) => void) {}

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    this.messages.push([...request.prompt.messages]);
    const response = await chain.nextCall(request);
    this.observer(response);
    return response;
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return chain.nextStream(request).pipe(tap(this.observer));
  }
}

class Outside extends ToolCallObservingAdvisor {
  override readonly name = 'outside';
  override readonly order = Ordered.HIGHEST_PRECEDENCE + 200; // before the tool loop
}

class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    return `sunny in ${city}`;
  }
}

const question = 'What is the weather in Amsterdam and Paris?';
const calls = [
  toolCall('getWeather', { city: 'Amsterdam' }, 'call_1'),
  toolCall('getWeather', { city: 'Paris' }, 'call_2'),
];

function scene() {
  const inside: (string | undefined)[] = [];
  const outside: (string | undefined)[] = [];
  const describe =
    (log: (string | undefined)[]) =>
    ({ chatResponse }: ChatClientResponse) =>
      log.push(
        chatResponse?.hasToolCalls() ? `${chatResponse.result!.output.toolCalls.length} calls` : chatResponse?.text,
      );
  const advisor = new ToolCallObservingAdvisor(describe(inside));
  const model = new ScriptedChatModel([{ toolCalls: calls }, 'Sunny in both.']);
  const chatClient = ChatClient.builder(model)
    .defaultAdvisors(advisor, new Outside(describe(outside)))
    .build();
  const request = chatClient.prompt().user(question).tools(new WeatherTools());
  return { inside, outside, advisor, request };
}

describe('an advisor inside the loop', () => {
  it('sees each answer of the model, and in the next request its calls and their responses', async () => {
    const { inside, outside, advisor, request } = scene();
    expect(await request.call().content()).toBe('Sunny in both.');
    expect(inside).toEqual(['2 calls', 'Sunny in both.']);
    expect(outside).toEqual(['Sunny in both.']);
    expect(advisor.messages).toHaveLength(2);
    expect(advisor.messages[1]).toMatchObject([
      { role: 'user', text: question },
      { role: 'assistant', toolCalls: calls },
      {
        role: 'tool',
        responses: [
          { id: 'call_1', responseData: 'sunny in Amsterdam' },
          { id: 'call_2', responseData: 'sunny in Paris' },
        ],
      },
    ]);
  });

  it('sees the chunks with tool calls, which neither the outer chain nor the caller does', async () => {
    const { inside, outside, request } = scene();
    const texts: string[] = [];
    for await (const text of request.stream().content()) texts.push(text);
    expect(inside).toEqual(['2 calls', 'Sunny ', 'in ', 'both.', '']); // the last one tells that the answer ends
    expect(outside).toEqual(['Sunny ', 'in ', 'both.', '']);
    expect(texts).toEqual(['Sunny ', 'in ', 'both.']);
  });
});
