// Page "Tool Calling", section "Methods as Tools / Programmatic Specification: MethodToolCallback"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  MethodToolCallback,
  type ToolCallback,
  ToolCallResultConverter,
  ToolDefinitions,
  ToolMetadata,
  ToolParam,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const NO_ARGUMENTS = { type: 'object', properties: {}, required: [], additionalProperties: false };

/** What the model reads after it has called a tool. */
async function answerOf(toolCallback: ToolCallback, input: object = {}): Promise<string[]> {
  const call = toolCall(toolCallback.toolDefinition.name, input);
  const chatModel = new ScriptedChatModel([{ toolCalls: [call] }, 'Done']);
  await ChatClient.create(chatModel).prompt('Go').tools(toolCallback).call().content();
  return chatModel.toolResponses;
}

describe('a MethodToolCallback', () => {
  it('makes a tool of a method that has no decorator', async () => {
    class DateTimeTools {
      readonly #now = '2015-10-20T10:00:00Z';

      getCurrentDateTime(): string {
        return this.#now;
      }
    }

    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(
        ToolDefinitions.builder(DateTimeTools, 'getCurrentDateTime')
          .description("Get the current date and time in the user's timezone")
          .build(),
      )
      .toolMethod('getCurrentDateTime')
      .toolObject(new DateTimeTools())
      .build();

    expect(toolCallback.toolDefinition).toEqual({
      name: 'getCurrentDateTime',
      description: "Get the current date and time in the user's timezone",
      inputSchema: NO_ARGUMENTS,
    });
    expect(await answerOf(toolCallback)).toEqual(['2015-10-20T10:00:00Z']);
  });

  it('needs no object for a static method', async () => {
    class DateTimeTools {
      static readonly now = '2015-10-20T10:00:00Z';

      static getCurrentDateTime(): string {
        return this.now;
      }
    }

    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(
        ToolDefinitions.builder(DateTimeTools, 'getCurrentDateTime')
          .description("Get the current date and time in the user's timezone")
          .build(),
      )
      .toolMethod('getCurrentDateTime')
      .toolClass(DateTimeTools)
      .build();

    expect(toolCallback.toolDefinition.inputSchema).toEqual(NO_ARGUMENTS);
    expect(await answerOf(toolCallback)).toEqual(['2015-10-20T10:00:00Z']);
  });

  it('reads the schema from the parameters and their descriptions', async () => {
    class DateTimeTools {
      readonly alarms: string[] = [];

      setAlarm(@ToolParam({ description: 'Time in ISO-8601 format' }) time: string): void {
        this.alarms.push(new Date(time).toISOString());
      }
    }
    const tools = new DateTimeTools();
    const setAlarm = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.from(DateTimeTools, 'setAlarm'))
      .toolMethod('setAlarm')
      .toolObject(tools)
      .build();

    expect(setAlarm.toolDefinition.inputSchema).toEqual({
      type: 'object',
      properties: { time: { type: 'string', description: 'Time in ISO-8601 format' } },
      required: ['time'],
      additionalProperties: false,
    });
    expect(await answerOf(setAlarm, { time: '2015-10-21T07:28:00Z' })).toEqual(['Done']);
    expect(tools.alarms).toEqual(['2015-10-21T07:28:00.000Z']);
  });

  it('takes a name, metadata and a converter of its own, and reaches protected methods', async () => {
    class Shouting extends ToolCallResultConverter {
      convert(result: unknown): string {
        return String(result).toUpperCase();
      }
    }
    class DateTimeTools {
      protected getWeekday(): string {
        return 'wednesday';
      }
    }
    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.builder(DateTimeTools, 'getWeekday').name('weekday').build())
      .toolMetadata(ToolMetadata.builder().returnDirect(true).build())
      .toolMethod('getWeekday')
      .toolObject(new DateTimeTools())
      .toolCallResultConverter(new Shouting())
      .build();

    // Returned directly: the model is asked once, and the user reads what the converter made.
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('weekday')] }]);
    const response = await ChatClient.create(chatModel).prompt('Which day is it?').tools(toolCallback).call().content();
    expect(response).toBe('WEDNESDAY');
    chatModel.assertDone();
  });

  it('is refused for a method that is not there', () => {
    class DateTimeTools {
      getCurrentDateTime() {}
    }
    const builder = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.from(DateTimeTools, 'getCurrentDateTime'))
      .toolMethod('getCurentDateTime')
      .toolObject(new DateTimeTools());
    expect(() => builder.build()).toThrow("DateTimeTools has no method 'getCurentDateTime'");
  });
});
