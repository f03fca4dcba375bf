import type { ClientCapability } from './viewer.ts'

/**
 * Who an event is for. Stored with the event, so that any node, now or on replay, gives the same answer.
 * A user is in the audience when any of the first three parts names them and `except` does not.
 */
export interface Audience {
  /** Users whose subscription to this channel covers the event's position. */
  readonly channel?: number
  /**
   * Of the users of `channel`, only those whose subscription covers this position too: who may read a message of
   * protected history, and is there to hear what happens to it.
   */
  readonly alsoAt?: number
  /** Every user whose role number is at most this: 600 is everyone, 400 everyone but guests. */
  readonly roleAtMost?: number
  readonly users?: readonly number[]
  readonly except?: readonly number[]
  /** Of their clients, only those that said that they understand this or, where `has` is false, that did not. */
  readonly clients?: { readonly capability: ClientCapability; readonly has: boolean }
}

export const everyone: Audience = { roleAtMost: 600 }

/** Nobody: the event only moves the projections. */
export const nobody: Audience = {}
