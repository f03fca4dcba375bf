import type { Projection } from '../../../kernel/projection.ts'

/** A change of messages that were sent: of one message, or of all that were in a topic. */
export type MessageChange = { readonly message: number } | { readonly topic: number }

/** Changes that are remembered: many times what happens while messages are read. */
const MAX_REMEMBERED = 2_000

/**
 * The latest changes of messages that had been sent: of their texts, their places, what was added to them, and their
 * deletion. Caches of messages follow it.
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

/** Every action that changes messages after they were sent emits a change to this projection. */
export const messageChangesProjection: Projection<MessageChanges, MessageChange> = {
  name: 'message-changes',
  empty: () => new MessageChanges(),
  // A process that has just begun keeps nothing yet.
  load: async () => undefined,
  apply: (changes, change, position) => changes.put(change, position),
}
