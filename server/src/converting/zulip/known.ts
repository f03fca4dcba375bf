import type { Account } from '../new-account.ts'
import type { Channel } from '../new-organization.ts'
import type { ZulipGroups } from './groups.ts'

export type Recipient =
  { readonly channel: Channel } | { readonly person: Account } | { readonly memberIds: readonly number[] }

export interface ZulipContext {
  readonly realmId: number
  readonly accounts: ReadonlyMap<number, Account>
  readonly groups: ZulipGroups
  readonly channels: ReadonlyMap<number, Channel>
  readonly recipients: ReadonlyMap<number, Recipient>
  readonly emojiIds: ReadonlyMap<string, string>
  readonly uploads: ReadonlyMap<string, { readonly id: number; readonly path: string }>
}
