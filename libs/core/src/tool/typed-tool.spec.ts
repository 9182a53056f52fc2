import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ToolResult } from '../model/tool-result.js';
import { Handler, Tool } from './declaration/tool.decorator.js';
import { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { ToolCallbacks } from './tool-callbacks.js';
import { ToolDefinitions } from './tool-definitions.js';
import { CLASS_TYPES, type ClassTypesFactory, type MethodTypes } from '@nestor-ai/schema';

const OUTPUT = {
  type: 'object',
  properties: {
    at: { type: 'string', format: 'date-time' },
    site: { type: 'string', format: 'uri' },
    tags: { type: 'array', items: { type: 'string' } },
    counts: { type: 'object', additionalProperties: { type: 'number' } },
    next: { $ref: '#/$defs/Next' },
  },
  required: ['at', 'tags'],
  $defs: { Next: { type: ['object', 'null'], properties: { next: { $ref: '#/$defs/Next' } } } },
};

class Upper extends ToolCallResultConverter {
  convert() {
    return 'HIDDEN';
  }
}

class Result {
  at = new Date(0);
  site = new URL('https://example.com/');
  tags = new Set(['a']);
  counts = new Map([['a', 1]]);
  next: unknown = { next: null, more: undefined };
  extra = 'the type allows more';
}

class Tools {
  result: unknown = new Result();
  static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
    const types: MethodTypes = { description: 'From the comment.', parameters: [], output: OUTPUT };
    const methods = { read: types, described: types, declared: types, converted: types, handled: types, wait: types };
    return { version: 1, sources: {}, methods };
  }
  @Tool() read() {
    return this.result;
  }
  @Tool() async wait() {
    return Promise.resolve(this.result);
  }
  @Tool({ description: 'From the decorator.' }) described() {}
  @Tool({ outputSchema: { type: 'object' } }) declared() {}
  @Tool({ resultConverter: Upper }) converted() {}
  @Handler({ kind: 'prompt' }) handled() {}
}
const definitionOf = (name: string) =>
  ToolCallbacks.from(new Tools()).find(({ toolDefinition }) => toolDefinition.name === name)!.toolDefinition;

describe('a tool with types', () => {
  it('is described by @Tool, else by its comment', () => {
    expect(definitionOf('read').description).toBe('From the comment.');
    expect(definitionOf('described').description).toBe('From the decorator.');
    expect(ToolDefinitions.from(Tools, 'read').description).toBe('From the comment.');
  });

  it('is refused for a pattern in the result that is no regular expression', () => {
    class Wrong {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const output = { type: 'object', properties: { code: { type: 'string', pattern: '(' } } };
        return { version: 1, sources: {}, methods: { read: { parameters: [], output } } };
      }
      @Tool() read() {}
    }
    expect(() => ToolCallbacks.from(new Wrong())[0]!.verify!()).toThrow('Its outputSchema cannot be used');
  });

  it('declares the result of the types, unless @Tool does or a converter may hide parts of it', () => {
    expect(definitionOf('read').outputSchema).toEqual(OUTPUT);
    expect(definitionOf('declared').outputSchema).toEqual({ type: 'object' });
    expect(definitionOf('converted').outputSchema).toBeUndefined();
  });

  it.each(['read', 'wait'])('never warns of a result that fits its type: %s', async (name) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const results = [
      new Result(),
      { at: new Date(0), tags: [] },
      undefined,
      new ToolResult({ text: 'x', isError: true }),
    ];
    for (const result of results) {
      const tools = Object.assign(new Tools(), { result });
      const callback = ToolCallbacks.from(tools).find(({ toolDefinition }) => toolDefinition.name === name)!;
      const answer = await callback.call('{}');
      if (result instanceof Result)
        expect(answer).toMatchObject({ value: result, text: expect.stringContaining('1970') });
    }
    expect(warn).not.toHaveBeenCalled();
    const wrong = Object.assign(new Tools(), { result: { at: 'soon' } });
    await ToolCallbacks.from(wrong)
      .find(({ toolDefinition }) => toolDefinition.name === name)!
      .call('{}');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('the return type of the method'));
    warn.mockRestore();
  });
});
