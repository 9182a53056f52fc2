import { assertionsOf } from './assertions.js';

const store = assertionsOf('store', 'storeContract');

/** @param what names the value */
export function assertEqual(given: unknown, wanted: unknown, what: string): void {
  store.assertEqual(given, wanted, `The contract checks ${what}`);
}
