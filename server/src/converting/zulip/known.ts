import type { Account } from '../new-account.ts'
import type { Channel } from '../new-organization.ts'
import type { ZulipGroups } from './groups.ts'

/** Who receives messages: a channel, a person, or the members of a conversation. */
export type Recipient =
  { readonly channel: Channel } | { readonly person: Account } | { readonly memberIds: readonly number[] }

/** What is known of an export of Zulip while its messages are read, by its own numbers. */
export interface KnownOfZulip {
  readonly realmId: number
  readonly accounts: ReadonlyMap<number, Account>
  readonly groups: ZulipGroups
  readonly channels: ReadonlyMap<number, Channel>
  readonly recipients: ReadonlyMap<number, Recipient>
  /** Numbers of emoji here, by those there. */
  readonly emojiIds: ReadonlyMap<string, string>
  /** Uploaded files, by their paths. */
  readonly uploads: ReadonlyMap<string, { readonly id: number; readonly path: string }>
}
