/**
 * Remembers the result of a function for each object.
 *
 * @param isLasting whether the object keeps its result. Default: every one does. For a list that may
 *   change, its result is computed each time: `Object.isFrozen`
 */
export function remembered<Key extends object, Value>(
  make: (key: Key) => Value,
  isLasting: (key: Key) => boolean = () => true,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let found = known.get(key);
    if (!found) {
      found = { value: make(key) };
      if (isLasting(key)) known.set(key, found);
    }
    return found.value;
  };
}
