/**
 * What is there for a short while, such as the turns of an application: added and removed all the time, hardly ever looked at.
 *
 * A `Set` would do but for the garbage collector: each time that it grows or shrinks it leaves a table behind which points to the next
 * one, and once one of these is old, all that follow are kept until the next full collection, with the turns that they hold.
 */
export class SlotList<T extends object> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** @returns the place of the item, with which it is removed */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    return slot;
  }

  /** Removes an item, if it is still there: its place may be another one's by now. */
  remove(slot: number, item: T): void {
    if (this.#slots[slot] !== item) return;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  /** All items, in no order that anybody may rely on. */
  items(): T[] {
    return this.#slots.filter((item) => item !== undefined);
  }
}
