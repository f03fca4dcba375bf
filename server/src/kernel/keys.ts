/* Typed keys of objects whose only keys are those of their type, such as literals. `Object.keys` loses the type. */

/** Returns the keys with their type. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  // Safe for an object whose only keys are those of its type.
  return Object.keys(record) as Key[]
}

/** Builds a record with one value for each key. */
export function recordWith<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  // Safe: every key gets a value.
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>
}
