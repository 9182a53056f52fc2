import { describe, expect, it } from '@jest/globals';
import { Prompt } from './prompt.js';
import { RequestScope } from './request-scope.js';
import { withScope } from './scoped-options.js';
import { Turn } from './turn.js';
import { TurnControl } from './turn-control.js';

describe('Turn', () => {
  it("is aborted with the caller's reason when the caller aborts", () => {
    const caller = new AbortController();
    const turn = new TurnControl(caller.signal);
    const { signal } = turn;
    caller.abort(new Error('changed my mind'));
    expect(signal.aborted).toBe(true);
    expect(() => turn.throwIfAborted()).toThrow('changed my mind');
  });

  it('is aborted from the start if the caller has already aborted', () => {
    expect(new TurnControl(AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it('can be aborted before its signal is used', () => {
    const turn = new TurnControl();
    turn.abort(new Error('over'));
    expect(turn.signal.aborted).toBe(true);
    expect(() => turn.throwIfAborted()).toThrow('over');
  });

  it('no longer follows the caller once it is released', () => {
    const caller = new AbortController();
    const turn = new TurnControl(caller.signal);
    const { signal } = turn;
    turn.release();
    caller.abort();
    expect(signal.aborted).toBe(false);
  });

  it('has a unique id', () => {
    const turn = new TurnControl();
    expect(turn.id).toBe(turn.id);
    expect(turn.id).not.toBe(new TurnControl().id);
  });

  it("stores an advisor's state under the advisor's key", () => {
    const turn = new TurnControl();
    const [one, another] = [{}, {}];
    let made = 0;
    const make = () => ({ number: ++made });
    expect(turn.state(one, make)).toBe(turn.state(one, make));
    expect(turn.state(another, make)).toEqual({ number: 2 });
  });

  it('is found in a request, even if the options were spread', () => {
    const scope = new RequestScope<TurnControl>();
    const options = { ...withScope({ temperature: 1 }, scope), topK: 1 };
    expect(Turn.of({ prompt: new Prompt('Hi', options) })).toBeUndefined();
    const turn = (scope.turn = new TurnControl());
    expect(Turn.of({ prompt: new Prompt('Hi', options) })).toBe(turn);
    expect(Turn.of({ prompt: new Prompt('Hi') })).toBeUndefined();
  });
});
