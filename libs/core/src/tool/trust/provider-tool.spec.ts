import { describe, expect, it } from '@jest/globals';
import { ToolParam } from '@nestor-ai/schema';
import { AugmentedToolCallback } from '../augmentation/augmented-tool-callback.js';
import { recordOf } from '../record-of.js';
import { FunctionToolCallback } from '../function-tool-callback.js';
import { StaticToolCallbackProvider } from '../static-tool-callback-provider.js';
import { asGivenBy } from './provider-tool.js';

const options = {
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  toolFunction: (input: unknown) => (input as { city: string }).city,
} as const;

class Shouting extends FunctionToolCallback {
  override async call(input: string) {
    return `${input}: ${(await super.call(input)) as string}`;
  }
}

describe('a tool of a provider that is not trusted', () => {
  it.each([true, false])('gets the text if its class overrides call(), trusted: %s', async (trusted) => {
    const tool = new Shouting(options);
    const provider = Object.assign(new StaticToolCallbackProvider(tool), { trusted, prefix: 'their_' });
    const given = asGivenBy(provider, tool);
    expect(given.toolDefinition.name).toBe('their_weather');
    expect(await given.call('{"city":"Bern"}')).toBe('{"city":"Bern"}: Bern');
  });

  it('is checked like any other if its class overrides call()', async () => {
    const given = (pattern: string) => {
      const properties = { city: { type: 'string', pattern } };
      const tool = new Shouting({ ...options, inputSchema: { type: 'object', properties } });
      return recordOf(asGivenBy(new StaticToolCallbackProvider(tool), tool));
    };
    expect(() => given('^(?=B)').verify?.()).toThrow('(?=');
    const parse = given('^B').parse!;
    expect(await parse('{"city":"Bern"}', {} as never)).toBe('{"city":"Bern"}');
    await expect(parse('{"city":"Rome"}', {} as never)).rejects.toThrow("'city'");
  });

  it.each([true, false])('gets its arguments without added ones, trusted: %s', async (trusted) => {
    class Why {
      @ToolParam() why!: string;
    }
    const delegate = new FunctionToolCallback({
      ...options,
      inputSchema: { ...options.inputSchema, additionalProperties: false },
      toolFunction: (input) => JSON.stringify(input),
    });
    const added: unknown[] = [];
    const argumentConsumer = (event: { arguments: unknown }): void => void added.push(event.arguments);
    const tool = new AugmentedToolCallback({ delegate, argumentType: Why, argumentConsumer });
    const provider = Object.assign(new StaticToolCallbackProvider(tool), { trusted, prefix: 'their_' });
    expect(await asGivenBy(provider, tool).call('{"city":"Bern","why":"x"}')).toBe('{"city":"Bern"}');
    expect(added).toEqual([{ why: 'x' }]);
  });
});
