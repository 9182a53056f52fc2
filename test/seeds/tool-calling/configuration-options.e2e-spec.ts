// Page "Tool Calling", section "Configuration Options" (of the ToolCallingAdvisor)
import { describe, expect, it } from '@jest/globals';
import { ChatClient, type ChatResponse, Ordered, Tool, ToolCallingAdvisor } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class DateTimeTools {
  asked = 0;

  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    this.asked++;
    return '2015-10-20T10:15:30+02:00';
  }
}

describe('the options of the tool calling advisor', () => {
  it('have defaults for everything', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow.']);
    const advisor = ToolCallingAdvisor.builder().build();
    expect(advisor.order).toBe(Ordered.HIGHEST_PRECEDENCE + 300);

    const tools = new DateTimeTools();
    await ChatClient.create(chatModel).prompt('What day is it?').tools(tools).advisors(advisor).call().content();

    expect(tools.asked).toBe(1);
    expect(chatModel.lastPrompt?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it.each([
    ['the highest precedence', Ordered.HIGHEST_PRECEDENCE],
    ['the lowest precedence', Ordered.LOWEST_PRECEDENCE],
  ])('refuse an order that is not between the bounds: %s', (_name, order) => {
    expect(() => ToolCallingAdvisor.builder().advisorOrder(order).build()).toThrow(/between HIGHEST_PRECEDENCE and/);
  });

  it('may leave tool calls to the caller, by the reason for which the model stopped', async () => {
    const toolExecutionEligibilityChecker = {
      isToolExecutionRequired: (response: ChatResponse | undefined) =>
        response?.hasToolCalls() === true && response.result?.metadata?.finishReason === 'tool-calls',
    };
    const chatClient = ChatClient.builder(
      new ScriptedChatModel([
        { toolCalls: [toolCall('getCurrentDateTime')], finishReason: 'tool-calls' },
        { toolCalls: [toolCall('getCurrentDateTime')], finishReason: 'content-filter' },
      ]),
    )
      .defaultAdvisors(
        ToolCallingAdvisor.builder().toolExecutionEligibilityChecker(toolExecutionEligibilityChecker).build(),
      )
      .build();
    const tools = new DateTimeTools();

    const response = await chatClient.prompt('What day is it?').tools(tools).call().chatResponse();

    expect(tools.asked).toBe(1);
    expect(response?.result).toMatchObject({
      output: { toolCalls: [{ name: 'getCurrentDateTime' }] },
      metadata: { finishReason: 'content-filter' },
    });
  });
});
