import type { ClientState } from '../../../server/src/kernel/event.ts'

/** Compares a state's fields before and after each event. */
export class TouchedFields {
  readonly #state: ClientState
  #before: ReadonlyMap<string, string>

  constructor(state: ClientState) {
    this.#state = state
    this.#before = this.#fields()
  }

  #fields(): Map<string, string> {
    return new Map(Object.entries(this.#state).map(([name, value]) => [name, JSON.stringify(value)]))
  }

  /** Fields that changed since the last call, except the given ones. */
  changedBeside(named: readonly string[]): string[] {
    const [before, after] = [this.#before, this.#fields()]
    this.#before = after
    const all = new Set([...before.keys(), ...after.keys()])
    return [...all].filter((name) => before.get(name) !== after.get(name) && !named.includes(name))
  }
}
