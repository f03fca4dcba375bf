import type { ClientCapability } from './viewer.ts'

/**
 * Accounts that receive an event. Stored with the event, so that every node selects the same accounts, also on replay.
 * A user receives the event if `channel`, `roleAtMost`, or `users` includes them and `except` does not.
 */
export interface Audience {
  /** Users whose subscription to this channel covers the event's position. */
  readonly channel?: number
  /**
   * Only those users of `channel` whose subscription also covers this position: they can read the message in protected
   * history and are still subscribed when it changes.
   */
  readonly alsoAt?: number
  /** Users whose role number is at most this: 600 is everyone, 400 excludes guests. */
  readonly roleAtMost?: number
  readonly users?: readonly number[]
  readonly except?: readonly number[]
  /** Only clients with this capability or, if `has` is false, without it. */
  readonly clients?: { readonly capability: ClientCapability; readonly has: boolean }
}

export const everyone: Audience = { roleAtMost: 600 }

/** No receivers: such an event only changes projections. */
export const nobody: Audience = {}
