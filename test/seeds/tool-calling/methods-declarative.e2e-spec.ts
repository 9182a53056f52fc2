// Page "Tool Calling", section "Methods as Tools / Declarative Specification: @Tool"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, offeredToolDefinitions, Tool, type ToolDefinition, ToolParam } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { IsInt, IsString } from 'class-validator';

/** What the model is told of the tools of an object or class. */
async function offered(toolObject: object): Promise<readonly ToolDefinition[]> {
  const chatModel = new ScriptedChatModel(['Hello']);
  await ChatClient.create(chatModel).prompt('Hi').tools(toolObject).call().content();
  return offeredToolDefinitions(chatModel.lastPrompt!.options);
}

/** What the model reads after it has called a tool. */
async function answerOf(toolObject: object, name: string, input: object = {}): Promise<string | undefined> {
  const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall(name, input)] }, 'Done']);
  await ChatClient.create(chatModel).prompt('Go').tools(toolObject).call().content();
  return chatModel.toolResponses[0];
}

describe('a method with @Tool', () => {
  it('is offered with its name, its description and a schema without arguments', async () => {
    class DateTimeTools {
      @Tool({ description: "Get the current date and time in the user's timezone" })
      getCurrentDateTime(): string {
        return '2015-10-21T07:28:00Z';
      }
    }
    expect(await offered(new DateTimeTools())).toEqual([
      {
        name: 'getCurrentDateTime',
        description: "Get the current date and time in the user's timezone",
        inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
      },
    ]);
    expect(await answerOf(new DateTimeTools(), 'getCurrentDateTime')).toBe('2015-10-21T07:28:00Z');
  });

  it('has the name that is given, and without a description the words of its name', async () => {
    class DateTimeTools {
      @Tool({ name: 'now' }) first() {}
      @Tool() getCurrentDateTime() {}
    }
    expect(await offered(new DateTimeTools())).toMatchObject([
      { name: 'now', description: 'now' },
      { name: 'getCurrentDateTime', description: 'get current date time' },
    ]);
  });

  it('may not share its name with another one of the class', async () => {
    class DateTimeTools {
      @Tool({ name: 'now' }) date() {}
      @Tool({ name: 'now' }) time() {}
    }
    await expect(offered(new DateTimeTools())).rejects.toThrow(
      "'now' is DateTimeTools.date() and DateTimeTools.time()",
    );
  });

  it('may be static, protected or private', async () => {
    class DateTimeTools {
      @Tool() static getTimeZone() {
        return 'Europe/Copenhagen';
      }

      @Tool() protected getCurrentDateTime() {
        return `${this.getCurrentDate()}T07:28:00Z`;
      }

      @Tool() private getCurrentDate() {
        return '2015-10-21';
      }
    }
    expect(await answerOf(DateTimeTools, 'getTimeZone')).toBe('Europe/Copenhagen');
    expect(await answerOf(new DateTimeTools(), 'getCurrentDateTime')).toBe('2015-10-21T07:28:00Z');
    expect(await answerOf(new DateTimeTools(), 'getCurrentDate')).toBe('2015-10-21');
  });

  it('tells the model what to put into an argument', async () => {
    class DateTimeTools {
      @Tool({ description: 'Set a user alarm for the given time' })
      setAlarm(@ToolParam({ description: 'Time in ISO-8601 format' }) time: string) {
        return `Alarm set for ${new Date(time).toUTCString()}`;
      }
    }
    const [setAlarm] = await offered(new DateTimeTools());
    expect(setAlarm).toMatchObject({
      description: 'Set a user alarm for the given time',
      inputSchema: {
        properties: { time: { type: 'string', description: 'Time in ISO-8601 format' } },
        required: ['time'],
      },
    });
    expect(await answerOf(new DateTimeTools(), 'setAlarm', { time: '2015-10-21T07:28:00Z' })).toBe(
      'Alarm set for Wed, 21 Oct 2015 07:28:00 GMT',
    );
  });

  it('takes values, objects, enums, lists and maps, and gives back an object', async () => {
    enum Priority {
      Low = 'LOW',
      High = 'HIGH',
    }
    class Place {
      @IsString() city!: string;
      @IsInt() floor!: number;
    }
    class MeetingTools {
      @Tool({ description: 'Plan a meeting' })
      plan(
        title: string,
        minutes: number,
        isPublic: boolean,
        place: Place,
        @ToolParam({ type: Priority }) priority: Priority,
        @ToolParam({ type: [String] }) guests: string[],
        @ToolParam({ type: { values: Number } }) seats: Map<string, number>,
      ) {
        return { title, minutes, isPublic, at: place instanceof Place, priority, guests, front: seats.get('front') };
      }
    }
    const input = {
      title: 'Budget',
      minutes: 30,
      isPublic: false,
      place: { city: 'Oslo', floor: 2 },
      priority: 'HIGH',
      guests: ['ada', 'bob'],
      seats: { front: 4 },
    };
    const [plan] = await offered(new MeetingTools());
    expect(plan!.inputSchema.required).toEqual(Object.keys(input));
    expect(JSON.parse((await answerOf(new MeetingTools(), 'plan', input))!)).toEqual({
      title: 'Budget',
      minutes: 30,
      isPublic: false,
      at: true,
      priority: 'HIGH',
      guests: ['ada', 'bob'],
      front: 4,
    });
  });
});
