import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

/** A run that ends on demand. */
class Scene {
  readonly flight = new SingleFlight<string>();
  readonly runs: { resolve: (result: string) => void; reject: (error: Error) => void }[] = [];

  ask(name: string, signal?: AbortSignal, key = 'key'): Promise<string> {
    return this.flight.run(key, {
      run: () => new Promise((resolve, reject) => this.runs.push({ resolve, reject })),
      share: (result) => (result === 'private' ? undefined : result),
      accept: (shared) => `${shared} for ${name}`,
      signal,
    });
  }

  /** Resolves when all pending continuations have run. */
  readonly settled = () => new Promise((resolve) => setImmediate(resolve));
}

describe('concurrent requests for the same result', () => {
  it('run once, and again for later requests', async () => {
    const scene = new Scene();
    const answers = [scene.ask('a'), scene.ask('b'), scene.ask('c')];
    await scene.settled();
    expect(scene.runs).toHaveLength(1);
    scene.runs[0]!.resolve('tea');
    expect(await Promise.all(answers)).toEqual(['tea', 'tea for b', 'tea for c']);
    const later = scene.ask('d');
    await scene.settled();
    scene.runs[1]!.resolve('coffee');
    expect(await later).toBe('coffee');
  });

  it('run once per key', async () => {
    const scene = new Scene();
    const answers = [scene.ask('a'), scene.ask('b', undefined, 'another')];
    await scene.settled();
    scene.runs.forEach(({ resolve }, at) => resolve(String(at)));
    expect(await Promise.all(answers)).toEqual(['0', '1']);
  });

  it.each([
    ['fails', (scene: Scene) => scene.runs[0]!.reject(new Error('down')), 'Error: down'],
    ['cannot be shared', (scene: Scene) => scene.runs[0]!.resolve('private'), 'private'],
  ])('run in parallel, each by itself, if the first result %s', async (_what, end, outcome) => {
    const scene = new Scene();
    const answers = ['a', 'b', 'c'].map((name) => scene.ask(name).catch(String));
    await scene.settled();
    end(scene);
    await scene.settled();
    expect(scene.runs).toHaveLength(3);
    scene.runs[2]!.resolve('tea');
    scene.runs[1]!.reject(new Error('still down'));
    expect(await Promise.all(answers)).toEqual([outcome, 'Error: still down', 'tea']);
  });

  it('are completed for the others when the first one leaves', async () => {
    const scene = new Scene();
    const caller = new AbortController();
    const left = scene.ask('a', caller.signal).catch(String);
    const answers = [scene.ask('b'), scene.ask('c')];
    await scene.settled();
    caller.abort(new Error('enough'));
    expect(await left).toBe('Error: enough');
    await scene.settled();
    expect(scene.runs).toHaveLength(2);
    scene.runs[0]!.reject(new Error('nobody hears it'));
    scene.runs[1]!.resolve('tea');
    expect(await Promise.all(answers)).toEqual(['tea', 'tea for c']);
  });

  it('end immediately for those who leave', async () => {
    const scene = new Scene();
    const caller = new AbortController();
    const first = scene.ask('a');
    const left = scene.ask('b', caller.signal);
    const late = scene.ask('c', AbortSignal.abort(new Error('too late')));
    caller.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    await expect(late).rejects.toThrow('too late');
    scene.runs[0]!.resolve('tea');
    expect(await first).toBe('tea');
  });

  it('do not wait for themselves when nested', async () => {
    const flight = new SingleFlight<string>();
    const ask = (depth: number): Promise<string> =>
      flight.run('key', {
        run: async () => (depth === 0 ? 'the bottom' : `over ${await ask(depth - 1)}`),
        share: (result) => result,
        accept: (shared) => shared,
      });
    expect(await ask(3)).toBe('over over over the bottom');
  });

  it('can be repeated after a synchronous error', async () => {
    const flight = new SingleFlight<string>();
    const request = { share: (result: string) => result, accept: (shared: string) => shared };
    const throwing = () => {
      throw new Error('boom');
    };
    await expect(flight.run('key', { ...request, run: throwing })).rejects.toThrow('boom');
    expect(await flight.run('key', { ...request, run: () => Promise.resolve('tea') })).toBe('tea');
  });
});
