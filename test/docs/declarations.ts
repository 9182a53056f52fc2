/*
 * Ways to declare what a tool takes, as real code. `declarations.e2e-spec.ts` reads this file and `class-declarations.ts`, runs the
 * tools, and writes the table of docs/reference/declarations.md. A section starts with its title; the
 * line after the title is what the model sends. Lines with `//+` are what one writes with the compiler
 * plugin.
 */
import { Tool, ToolContext, ToolParam } from '@nestor-ai/core';

/** The arguments of the last method call, for the table. */
export const received: unknown[] = [];
export const receive = (...values: unknown[]): void => void received.splice(0, received.length, ...values);

export enum Unit {
  Celsius = 'c',
  Fahrenheit = 'f',
}

//# Primitive types; a default value makes a parameter optional
//> {"city":"Rome","days":"3"}
export class PrimitivesHost {
  @Tool() forecast(city: string, days: number, hourly = false) {
    return receive(city, days, hourly);
  }
}

//# A name, a description, a whole number, an optional parameter
//> {"q":"tea"}
//+ /**
//+  * @param q What to look for
//+  * @param limit
//+  * @asType integer
//+  */
//+ @Tool() search(q: string, limit?: number)
export class DescribedHost {
  @Tool() search(
    @ToolParam({ name: 'q', description: 'What to look for' }) query: string,
    @ToolParam({ type: 'integer', required: false }) limit?: number,
  ) {
    return receive(query, limit);
  }
}

//# A value or `null`
//> {"title":null}
//+ @Tool() rename(title: string | null)
export class NullableHost {
  @Tool() rename(@ToolParam({ type: String, nullable: true }) title: string | null) {
    return receive(title);
  }
}

//# Dates
//> {"at":"2030-01-01T08:00:00Z"}
//+ @Tool() remind(at: Date)
export class DateHost {
  @Tool() remind(at: Date) {
    return receive(at);
  }
}

//# An enum
//> {"unit":"c"}
//+ @Tool() convert(unit: Unit)
export class EnumHost {
  @Tool() convert(@ToolParam({ type: Unit }) unit: Unit) {
    return receive(unit);
  }
}

//# A union of literals: list the values, because TypeScript leaves only `String`
//> {"shade":"dark"}
//+ @Tool() paint(shade: 'light' | 'dark')
export class LiteralsHost {
  @Tool() paint(@ToolParam({ schema: { enum: ['light', 'dark'] } }) shade: 'light' | 'dark') {
    return receive(shade);
  }
}

//# Arrays and Sets
//> {"names":["ada"],"tags":["a","b"]}
//+ @Tool() label(names: string[], tags: Set<string>)
export class ListHost {
  @Tool() label(@ToolParam({ type: [String] }) names: string[], @ToolParam({ type: [String] }) tags: Set<string>) {
    return receive(names, tags);
  }
}

//# Objects and Maps with values of one type
//> {"prices":{"tea":"2.5"},"stock":{"tea":7}}
//+ @Tool() order(prices: Record<string, number>, stock: Map<string, number>)
export class MapHost {
  @Tool() order(
    @ToolParam({ type: { values: Number } }) prices: Record<string, number>,
    @ToolParam({ type: { values: 'integer' } }) stock: Map<string, number>,
  ) {
    return receive(prices, stock);
  }
}

//# A union of types, as a JSON Schema
//> {"id":7}
//+ @Tool() find(id: string | number)
export class UnionHost {
  @Tool() find(@ToolParam({ schema: { type: ['string', 'integer'] } }) id: string | number) {
    return receive(id);
  }
}

//# Parameters that Nestor fills in
//> {"text":"hi"}
//+ @Tool() send(text: string, context: ToolContext, signal: AbortSignal)
export class ContextHost {
  @Tool() send(text: string, context: ToolContext, signal: AbortSignal) {
    return receive(text, context, signal);
  }
}

//# end
