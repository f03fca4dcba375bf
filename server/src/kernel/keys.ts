/* Typed keys of objects whose only keys are those of their type, such as literals. `Object.keys` loses the type. */

export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  // Safe for an object whose only keys are those of its type.
  return Object.keys(record) as Key[]
}

export function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return keysOf(record).map((key) => [key, record[key]])
}

export function isKeyOf<Key extends string>(record: Readonly<Record<Key, unknown>>, name: string): name is Key {
  return Object.hasOwn(record, name)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the order lists each of the IDs exactly once. */
export function isReordering(order: readonly number[], ids: readonly number[]): boolean {
  const wanted = new Set(order)
  return wanted.size === order.length && order.length === ids.length && ids.every((id) => wanted.has(id))
}

export function recordWith<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  // Safe: every key gets a value.
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>
}
