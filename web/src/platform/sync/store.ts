import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { State } from '../../kernel/state.ts'

export type Key = keyof State

/**
 * The folded state, which is read by key. A computed value or a component that reads a key is run again when an event changed
 * that key. Folds change the state in place, so each key has a version that says when it changed.
 */
export class Store {
  #state: State
  readonly #versions = new Map<string, Signal<number>>()

  constructor(state: State) {
    this.#state = state
  }

  /** The value of a field, which may only be read. */
  read<Name extends Key>(key: Name): State[Name] {
    void this.#version(key).value
    return this.#state[key]
  }

  /** All of it, to be kept or told; who reads it so does not hear of changes. */
  get whole(): State {
    return this.#state
  }

  /** A value that is computed anew after changes of what it reads. */
  select<Value>(compute: (read: Store['read']) => Value): ReadonlySignal<Value> {
    return computed(() => compute((key) => this.read(key)))
  }

  /** Says that events changed these fields. */
  touch(keys: Iterable<string>): void {
    batch(() => {
      for (const key of keys) this.#version(key).value += 1
    })
  }

  /** Replaces everything: after a registration anew. */
  reset(state: State): void {
    this.#state = state
    this.touch([...this.#versions.keys()])
  }

  #version(key: string): Signal<number> {
    const known = this.#versions.get(key) ?? signal(0)
    this.#versions.set(key, known)
    return known
  }
}
