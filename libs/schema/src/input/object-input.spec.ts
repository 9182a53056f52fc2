import { describe, expect, it } from '@jest/globals';
import { Transform } from 'class-transformer';
import { IsDate, IsEmail, IsString } from 'class-validator';
import { Tool, ToolCallbacks } from '@nestor-ai/core';
import { ToolParam } from '../declaration/tool-param.decorator.js';

describe('a class among other parameters', () => {
  class Event {
    @IsDate() at!: Date;
    @IsEmail() mail!: string;
  }
  class Calendar {
    @Tool() add(event: Event, loud: boolean, @ToolParam({ type: [Event] }) more: Event[]) {
      return [event.at.getTime() > 0, loud, more.map(({ at }) => at instanceof Date)];
    }
  }
  class Unusable {
    @ToolParam({ schema: { type: 'strin' } }) some!: unknown;
  }
  class Holding {
    @Tool() take(_given: Unusable, _other: string) {}
  }
  const event = { at: '2030-01-01', mail: 'a@b.io' };
  const [add] = ToolCallbacks.from(new Calendar());

  it('is validated in the same way as when it is the only one', async () => {
    expect(await add!.call(JSON.stringify({ event, loud: 'true', more: [event] }))).toBe('[true,true,[true]]');
    const wrong = add!.call(JSON.stringify({ event: { at: 'soon', mail: 'x', extra: 1 }, loud: 'no', more: [{}] }));
    await expect(wrong).rejects.toThrow(/event\.mail'?: mail must be an email/);
    await expect(wrong).rejects.toThrow(/'event\.extra' is not an argument of this tool/);
    await expect(wrong).rejects.toThrow(/more\[0\]\.mail/);
    await expect(wrong).rejects.toThrow(/'loud' must be boolean/);
  });

  it('may be null if null is allowed', async () => {
    class Reminders {
      @Tool() set(@ToolParam({ nullable: true }) event: Event, note: string) {
        return [event, note];
      }
    }
    const [set] = ToolCallbacks.from(new Reminders());
    expect(await set!.call('{"event":null,"note":"x"}')).toBe('[null,"x"]');
  });

  it('is named if it cannot be instantiated, together with other violations', async () => {
    class Amount {
      @Transform(({ value }) => BigInt(value as string)) @IsString() cents!: unknown;
    }
    class Bank {
      @Tool() pay(_amount: Amount, _event: Event) {}
    }
    const [pay] = ToolCallbacks.from(new Bank());
    const call = pay!.call(JSON.stringify({ _amount: { cents: 'many' }, _event: { ...event, mail: 'x' } }));
    await expect(call).rejects.toThrow(/'_amount' cannot be turned into Amount \(Cannot convert many to a BigInt\)/);
    await expect(call).rejects.toThrow(/_event\.mail: mail must be an email/);
  });

  it('is refused before the tool is offered if one of its schemas is invalid', () => {
    const [take] = ToolCallbacks.from(new Holding());
    expect(() => take!.verify()).toThrow(/schema is invalid/);
  });
});

describe('parameters without metadata, as some compilers leave them', () => {
  class Bare {
    find(_q: string, _limit = 10, _url = import.meta.url.length) {}
  }
  Tool()(Bare.prototype, 'find', Object.getOwnPropertyDescriptor(Bare.prototype, 'find')!);
  ToolParam({ type: String })(Bare.prototype, 'find', 0);
  ToolParam({ type: 'integer' })(Bare.prototype, 'find', 1);
  ToolParam({ type: 'integer', required: false })(Bare.prototype, 'find', 2);

  it('are complete, including those with a default value', () => {
    const { inputSchema } = ToolCallbacks.from(new Bare())[0]!.toolDefinition;
    expect(Object.keys(inputSchema.properties as object)).toEqual(['_q', '_limit', '_url']);
    expect(inputSchema.required).toEqual(['_q']);
  });

  it('may have schemas with definitions of every kind, and null', async () => {
    const schema = {
      $defs: { A: { type: 'string' } },
      definitions: { A: { type: 'number' } },
      type: 'object',
      properties: { text: { $ref: '#/$defs/A' }, n: { $ref: '#/definitions/A' } },
    };
    class Tools {
      @Tool() run(@ToolParam({ schema, nullable: true, name: 'a/b' }) given: object | null) {
        return given;
      }
    }
    const [tool] = ToolCallbacks.from(new Tools());
    tool!.verify();
    expect(await tool!.call('{"a/b":{"text":"x","n":1}}')).toBe('{"text":"x","n":1}');
    expect(await tool!.call('{"a/b":null}')).toBe('null');
    await expect(tool!.call('{"a/b":{"text":1}}')).rejects.toThrow(/text/);
  });
  it('may have schemas that refer to themselves by ids', async () => {
    const schema = {
      $id: 'https://a.io/range',
      $defs: { bound: { $anchor: 'bound', type: 'integer' } },
      type: 'object',
      properties: { from: { $ref: '#bound' }, to: { $ref: 'https://a.io/range#/$defs/bound' } },
    };
    class Tools {
      @Tool() find(
        @ToolParam({ schema, name: 'first' }) first: object,
        @ToolParam({ schema, name: 'then' }) then: object,
      ) {
        return [first, then];
      }
    }
    const [tool] = ToolCallbacks.from(new Tools());
    tool!.verify();
    expect(await tool!.call('{"first":{"from":1},"then":{"to":2}}')).toBe('[{"from":1},{"to":2}]');
    await expect(tool!.call('{"first":{"from":"x"},"then":{"to":"y"}}')).rejects.toThrow(
      /'first\.from' must be integer.*'then\.to' must be integer/,
    );
  });
});
