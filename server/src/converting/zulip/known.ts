import type { Account } from '../new-account.ts'
import type { Channel } from '../new-organization.ts'
import type { ZulipGroups } from './groups.ts'

/** Recipient of messages: a channel, a person, or the members of a conversation. */
export type Recipient =
  { readonly channel: Channel } | { readonly person: Account } | { readonly memberIds: readonly number[] }

/** Objects already imported when messages are read, by ID in the export. */
export interface KnownOfZulip {
  readonly realmId: number
  readonly accounts: ReadonlyMap<number, Account>
  readonly groups: ZulipGroups
  readonly channels: ReadonlyMap<number, Channel>
  readonly recipients: ReadonlyMap<number, Recipient>
  /** Emoji IDs here, by ID in the export. */
  readonly emojiIds: ReadonlyMap<string, string>
  /** Uploaded files, by path. */
  readonly uploads: ReadonlyMap<string, { readonly id: number; readonly path: string }>
}
