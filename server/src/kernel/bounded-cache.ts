interface Entry<Value> {
  readonly value: Value
  readonly size: number
}

/** Cache of two `Map`s: a full young map replaces the old map. Unlike in an LRU cache, most reads change nothing. */
export class BoundedCache<Key, Value> {
  readonly #half: number
  readonly #sizeOf: (value: Value) => number
  #young = new Map<Key, Entry<Value>>()
  #youngSize = 0
  #old = new Map<Key, Entry<Value>>()

  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.#half = limit / 2
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old !== undefined) this.#put(key, old)
    return old?.value
  }

  /** Does not store a value larger than half the limit. Call this again when the value's size changes. */
  set(key: Key, value: Value): void {
    this.delete(key)
    this.#put(key, { value, size: this.#sizeOf(value) })
  }

  delete(key: Key): void {
    this.#youngSize -= this.#young.get(key)?.size ?? 0
    this.#young.delete(key)
    this.#old.delete(key)
  }

  *entries(): Generator<[key: Key, value: Value]> {
    for (const [key, { value }] of this.#young) yield [key, value]
    for (const [key, { value }] of this.#old) if (!this.#young.has(key)) yield [key, value]
  }

  #put(key: Key, entry: Entry<Value>): void {
    if (entry.size > this.#half) return
    if (this.#youngSize + entry.size > this.#half) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngSize = 0
    }
    this.#young.set(key, entry)
    this.#youngSize += entry.size
  }
}
