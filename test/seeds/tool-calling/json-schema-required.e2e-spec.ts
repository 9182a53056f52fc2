// Page "Tool Calling", section "JSON Schema / Required/Optional"
import { describe, expect, it } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChatClient, FunctionToolCallback, JsonSchemaGenerator, Tool, ToolParam } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';

class CustomerTools {
  readonly updates: unknown[][] = [];

  @Tool({ description: 'Update customer information' })
  updateCustomerInfo(id: number, name: string, @ToolParam({ required: false }) email?: string): string {
    this.updates.push([id, name, email]);
    return `Updated info for customer with id: ${id}`;
  }
}

const update = (input: object): ScriptEntry => ({ toolCalls: [toolCall('updateCustomerInfo', input)] });

describe('an argument', () => {
  it('is required unless it says otherwise', () => {
    const schema = JsonSchemaGenerator.generateForMethodInput(CustomerTools, 'updateCustomerInfo');
    expect(schema.required).toEqual(['id', 'name']);
    expect(Object.keys(schema.properties as object)).toEqual(['id', 'name', 'email']);
  });

  it('may be left out by the model if it is optional', async () => {
    const tools = new CustomerTools();
    const chatModel = new ScriptedChatModel([update({ id: 7, name: 'Ada' }), 'Done']);
    await ChatClient.create(chatModel).prompt('Customer 7 is Ada').tools(tools).call().content();
    expect(chatModel.toolResponses).toEqual(['Updated info for customer with id: 7']);
    expect(tools.updates).toEqual([[7, 'Ada', undefined]]);
  });

  it('is asked for again if it is required and left out, and the tool does not run before', async () => {
    const tools = new CustomerTools();
    const chatModel = new ScriptedChatModel([
      update({ id: 7, email: 'ada@example.org' }),
      () => {
        expect(tools.updates).toEqual([]);
        return update({ id: 7, name: 'Ada', email: 'ada@example.org' }) as object;
      },
      'Done',
    ]);
    await ChatClient.create(chatModel).prompt("Set Ada's mail").tools(tools).call().content();
    expect(chatModel.toolResponses[0]).toContain('name');
    expect(chatModel.toolResponses[1]).toBe('Updated info for customer with id: 7');
    expect(tools.updates).toEqual([[7, 'Ada', 'ada@example.org']]);
  });
});

describe('a property of a class', () => {
  class Address {
    @IsString() city!: string;
    @ToolParam({ required: false }) @IsString() street!: string;
  }
  class Customer {
    @IsString() name!: string;
    @ToolParam({ required: false }) @IsString() byToolParam?: string;
    @ApiPropertyOptional() @IsString() bySwagger?: string;
    @IsOptional() @IsString() byValidator?: string;
    @ValidateNested() @Type(() => Address) address!: Address;
  }

  it('is optional by any of the decorators, at every depth, for methods and functions', () => {
    class Tools {
      @Tool() save({ name }: Customer): string {
        return `Saved ${name}`;
      }
    }
    const save = new FunctionToolCallback({ name: 'save', inputType: Customer, toolFunction: () => undefined });
    const method = JsonSchemaGenerator.generateForMethodInput(Tools, 'save');
    for (const schema of [method, save.toolDefinition.inputSchema]) {
      expect(schema).toMatchObject({ required: ['name', 'address'], properties: { address: { required: ['city'] } } });
    }
  });

  it('is what @ToolParam says where another decorator says otherwise', async () => {
    class Contradictions {
      @ToolParam({ required: true }) @IsOptional() @IsString() mustBeThere!: string;
      @ToolParam({ required: true }) @ApiPropertyOptional() @IsString() mustBeThereToo!: string;
      @ToolParam({ required: false }) @ApiProperty({ required: true }) @IsString() mayBeLeftOut?: string;
    }
    const save = new FunctionToolCallback({ name: 'save', inputType: Contradictions, toolFunction: () => 'Saved' });
    expect(save.toolDefinition.inputSchema.required).toEqual(['mustBeThere', 'mustBeThereToo']);
    // What the model is told is also what it is held to.
    const chatModel = new ScriptedChatModel([
      { toolCalls: [{}, { mustBeThere: 'a', mustBeThereToo: 'b' }].map((input) => toolCall('save', input)) },
      'Done',
    ]);
    await ChatClient.create(chatModel).prompt('Save it').tools(save).call().content();
    const [refused, saved] = chatModel.toolResponses;
    expect(refused).toMatch(/mustBeThere\b/);
    expect(refused).toContain('mustBeThereToo');
    expect(refused).not.toContain('mayBeLeftOut');
    expect(saved).toBe('Saved');
  });
});
