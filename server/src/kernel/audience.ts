import type { ClientCapability } from './viewer.ts'

/**
 * The accounts that an event is for. The audience is stored with the event, so that any node, now or on replay,
 * selects the same accounts. A user is in the audience when any of the first three parts names them and `except` does
 * not.
 */
export interface Audience {
  /** Users whose subscription to this channel covers the event's position. */
  readonly channel?: number
  /**
   * Of the users of `channel`, only those whose subscription covers this position too: they may read a message of
   * protected history, and are still subscribed when something happens to it.
   */
  readonly alsoAt?: number
  /** Every user whose role number is at most this: 600 is everyone, 400 everyone but guests. */
  readonly roleAtMost?: number
  readonly users?: readonly number[]
  readonly except?: readonly number[]
  /** Of the users' clients, only those that declared this capability or, where `has` is false, that did not. */
  readonly clients?: { readonly capability: ClientCapability; readonly has: boolean }
}

export const everyone: Audience = { roleAtMost: 600 }

/** The empty audience: such an event only changes the projections. */
export const nobody: Audience = {}
