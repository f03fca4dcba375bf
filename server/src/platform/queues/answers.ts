import type { EncodedEvent } from './buffer.ts'
import { seconds } from './idle.ts'
import type { LiveQueue, PollAnswer } from './queue.ts'

/**
 * Polls answered before the event loop gets a turn: a fan-out to thousands delays no request for long. What thousands who
 * poll again find waiting goes the same way; answered at once, each turn of the loop would take as long as all of them
 * do, and a send takes several turns.
 */
const ANSWERS_PER_SLICE = 100

/** The answers of polls whose queues have events, and what streams write of them, on their way in slices. */
export interface Answers {
  add(queue: LiveQueue, poll: PollAnswer): void
  /** Answers the rest at once. */
  finish(): void
}

export function openAnswers(): Answers {
  let ready: { queue: LiveQueue; poll: PollAnswer; turn: number }[] = []
  let slice: NodeJS.Immediate | undefined

  const answerSlice = (): void => {
    slice = undefined
    ready.splice(0, ANSWERS_PER_SLICE).forEach(answerReady)
    if (ready.length > 0) slice = setImmediate(answerSlice)
  }

  return {
    add(queue, poll) {
      ready.push({ queue, poll, turn: queue.turn })
      slice ??= setImmediate(answerSlice)
    },
    finish() {
      ready.forEach(answerReady)
      ready = []
      if (slice !== undefined) clearImmediate(slice)
      slice = undefined
    },
  }
}

/** With what the queue holds by now, unless another poll has taken its turn since: that one gets it. */
function answerReady({ queue, poll, turn }: { queue: LiveQueue; poll: PollAnswer; turn: number }): void {
  if (queue.stream !== undefined && queue.stream === poll) queue.stream.writeMore()
  else answer(queue, poll, queue.turn === turn ? queue.events : [])
}

export function answer(queue: LiveQueue, poll: PollAnswer, events: readonly EncodedEvent[]): void {
  if (poll.isGone) return
  queue.lastUsedAt = seconds()
  poll.success(`"events":[${events.map(({ text }) => text).join(',')}],"queue_id":"${queue.id}"`)
}
