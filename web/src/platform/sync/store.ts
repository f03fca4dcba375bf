import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { State } from '../../kernel/state.ts'

export type StateKey = keyof State

/** Events change the state in place, so each key has a version number, which its readers follow. */
export class Store {
  #state: State
  readonly #versions = new Map<string, Signal<number>>()

  constructor(state: State) {
    this.#state = state
  }

  /** Returns a part of the state, which callers must not change. */
  read<Name extends StateKey>(key: Name): State[Name] {
    void this.#version(key).value
    return this.#state[key]
  }

  get whole(): State {
    return this.#state
  }

  select<Value>(compute: (read: Store['read']) => Value): ReadonlySignal<Value> {
    return computed(() => compute((key) => this.read(key)))
  }

  touch(keys: Iterable<string>): void {
    batch(() => {
      for (const key of keys) this.#version(key).value += 1
    })
  }

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
