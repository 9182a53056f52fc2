import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Tool, ToolCallbacks } from '@nestor-ai/core';
import { ToolParam } from './tool-param.decorator.js';

enum Unit {
  Celsius = 'celsius',
  Fahrenheit = 'fahrenheit',
}

enum Level {
  Low,
  High,
}

type UserId = string & { readonly brand: unique symbol };

const refused = 'TypeScript refuses this parameter';

/** Never called: TypeScript checks it. */
export class Refused {
  literals(
    // @ts-expect-error -- a union of literals
    @ToolParam() first: 'a' | 'b',
    // @ts-expect-error -- optional
    @ToolParam({ description: refused }) second?: 'a' | 'b',
    // @ts-expect-error -- one literal
    @ToolParam({ description: refused }) third?: 'a',
    // @ts-expect-error -- numbers
    @ToolParam({ description: refused }) fourth?: 1 | 2,
  ): unknown {
    return [first, second, third, fourth];
  }

  enums(
    // @ts-expect-error -- an enum of texts
    @ToolParam() unit: Unit,
    // @ts-expect-error -- an enum of numbers
    @ToolParam({ description: refused }) level?: Level,
  ): unknown {
    return [unit, level];
  }
}

class Accepted {
  @Tool()
  convert(
    @ToolParam({ schema: { enum: ['a', 'b'] } }) literal: 'a' | 'b',
    @ToolParam({ type: Unit }) unit: Unit,
    @ToolParam({ description: 'Any text' }) text: string,
    @ToolParam() count: number,
    @ToolParam() flag?: boolean,
    @ToolParam({ type: 'integer' }) whole?: number,
    @ToolParam({ type: String }) id?: UserId,
  ): unknown {
    return [literal, unit, text, count, flag, whole, id];
  }

  branded(@ToolParam() id: UserId, @ToolParam() template: `user-${string}`): unknown {
    return [id, template];
  }

  protected hidden(@ToolParam({ description: 'Of a method that is not public' }) text: string): unknown {
    return text;
  }
}

/** TypeScript cannot decide here whether a type parameter is a union of literals. */
export abstract class Generic<Item, Key extends string> {
  abstract find(key: Key): Item;

  add(@ToolParam() item: Item, @ToolParam() key: Key, @ToolParam() other?: Item | null): unknown {
    return [item, key, other];
  }

  refused(
    // @ts-expect-error -- a union of literals in a generic class
    @ToolParam({ description: refused }) first: 'a' | 'b',
    item: Item,
  ): unknown {
    return [first, item];
  }
}

class Input {
  @ToolParam({ description: 'On a property' }) unit!: 'a' | 'b';
}

describe('@ToolParam() without a type or a schema', () => {
  it('compiles on parameters whose values TypeScript keeps, and the schema has the values of the others', () => {
    const [tool] = ToolCallbacks.from(new Accepted());
    expect(tool!.toolDefinition.inputSchema['properties']).toMatchObject({
      literal: { enum: ['a', 'b'] },
      unit: { enum: ['celsius', 'fahrenheit'] },
      text: { type: 'string' },
    });
    expect(new Input()).toBeDefined();
  });
});
