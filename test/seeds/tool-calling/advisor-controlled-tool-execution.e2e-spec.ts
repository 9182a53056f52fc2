// Page "Tool Calling", section "Advisor-Controlled Tool Execution with ToolCallingAdvisor"
import { describe, expect, it } from '@jest/globals';
import {
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  DefaultToolCallingManager,
  Ordered,
  type Prompt,
  type ChatResponse,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const QUESTION = 'What day is tomorrow?';

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    return '2015-10-20T10:15:30+02:00';
  }
}

class WatchedToolCallingManager extends DefaultToolCallingManager {
  executions = 0;

  override executeToolCalls(prompt: Prompt, response: ChatResponse) {
    this.executions++;
    return super.executeToolCalls(prompt, response);
  }
}

class Observer extends BaseAdvisor {
  readonly seen: number[] = [];

  constructor(
    readonly name: string,
    override readonly order: number,
  ) {
    super();
  }

  override before(request: ChatClientRequest): ChatClientRequest {
    this.seen.push(request.prompt.messages.length);
    return request;
  }
}

const script = () => [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is 2015-10-21.'];

describe('tool execution by an advisor of one’s own', () => {
  it('asks the tool for the time through the manager it was given', async () => {
    const toolCallingManager = new WatchedToolCallingManager();
    const toolCallingAdvisor = ToolCallingAdvisor.builder()
      .toolCallingManager(toolCallingManager)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
      .build();
    const chatModel = new ScriptedChatModel(script());
    const chatClient = ChatClient.builder(chatModel).defaultAdvisors(toolCallingAdvisor).build();

    const response = await chatClient.prompt(QUESTION).tools(new DateTimeTools()).call().content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(toolCallingManager.executions).toBe(1);
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:15:30+02:00']);
  });

  it('lets advisors after it see each round, and advisors before it the turn', async () => {
    const outside = new Observer('outside', Ordered.HIGHEST_PRECEDENCE + 200);
    const inside = new Observer('inside', Ordered.HIGHEST_PRECEDENCE + 400);
    const toolCallingAdvisor = ToolCallingAdvisor.builder()
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
      .build();
    const chatClient = ChatClient.builder(new ScriptedChatModel(script()))
      .defaultAdvisors(inside, toolCallingAdvisor, outside)
      .build();

    await chatClient.prompt(QUESTION).tools(new DateTimeTools()).call().content();

    expect(outside.seen).toEqual([1]);
    // The question; then the question, the model's call and the tool's result.
    expect(inside.seen).toEqual([1, 3]);
  });

  it('has hooks for what a subclass wants to do in the loop', async () => {
    class Diary extends ToolCallingAdvisor {
      readonly entries: string[] = [];

      protected override doInitializeLoop(request: ChatClientRequest) {
        this.entries.push('begins');
        return request;
      }

      protected override doAfterCall(response: ChatClientResponse) {
        const asked = response.chatResponse?.result?.output.toolCalls.map(({ name }) => name) ?? [];
        this.entries.push(asked.length > 0 ? `asks for ${asked.join()}` : 'answers');
        return response;
      }

      protected override doFinalizeLoop(response: ChatClientResponse) {
        this.entries.push('ends');
        return response;
      }
    }
    const diary = Diary.builder().build();
    const chatClient = ChatClient.builder(new ScriptedChatModel([...script(), ...script()]))
      .defaultAdvisors(diary)
      .defaultTools(new DateTimeTools())
      .build();
    const turn = ['begins', 'asks for getCurrentDateTime', 'answers', 'ends'];

    await chatClient.prompt(QUESTION).call().content();
    expect(diary.entries.splice(0)).toEqual(turn);

    for await (const _text of chatClient.prompt(QUESTION).stream().content());
    expect(diary.entries).toEqual(turn);
  });
});
