// Page "Tool Calling" (second edition), section "Configuration Options": streamToolCallResponses
import { describe, expect, it } from '@jest/globals';
import { ChatClient, type ChatResponse, Tool, ToolCallingAdvisor } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    return '2015-10-20T10:15:30+02:00';
  }
}

/** What the user of a stream sees, and how often the model had been asked by then. */
async function watch(advisor: ToolCallingAdvisor): Promise<unknown[]> {
  const chatModel = new ScriptedChatModel([
    { text: 'Wait. ', toolCalls: [toolCall('getCurrentDateTime')] },
    'It is Tuesday.',
  ]);
  const chatClient = ChatClient.builder(chatModel).defaultAdvisors(advisor).build();
  const stream = chatClient.prompt('What day is it?').tools(new DateTimeTools()).stream().chatResponse();
  const seen: unknown[] = [];
  await stream.forEach((chunk) => seen.push([chatModel.prompts.length, shown(chunk)]));
  expect(chatModel.toolResponses).toEqual(['2015-10-20T10:15:30+02:00']);
  return seen;
}

function shown({ result }: ChatResponse): unknown {
  const { text, toolCalls } = result!.output;
  return toolCalls.length > 0 ? toolCalls.map(({ name }) => `calls ${name}`) : text;
}

describe('streamToolCallResponses', () => {
  it('shows the chunks of each round as they come, tool calls included', async () => {
    const seen = await watch(ToolCallingAdvisor.builder().streamToolCallResponses(true).build());

    expect(seen).toEqual([
      [1, 'Wait. '],
      [1, ['calls getCurrentDateTime']],
      [2, 'It '],
      [2, 'is '],
      [2, 'Tuesday.'],
      [2, ''],
    ]);
  });

  it.each([
    ['by default', ToolCallingAdvisor.builder().build()],
    ['when off', ToolCallingAdvisor.builder().streamToolCallResponses(false).build()],
  ])('keeps the tool calls to the loop %s; text still comes as it is written', async (_when, advisor) => {
    expect(await watch(advisor)).toEqual([
      [1, 'Wait. '],
      [2, 'It '],
      [2, 'is '],
      [2, 'Tuesday.'],
      [2, ''],
    ]);
  });
});
