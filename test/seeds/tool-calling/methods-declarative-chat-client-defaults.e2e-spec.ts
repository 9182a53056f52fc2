// Page "Tool Calling", section "Methods as Tools / Declarative Specification / Adding Default Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    return '2015-10-20T10:00:00Z';
  }
}

class WeatherTools {
  @Tool({ description: 'Get the weather in location' })
  currentWeather(location: string): string {
    return `Sunny in ${location}`;
  }
}

describe('the default tools of a client', () => {
  it('answer every request that names none', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCurrentDateTime')] },
      'Tomorrow is 2015-10-21.',
      { toolCalls: [toolCall('getCurrentDateTime')] },
      'Yesterday was 2015-10-19.',
    ]);
    const chatClient = ChatClient.builder(chatModel).defaultTools(new DateTimeTools()).build();

    expect(await chatClient.prompt('What day is tomorrow?').call().content()).toBe('Tomorrow is 2015-10-21.');
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
    expect(await chatClient.prompt('What day was yesterday?').call().content()).toBe('Yesterday was 2015-10-19.');
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
    chatModel.assertDone();
  });

  it('are replaced completely by those of a request', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCurrentDateTime'), toolCall('currentWeather', { location: 'Oslo' })] },
      'Done',
    ]);
    const chatClient = ChatClient.builder(chatModel).defaultTools(new DateTimeTools()).build();

    await chatClient.prompt('How is Oslo?').tools(new WeatherTools()).call().content();

    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
    const [unknown, weather] = chatModel.toolResponses;
    expect(unknown).not.toContain('2015');
    expect(unknown).toContain('getCurrentDateTime');
    expect(weather).toBe('Sunny in Oslo');
  });

  it('are shared by all clients of one builder', async () => {
    const chatModel = new ScriptedChatModel(['One', 'Two']);
    const builder = ChatClient.builder(chatModel).defaultTools(new DateTimeTools());
    const [first, second] = [builder.build(), builder.defaultSystem('Be brief.').build()];

    await first.prompt('Hi').call().content();
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime']);
    await second.prompt('Hi').call().content();
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime']);
    expect(chatModel.prompts.map(({ messages }) => messages.length)).toEqual([1, 2]);
  });
});
