import type { ClientCapability } from './viewer.ts'

/** Receivers, stored with the event so that all nodes select the same accounts. `except` overrides the other fields. */
export interface Audience {
  /** Channel whose subscribers at the event's position receive it. */
  readonly channel?: number
  /** Excludes users who were not subscribed at this log position: protected history hides the message from them. */
  readonly alsoAt?: number
  /** Role number: 600 is everyone, 400 excludes guests. */
  readonly roleAtMost?: number
  readonly users?: readonly number[]
  readonly except?: readonly number[]
  /** Limits the clients to those with the capability or, if `has` is false, to those without it. */
  readonly clients?: { readonly capability: ClientCapability; readonly has: boolean }
}

export const everyone: Audience = { roleAtMost: 600 }

export const nobody: Audience = {}
