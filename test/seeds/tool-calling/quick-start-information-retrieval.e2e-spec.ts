// Page "Tool Calling", section "Quick Start / Information Retrieval"
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { ChatClient, offeredToolDefinitions, type Prompt, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';

/** The time zone of the user whose request is being answered, as a web application would keep it. */
const userTimeZone = new AsyncLocalStorage<string>();

class DateTimeTools {
  // Late in the evening in London, and the next morning in Tokyo.
  readonly #now = new Date('2015-10-20T22:30:00Z');

  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    const timeZone = userTimeZone.getStore() ?? 'UTC';
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    return `${format.format(this.#now)} ${timeZone}`;
  }
}

const NO_ACCESS =
  'I am an AI and do not have access to real-time information. ' +
  'Please provide the current date so I can accurately determine what day tomorrow will be.';

/** Asks for the date where there is a tool for it, and otherwise says that it does not know. */
const firstAnswer: ScriptEntry = (prompt) => {
  const [tool] = offeredToolDefinitions(prompt.options);
  return tool ? { toolCalls: [toolCall(tool.name)] } : NO_ACCESS;
};
const secondAnswer: ScriptEntry = (prompt) => `Tomorrow is ${dayAfter(toolText(prompt))}.`;

function toolText(prompt: Prompt): string {
  const last = prompt.messages.at(-1);
  return last?.role === 'tool' ? last.responses[0]!.responseData : '';
}

function dayAfter(dateTime: string): string {
  const day = new Date(`${dateTime.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

describe('asked what day tomorrow is', () => {
  it('asks the tool for the date and answers with it', async () => {
    const chatModel = new ScriptedChatModel([firstAnswer, secondAnswer]);

    const response = await ChatClient.create(chatModel)
      .prompt('What day is tomorrow?')
      .tools(new DateTimeTools())
      .call()
      .content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(offeredToolDefinitions(chatModel.prompts[0]!.options)).toMatchObject([
      { name: 'getCurrentDateTime', description: "Get the current date and time in the user's timezone" },
    ]);
    expect(chatModel.lastPrompt!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    chatModel.assertDone();
  });

  it('answers in the time zone of the user who asks', async () => {
    const chatModel = new ScriptedChatModel([firstAnswer, secondAnswer]);
    const request = ChatClient.create(chatModel).prompt('What day is tomorrow?').tools(new DateTimeTools());

    const response = await userTimeZone.run('Asia/Tokyo', () => request.call().content());

    expect(chatModel.toolResponses).toEqual(['2015-10-21 07:30:00 Asia/Tokyo']);
    expect(response).toBe('Tomorrow is 2015-10-22.');
  });

  it('does not know without the tool', async () => {
    const chatModel = new ScriptedChatModel([firstAnswer]);
    const response = await ChatClient.create(chatModel).prompt('What day is tomorrow?').call().content();
    expect(response).toBe(NO_ACCESS);
  });
});
