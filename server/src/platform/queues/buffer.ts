/**
 * Events that all queues of the process keep together. V8 has the text of an event once for all queues, and some 260 bytes
 * for each: 100 MiB. Above it, a queue keeps the event it is at and reads the others from the log.
 */
const MAX_ALL_BUFFERED_EVENTS = 400_000

/** How many events all queues of the process keep. */
let allBuffered = 0

export function bufferedEvents(): number {
  return allBuffered
}

/** Whether the queues of the process keep as much as they may together. */
export function isMemoryFull(): boolean {
  return allBuffered >= MAX_ALL_BUFFERED_EVENTS
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
    this.#characters += event.text.length
    allBuffered += 1
  }

  dropOldest(): void {
    const oldest = this.#events.shift()
    if (oldest === undefined) return
    this.#characters -= oldest.text.length
    allBuffered -= 1
  }

  /** Drops the events with this id or lower ones. */
  dropUpTo(id: number): void {
    if (this.#events.length === 0) return
    const kept = this.#events.filter((event) => event.id > id)
    allBuffered += kept.length - this.#events.length
    this.#events = kept
    this.#characters = kept.reduce((sum, { text }) => sum + text.length, 0)
  }

  clear(): void {
    allBuffered -= this.#events.length
    this.#events = []
    this.#characters = 0
  }
}
