import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tool, ToolCallbacks } from '@nestor-ai/core';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { StandardSchemaInput } from './standard-schema-input.js';

describe('a Standard Schema', () => {
  it('does not end the process when it is checked for accepting undefined', async () => {
    class Tools {
      @Tool() trim(
        @ToolParam({ schema: z.unknown().transform(async (x: unknown) => (x as string).trim()) }) word: string,
      ) {
        return word;
      }
    }
    const [tool] = ToolCallbacks.from(new Tools());
    expect(await tool!.call('{"word":" a "}')).toBe('a');
  });

  it('must describe an object to be all arguments of a tool', () => {
    expect(() => new StandardSchemaInput(z.string()).verify()).toThrow('must have type "object", but has "string"');
    expect(() => new StandardSchemaInput(z.object({})).verify()).not.toThrow();
  });
});
