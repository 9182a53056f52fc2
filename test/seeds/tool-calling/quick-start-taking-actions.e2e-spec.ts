// Page "Tool Calling", section "Quick Start / Taking Actions"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, offeredToolDefinitions, type Prompt, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';

class DateTimeTools {
  readonly alarms: string[] = [];

  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    return '2015-10-21T07:28:00.000Z';
  }

  @Tool({ description: 'Set a user alarm for the given time, provided in ISO-8601 format' })
  setAlarm(time: string): void {
    this.alarms.push(`Alarm set for ${new Date(time).toISOString()}`);
  }
}

const askForTheTime: ScriptEntry = { toolCalls: [toolCall('getCurrentDateTime')] };
const setAlarmInTenMinutes: ScriptEntry = (prompt) => {
  const now = Date.parse(toolText(prompt));
  return { toolCalls: [toolCall('setAlarm', { time: new Date(now + 10 * 60_000).toISOString() })] };
};

function toolText(prompt: Prompt): string {
  const last = prompt.messages.at(-1);
  return last?.role === 'tool' ? last.responses[0]!.responseData : '';
}

describe('asked to set an alarm in ten minutes', () => {
  it('asks for the time, works out the time of the alarm, and sets it', async () => {
    const tools = new DateTimeTools();
    const chatModel = new ScriptedChatModel([askForTheTime, setAlarmInTenMinutes, 'The alarm is set for 07:38.']);

    const response = await ChatClient.create(chatModel)
      .prompt('Can you set an alarm 10 minutes from now?')
      .tools(tools)
      .call()
      .content();

    expect(response).toBe('The alarm is set for 07:38.');
    expect(tools.alarms).toEqual(['Alarm set for 2015-10-21T07:38:00.000Z']);
    expect(chatModel.toolResponses).toEqual(['2015-10-21T07:28:00.000Z', 'Done']);
    for (const prompt of chatModel.prompts) {
      expect(offeredToolDefinitions(prompt.options).map(({ name }) => name)).toEqual([
        'getCurrentDateTime',
        'setAlarm',
      ]);
    }
    chatModel.assertDone();
  });

  it('sets no alarm for a time that is none, and lets the model correct itself', async () => {
    const tools = new DateTimeTools();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('setAlarm', { time: 'in 10 minutes' })] },
      askForTheTime,
      setAlarmInTenMinutes,
      'The alarm is set for 07:38.',
    ]);

    await ChatClient.create(chatModel)
      .prompt('Can you set an alarm 10 minutes from now?')
      .tools(tools)
      .call()
      .content();

    expect(chatModel.toolResponses).toEqual(['Invalid time value', '2015-10-21T07:28:00.000Z', 'Done']);
    expect(tools.alarms).toEqual(['Alarm set for 2015-10-21T07:38:00.000Z']);
  });
});
