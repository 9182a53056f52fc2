import { describe, expect, it } from '@jest/globals';
import type { ChatOptions } from './chat-options.js';
import { RequestScope } from './request-scope.js';
import { callerSignalOf, scopeOf, withScope } from './scoped-options.js';
import { RequestServices } from './request-services.js';
import { RUNNING_TURNS, RunningTurns } from './running-turns.js';
import { TurnControl, type TurnScope } from './turn-control.js';

const inApplication = (): TurnScope =>
  new RequestScope<TurnControl>(undefined, undefined, new RequestServices().set(RUNNING_TURNS, new RunningTurns()));

describe('the scope of a request', () => {
  it('is shared by all copies of the options', () => {
    const scope = new RequestScope<TurnControl>({ user: 'ada' });
    const options = withScope({ temperature: 1 }, scope);
    expect(scopeOf({ ...options, topK: 1 })).toBe(scope);
    expect(scopeOf(undefined)).toBeUndefined();
  });

  it('gives models the signal of the turn if an application can abort it', () => {
    const scope = inApplication();
    const options = withScope({ signal: undefined, temperature: 1 }, scope);
    expect(options).toMatchObject({ temperature: 1 });
    expect(options.signal).toBeUndefined();
    const turn = (scope.turn = new TurnControl(undefined, scope));
    expect(options.signal).toBe(turn.signal);
    expect({ ...options }.signal).toBe(turn.signal);
    turn.release();
  });

  it.each<[string, TurnScope]>([
    ['in an application', inApplication()],
    ['without one', new RequestScope<TurnControl>()],
  ])("does not change the caller's signal: %s", (_name, scope) => {
    const { signal } = new AbortController();
    const options: ChatOptions = withScope({ signal }, scope);
    expect(options.signal).toBe(signal);
    expect(callerSignalOf(options)).toBe(signal);
  });

  it('has forks for parallel turns', () => {
    const scope = new RequestScope<TurnControl>('request');
    scope.turn = new TurnControl(undefined, scope);
    const fork = scope.fork();
    expect(fork).toMatchObject({ callerRequest: 'request', turn: undefined });
  });
});
