import type { Projection } from '../../../kernel/projection.ts'

/** What was sent is no longer as it was: one message, or all that were in a topic. */
export type MessageChange = { readonly message: number } | { readonly topic: number }

/** Changes that are remembered: many times what happens while messages are read. */
const MAX_REMEMBERED = 2_000

/**
 * What has happened lately to messages that had been sent: their text, their place, what was added to them, or that they were
 * deleted. For whoever keeps what it read of them.
 */
export class MessageChanges {
  #changes: { readonly position: number; readonly change: MessageChange }[] = []
  #forgottenTo = 0

  put(change: MessageChange, position: number): void {
    this.#changes.push({ position, change })
    if (this.#changes.length <= 2 * MAX_REMEMBERED) return
    const forgotten = this.#changes.splice(0, MAX_REMEMBERED)
    this.#forgottenTo = forgotten.at(-1)?.position ?? this.#forgottenTo
  }

  /** The changes after a position of the log; undefined when they are not all remembered any more. */
  since(position: number): readonly MessageChange[] | undefined {
    if (position < this.#forgottenTo) return undefined
    const first = this.#changes.findLastIndex((one) => one.position <= position) + 1
    return this.#changes.slice(first).map(({ change }) => change)
  }
}

/** Whoever changes messages after they were sent tells it here. */
export const messageChangesProjection: Projection<MessageChanges, MessageChange> = {
  name: 'message-changes',
  empty: () => new MessageChanges(),
  // A process that has just begun keeps nothing yet.
  load: async () => undefined,
  apply: (changes, change, position) => changes.put(change, position),
}
