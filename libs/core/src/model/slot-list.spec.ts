import { describe, expect, it } from '@jest/globals';
import { SlotList } from './slot-list.js';

describe('SlotList', () => {
  it('contains the items that were added and not removed', () => {
    const [first, second, third] = [{ name: 1 }, { name: 2 }, { name: 3 }];
    const list = new SlotList<{ name: number }>();
    const slot = list.add(first);
    list.add(second);
    list.remove(slot, first);
    list.add(third);
    expect(list.items()).toEqual([third, second]);
  });

  it('removes no item twice, and no item from another slot', () => {
    const [first, second] = [{}, {}];
    const list = new SlotList();
    const slot = list.add(first);
    list.remove(slot, first);
    expect(list.add(second)).toBe(slot);
    list.remove(slot, first);
    list.remove(-1, second);
    list.remove(7, second);
    expect(list.items()).toEqual([second]);
    expect(list.add({})).not.toBe(slot);
  });
});
