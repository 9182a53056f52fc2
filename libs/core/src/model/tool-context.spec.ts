import { describe, expect, it } from '@jest/globals';
import { ToolContext } from './tool-context.js';

describe('ToolContext', () => {
  it("returns the application's values, and no inherited properties", () => {
    const context = new ToolContext({ tenant: 'acme' });
    expect(context.get('tenant')).toBe('acme');
    expect(context.get('toString')).toBeUndefined();
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
    expect(context.get('constructor')).toBeUndefined();
  });
});
