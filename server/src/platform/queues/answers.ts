import type { EncodedEvent } from './buffer.ts'
import { wholeSteadySeconds } from './idle.ts'
import type { LiveQueue, PollAnswer } from './queue.ts'

/** Answering thousands of polls must not block other requests. */
const ANSWERS_PER_SLICE = 100

export interface PendingAnswers {
  add(queue: LiveQueue, poll: PollAnswer): void
  finish(): void
}

export function openPendingAnswers(): PendingAnswers {
  let ready: { queue: LiveQueue; poll: PollAnswer; turn: number }[] = []
  let slice: NodeJS.Immediate | undefined

  const answerSlice = (): void => {
    slice = undefined
    ready.splice(0, ANSWERS_PER_SLICE).forEach(answerReadyPoll)
    if (ready.length > 0) slice = setImmediate(answerSlice)
  }

  return {
    add(queue, poll) {
      ready.push({ queue, poll, turn: queue.turn })
      slice ??= setImmediate(answerSlice)
    },
    finish() {
      ready.forEach(answerReadyPoll)
      ready = []
      if (slice !== undefined) clearImmediate(slice)
      slice = undefined
    },
  }
}

/** Sends events to a poll, or an empty list if another poll has replaced it. */
function answerReadyPoll({ queue, poll, turn }: { queue: LiveQueue; poll: PollAnswer; turn: number }): void {
  if (queue.stream !== undefined && queue.stream === poll) queue.stream.writeMore()
  else answerPoll(queue, poll, queue.turn === turn ? queue.events : [])
}

export function answerPoll(queue: LiveQueue, poll: PollAnswer, events: readonly EncodedEvent[]): void {
  if (poll.isGone) return
  queue.lastUsedAt = wholeSteadySeconds()
  poll.success(`"events":[${events.map(({ text }) => text).join(',')}],"queue_id":"${queue.id}"`)
}
