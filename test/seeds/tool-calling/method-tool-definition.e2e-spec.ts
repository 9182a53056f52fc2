// Page "Tool Calling", section "Tool Specification / Method Tool Definition"
import { describe, expect, it } from '@jest/globals';
import { JsonSchemaGenerator, MethodToolCallback, Tool, ToolDefinitions, ToolParam } from '@nestor-ai/core';

class DateTimeTools {
  getCurrentDateTime(): string {
    return '2015-10-20T10:00:00Z';
  }

  @Tool({ name: 'alarm', description: 'Set a user alarm' })
  setAlarm(@ToolParam({ description: 'Time in ISO-8601 format' }) time: string): string {
    return `Alarm set for ${time}`;
  }
}

const ALARM_SCHEMA = {
  type: 'object',
  properties: { time: { type: 'string', description: 'Time in ISO-8601 format' } },
  required: ['time'],
  additionalProperties: false,
};

describe('the definition of a method', () => {
  it('has the name of the method, its words as description, and the schema of its parameters', () => {
    expect(ToolDefinitions.from(DateTimeTools, 'getCurrentDateTime')).toEqual({
      name: 'getCurrentDateTime',
      description: 'get current date time',
      inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    });
  });

  it('has the name and the description of @Tool, where the method has it', () => {
    expect(ToolDefinitions.from(DateTimeTools, 'setAlarm')).toEqual({
      name: 'alarm',
      description: 'Set a user alarm',
      inputSchema: ALARM_SCHEMA,
    });
  });

  it('can be given some or all of its attributes', () => {
    const toolDefinition = ToolDefinitions.builder(DateTimeTools, 'getCurrentDateTime')
      .name('currentDateTime')
      .description("Get the current date and time in the user's timezone")
      .inputSchema(JsonSchemaGenerator.generateForMethodInput(DateTimeTools, 'getCurrentDateTime'))
      .build();
    expect(toolDefinition).toEqual({
      name: 'currentDateTime',
      description: "Get the current date and time in the user's timezone",
      inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    });
    expect(ToolDefinitions.builder(DateTimeTools, 'setAlarm').name('wakeMe').build()).toEqual({
      name: 'wakeMe',
      description: 'Set a user alarm',
      inputSchema: ALARM_SCHEMA,
    });
    expect(JsonSchemaGenerator.generateForMethodInput(DateTimeTools, 'setAlarm')).toEqual(ALARM_SCHEMA);
  });

  it('is all that a tool of the method needs', async () => {
    const toolCallback = new MethodToolCallback({
      toolDefinition: ToolDefinitions.builder(DateTimeTools, 'setAlarm').name('wakeMe').build(),
      toolMethod: 'setAlarm',
      toolObject: new DateTimeTools(),
    });
    expect(await toolCallback.call('{"time":"07:28"}')).toBe('Alarm set for 07:28');
  });

  it('is refused for a method that is not there', () => {
    expect(() => ToolDefinitions.from(DateTimeTools, 'getTime')).toThrow("DateTimeTools has no method 'getTime'");
  });
});
