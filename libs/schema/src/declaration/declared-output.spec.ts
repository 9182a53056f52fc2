import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IsNumber, IsString } from 'class-validator';
import { z } from 'zod';
import { FunctionToolCallback, Tool, ToolCallbacks } from '@nestor-ai/core';
import { declaredOutput } from './declared-output.js';

class Order {
  @IsString() id!: string;
  @IsNumber() total!: number;
}

class Orders {
  @Tool({ outputType: [Order] }) list(): Order[] {
    return [{ id: 'o1', total: 5 }];
  }

  @Tool({ outputType: Order }) broken(): unknown {
    return { id: 'o1', total: 'five: a secret' };
  }
}

afterEach(() => void jest.restoreAllMocks());

describe('the declared result of a tool', () => {
  it('is described by a class, a list or a schema', () => {
    expect(declaredOutput({ outputType: Order }).outputSchema).toMatchObject({
      type: 'object',
      properties: { id: { type: 'string' }, total: { type: 'number' } },
      required: ['id', 'total'],
    });
    expect(declaredOutput({ outputType: [String] }).outputSchema).toMatchObject({
      type: 'array',
      items: { type: 'string' },
    });
    const dated = z.object({ at: z.iso.date().transform((text) => text.length) }).pipe(z.object({ at: z.number() }));
    expect(declaredOutput({ outputSchema: dated }).outputSchema).toMatchObject({
      properties: { at: { type: 'number' } },
    });
    expect(declaredOutput({})).toEqual({});
  });

  it.each([
    [{ outputType: Order, outputSchema: {} }, /either outputType or outputSchema/],
    [{ outputSchema: 'string' as never }, /outputSchema must be/],
    [{ outputSchema: [] as never }, /outputSchema must be/],
  ])('is refused: %j', (options, message) => {
    expect(() => declaredOutput(options)).toThrow(message);
  });

  it('is part of the definition, and results keep their value', async () => {
    const [list] = ToolCallbacks.from(new Orders());
    expect(list!.toolDefinition.outputSchema).toMatchObject({ type: 'array' });
    expect(await list!.call('{}')).toMatchObject({ text: '[{"id":"o1","total":5}]', value: [{ id: 'o1', total: 5 }] });
  });

  it('is compared with results outside production, once, without showing them', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const broken = ToolCallbacks.from(new Orders()).find(({ toolDefinition }) => toolDefinition.name === 'broken')!;
    await broken.call('{}');
    await broken.call('{}');
    expect(warn).toHaveBeenCalledTimes(1);
    const [[text]] = warn.mock.calls as unknown as [[string]];
    expect(text).toMatch(/'broken' \(Orders\.broken\(\)\) does not match its output schema.*total/);
    expect(text).not.toMatch(/a secret|arguments/);
  });

  it('refuses an invalid schema when the tool is checked', () => {
    const tool = new FunctionToolCallback({
      name: 'odd',
      outputSchema: { type: 'strange' as never },
      toolFunction: () => 1,
    });
    expect(() => tool.verify()).toThrow(/outputSchema cannot be used/);
  });
});
