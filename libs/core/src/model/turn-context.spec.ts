import { describe, expect, it } from '@jest/globals';
import { ToolContext } from './tool-context.js';
import { TurnContext } from './turn-context.js';

describe('TurnContext', () => {
  it('is aborted when the caller aborts, with the reason of the caller', () => {
    const caller = new AbortController();
    const turn = new TurnContext(caller.signal);
    const { signal } = turn;
    caller.abort(new Error('changed my mind'));
    expect(signal.aborted).toBe(true);
    expect(() => turn.throwIfAborted()).toThrow('changed my mind');
  });

  it('is aborted from the start when the caller has aborted already', () => {
    expect(new TurnContext(AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it('can be aborted before anyone asks for its signal', () => {
    const turn = new TurnContext();
    turn.abort(new Error('over'));
    expect(turn.signal.aborted).toBe(true);
    expect(() => turn.throwIfAborted()).toThrow('over');
  });

  it('no longer follows the caller once it is released', () => {
    const caller = new AbortController();
    const turn = new TurnContext(caller.signal);
    const { signal } = turn;
    turn.release();
    caller.abort();
    expect(signal.aborted).toBe(false);
  });

  it('has an id of its own', () => {
    const turn = new TurnContext();
    expect(turn.id).toBe(turn.id);
    expect(turn.id).not.toBe(new TurnContext().id);
  });
});

describe('ToolContext', () => {
  it('gives the values of the application, and nothing that the prototype has', () => {
    const context = new ToolContext({ tenant: 'acme' });
    expect(context.get('tenant')).toBe('acme');
    expect(context.get('toString')).toBeUndefined();
  });

  it('has a signal and an empty history also outside a turn', () => {
    const context = new ToolContext();
    expect(context.signal.aborted).toBe(false);
    expect(context.history).toEqual([]);
    expect(() => context.reportProgress(1)).not.toThrow();
  });
});
