/** 100 MiB for all queues: an event takes 260 bytes per queue. Above the limit, queues keep only the current event. */
const MAX_TOTAL_BUFFERED_EVENTS = 400_000

let totalBufferedEvents = 0

export function countBufferedEvents(): number {
  return totalBufferedEvents
}

export function isMemoryFull(): boolean {
  return totalBufferedEvents >= MAX_TOTAL_BUFFERED_EVENTS
}

export interface EncodedEvent {
  readonly id: number
  readonly text: string
}

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
    totalBufferedEvents += 1
  }

  dropOldest(): void {
    const oldest = this.#events.shift()
    if (oldest === undefined) return
    this.#characters -= oldest.text.length
    totalBufferedEvents -= 1
  }

  dropUpTo(id: number): void {
    if (this.#events.length === 0) return
    const kept = this.#events.filter((event) => event.id > id)
    totalBufferedEvents += kept.length - this.#events.length
    this.#events = kept
    this.#characters = kept.reduce((sum, { text }) => sum + text.length, 0)
  }

  clear(): void {
    totalBufferedEvents -= this.#events.length
    this.#events = []
    this.#characters = 0
  }
}
