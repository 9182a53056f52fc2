// Page "Tool Calling", section "JSON Schema / Description"
import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import {
  ChatClient,
  FunctionToolCallback,
  type JsonSchema,
  offeredToolDefinitions,
  Tool,
  ToolParam,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';

class DateTimeTools {
  @Tool({ description: 'Set a user alarm for the given time' })
  setAlarm(@ToolParam({ description: 'Time in ISO-8601 format' }) time: string): string {
    return `Alarm set for ${time}`;
  }
}

class Sound {
  @ToolParam({ description: 'Name of a melody' }) @IsString() melody!: string;
}

class Alarm {
  @ToolParam({ description: 'Time in ISO-8601 format' }) @IsString() time!: string;
  @ApiProperty({ description: 'What the user reads' }) @IsString() text!: string;
  @ToolParam({ description: 'What the user hears' }) @ValidateNested() @Type(() => Sound) sound!: Sound;
}

const ALARM_PROPERTIES = {
  time: { type: 'string', description: 'Time in ISO-8601 format' },
  text: { type: 'string', description: 'What the user reads' },
  sound: {
    type: 'object',
    description: 'What the user hears',
    properties: { melody: { type: 'string', description: 'Name of a melody' } },
    required: ['melody'],
  },
};

/** The schema of the arguments that the model is sent for the only tool. */
async function schemaOf(tool: object): Promise<JsonSchema> {
  const chatModel = new ScriptedChatModel(['Hello']);
  await ChatClient.create(chatModel).prompt('Hi').tools(tool).call().content();
  return offeredToolDefinitions(chatModel.lastPrompt!.options)[0]!.inputSchema;
}

describe('the description of an argument', () => {
  it('is that of the parameter of a method', async () => {
    expect(await schemaOf(new DateTimeTools())).toEqual({
      type: 'object',
      properties: { time: { type: 'string', description: 'Time in ISO-8601 format' } },
      required: ['time'],
      additionalProperties: false,
    });
  });

  it('is that of the property of a class, at every depth, for methods', async () => {
    class AlarmTools {
      @Tool() setAlarm({ time }: Alarm): string {
        return `Alarm set for ${time}`;
      }
    }
    expect(await schemaOf(new AlarmTools())).toMatchObject({ properties: ALARM_PROPERTIES });
  });

  it('is that of the property of a class, at every depth, for functions', async () => {
    const setAlarm = new FunctionToolCallback({ name: 'setAlarm', inputType: Alarm, toolFunction: () => undefined });
    expect(await schemaOf(setAlarm)).toMatchObject({ properties: ALARM_PROPERTIES });
  });
});
