/** Of all queues of the process together: above it, a queue keeps the event it is at and reads the others from the log. */
const MAX_ALL_BUFFERED_CHARACTERS = 64_000_000

/** What all queues of the process keep, in characters. */
let allBuffered = 0

export function bufferedCharacters(): number {
  return allBuffered
}

/** Whether the queues of the process keep as much as they may together. */
export function isMemoryFull(): boolean {
  return allBuffered >= MAX_ALL_BUFFERED_CHARACTERS
}

/** An event with its id, encoded for the client of one queue. */
export interface EncodedEvent {
  readonly id: number
  readonly text: string
}

/** Events that a queue keeps in memory, by id. */
export class EventBuffer {
  #events: EncodedEvent[] = []
  #characters = 0

  get events(): readonly EncodedEvent[] {
    return this.#events
  }

  get characters(): number {
    return this.#characters
  }

  push(event: EncodedEvent): void {
    this.#events.push(event)
    this.#count(event.text.length)
  }

  dropOldest(): void {
    const oldest = this.#events.shift()
    if (oldest !== undefined) this.#count(-oldest.text.length)
  }

  /** Drops the events with this id or lower ones. */
  dropUpTo(id: number): void {
    if (this.#events.length === 0) return
    this.#events = this.#events.filter((event) => event.id > id)
    this.#count(this.#events.reduce((sum, { text }) => sum + text.length, 0) - this.#characters)
  }

  clear(): void {
    this.#events = []
    this.#count(-this.#characters)
  }

  #count(characters: number): void {
    this.#characters += characters
    allBuffered += characters
  }
}
