import type { Cursor } from './tabs.ts'

/** A tab that missed more events than these limits allow gets the whole state. */
const MAX_STORED_EVENTS = 2_000
const MAX_STORED_CHARACTERS = 1_000_000

/** The leader's recent events, as JSON. */
export class RecentEvents {
  readonly #texts: { readonly id: number; readonly text: string }[] = []
  #characters = 0
  #from: Cursor

  constructor(from: Cursor) {
    this.#from = from
  }

  add(id: number, text: string): void {
    this.#texts.push({ id, text })
    this.#characters += text.length
    while (this.#texts.length > MAX_STORED_EVENTS || this.#characters > MAX_STORED_CHARACTERS) {
      const oldest = this.#texts.shift()
      if (oldest === undefined) return
      this.#characters -= oldest.text.length
      this.#from = { ...this.#from, eventId: oldest.id }
    }
  }

  /** Returns the events after a cursor; undefined if some of them are no longer stored. */
  since({ queueId, eventId }: Cursor): readonly string[] | undefined {
    if (queueId !== this.#from.queueId || eventId < this.#from.eventId) return undefined
    return this.#texts.filter(({ id }) => id > eventId).map(({ text }) => text)
  }
}
