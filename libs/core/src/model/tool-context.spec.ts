import { describe, expect, it } from '@jest/globals';
import { ToolContext } from './tool-context.js';

describe('ToolContext', () => {
  it("returns the application's values, and no inherited properties", () => {
    const context = new ToolContext({ tenant: 'acme' });
    expect(context.get('tenant')).toBe('acme');
    expect(context.get<unknown>('toString')).toBeUndefined();
  });

  it('has a signal and an empty history outside a turn', () => {
    const context = new ToolContext();
    expect(context.signal.aborted).toBe(false);
    expect(context.history).toEqual([]);
    expect(() => context.reportProgress(1)).not.toThrow();
  });

  it('returns typed values, and names a missing one', () => {
    const context = new ToolContext<{ tenant: string; level?: number }>({ tenant: 'acme' });
    const tenant: string | undefined = context.get('tenant');
    expect(tenant).toBe('acme');
    expect(context.get('level')).toBeUndefined();
    expect(context.get<string>('other')).toBeUndefined();
    const required: string = context.require('tenant');
    expect(required).toBe('acme');
    expect(() => context.require('level')).toThrow(
      /The tool context has no 'level'\. Set it in the request with toolContext\(\{ level/,
    );
    expect(context.get<unknown>('constructor')).toBeUndefined();
  });

  it('has only the values that its type names, unless the caller says what it reads', () => {
    const context = new ToolContext<{ tenant: string }>({ tenant: 'acme' });
    // @ts-expect-error -- misspelt
    expect(context.get('tenat')).toBeUndefined();
    // @ts-expect-error -- misspelt
    expect(() => context.require('tenat')).toThrow("no 'tenat'");
    // Without names, every key may be read.
    const tenants = [new ToolContext({}), new ToolContext<object>({}), new ToolContext<Record<string, string>>({})];
    const wide: ToolContext = context;
    const given: string | undefined = new ToolContext<Record<string, string>>({}).get('tenant');
    const any: ToolContext<any> = context; // eslint-disable-line typescript/no-explicit-any -- as in a helper
    expect([...tenants.map((one) => one.get('tenant')), given]).toEqual([undefined, undefined, undefined, undefined]);
    expect([wide.get('tenant'), any.get('tenant')]).toEqual(['acme', 'acme']);
  });
});
