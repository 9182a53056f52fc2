import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { placesOf } from './places.mjs';
import { plant } from './plant.mjs';
import { faultSwitch } from './switch.mjs';

/** Plants one fault into `text`, or all, and runs it. */
async function run(text: string, chosen: (kind: string, changed: string) => boolean, active: number) {
  const places = placesOf('a.ts', text).filter(({ kind, changed }) => chosen(kind, changed));
  const planted = plant(
    text,
    places.map((place, index) => ({ ...place, id: index + 1 })),
  );
  const reached = new Set<number>();
  const __fault = faultSwitch(active, (id) => reached.add(id));
  const result: unknown = await runInNewContext(planted, { __fault });
  return { planted, reached: [...reached], result: JSON.stringify(result) };
}

it.each([
  ['negated condition', 'a', '(function (a) { if (a) return 1; return 2; })(true)', '1', '2'],
  ['negated condition', 'a', '(function (a, b) { return !(a && b) ? 1 : 2; })(true, true)', '2', '1'],
  ['dropped await', 'await x', '(async (x) => typeof (await x))(Promise.resolve(1))', '"number"', '"object"'],
  ['swapped arguments', '2, 3', '(() => [].concat(1, 2, 3))()', '[1,2,3]', '[1,3,2]'],
  ['swapped arguments', '1, 2', '(() => new Array(1, 2))()', '[1,2]', '[2,1]'],
  ['removed line', 'x = 2;', '((x) => { x = 2; return x; })(1)', '2', '1'],
  ['removed line', 'return 1;', '((x) => { if (x) return 1; else return 2; })(true)', '1', undefined],
  ['removed line', 'return 1;', '((x) => { if (x) return 1; else return 2; })(false)', '2', '2'],
  ['removed line', 'throw 1;', '(() => { try { throw 1; } catch { return 1; } return 2; })()', '1', '2'],
])('%s: %s in %s', async (wanted, part, text, without, withFault) => {
  const isChosen = (kind: string, changed: string) => kind === wanted && changed === part;
  expect(await run(text, isChosen, 0)).toMatchObject({ result: without });
  expect(await run(text, isChosen, 1)).toMatchObject({ result: withFault });
});

const ALL_KINDS = `
  (async (list) => {
    if (await list.length && list[0] > 0)
      await Promise.all(list.map(async (item) => await item), 1);
    return list.reduce((sum, item) => { sum += item; return sum; }, 0);
  })([1, 2])`;

it('plants many faults at once, which are off', async () => {
  const { planted, reached, result } = await run(ALL_KINDS, () => true, 0);
  expect(result).toBe('3');
  expect(planted.split('\n')).toHaveLength(ALL_KINDS.split('\n').length);
  expect(reached.length).toBe(placesOf('a.ts', ALL_KINDS).length);
});

it('leaves out loops, decorators, and what runs while a module is loaded', () => {
  const text = `
    start(1, 2);
    class A { @Tool(1, 2) method() { while (a && b); } }`;
  expect(placesOf('a.ts', text)).toEqual([]);
});
