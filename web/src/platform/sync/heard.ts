import type { Cursor } from './tabs.ts'

/** What a tab that begins may lack of what the leader has heard; one that lacks more is given the whole state. */
const MOST_EVENTS = 2_000
const MOST_CHARACTERS = 1_000_000

/** The events that the leader has heard lately, as JSON. */
export class Heard {
  readonly #texts: { readonly id: number; readonly text: string }[] = []
  #characters = 0
  #from: Cursor

  /** @param from after which it hears */
  constructor(from: Cursor) {
    this.#from = from
  }

  add(id: number, text: string): void {
    this.#texts.push({ id, text })
    this.#characters += text.length
    while (this.#texts.length > MOST_EVENTS || this.#characters > MOST_CHARACTERS) {
      const oldest = this.#texts.shift()
      if (oldest === undefined) return
      this.#characters -= oldest.text.length
      this.#from = { ...this.#from, eventId: oldest.id }
    }
  }

  /** All events after one; undefined where they are not known any more. */
  since({ queueId, eventId }: Cursor): readonly string[] | undefined {
    if (queueId !== this.#from.queueId || eventId < this.#from.eventId) return undefined
    return this.#texts.filter(({ id }) => id > eventId).map(({ text }) => text)
  }
}
