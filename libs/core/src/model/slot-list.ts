/**
 * A list of short-lived items, such as the turns of an application. Items are added and removed
 * all the time and rarely listed.
 *
 * A `Set` would waste memory: each time it grows or shrinks, it leaves a table behind that points
 * to the next one. As soon as one of these tables is old, all that follow it stay in memory until
 * the next full collection, together with their turns.
 */
export class SlotList<T extends object> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** @returns the slot of the item, for {@link remove} */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    return slot;
  }

  /** Removes an item if it is still there. Its slot may belong to another item by now. */
  remove(slot: number, item: T): void {
    if (this.#slots[slot] !== item) return;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  /** All items, in no particular order. */
  items(): T[] {
    return this.#slots.filter((item) => item !== undefined);
  }
}
