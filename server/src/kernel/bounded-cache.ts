interface Entry<Value> {
  readonly value: Value
  readonly size: number
}

/**
 * A cache whose entries together are never larger than a limit. Entries are in two generations: what is put or found is
 * young, and when the young ones are half of the limit they grow old, and the old ones that were not used since are
 * gone. So what was used last is there, at least half of the limit, and no use costs more than a look-up: a Map in the
 * order of use is made anew with each of them.
 */
export class BoundedCache<Key, Value> {
  readonly #half: number
  readonly #sizeOf: (value: Value) => number
  #young = new Map<Key, Entry<Value>>()
  #youngSize = 0
  #old = new Map<Key, Entry<Value>>()

  /** @param sizeOf in the unit of the limit; each entry counts as one where it is absent */
  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.#half = limit / 2
    this.#sizeOf = sizeOf
  }

  /** The value of a key, which counts as used. */
  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old !== undefined) this.#put(key, old)
    return old?.value
  }

  /** Puts a value in place of what the key had. A value whose size has changed is put again; one of more than half of the limit is not kept. */
  set(key: Key, value: Value): void {
    this.delete(key)
    this.#put(key, { value, size: this.#sizeOf(value) })
  }

  delete(key: Key): void {
    this.#youngSize -= this.#young.get(key)?.size ?? 0
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** All that is cached. */
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
