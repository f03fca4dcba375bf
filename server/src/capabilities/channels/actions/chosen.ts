import type { Tx } from '../../../kernel/transaction.ts'
import { realmUpdated } from '../../organizations/contract/events.ts'
import { CHANNEL_SETTINGS } from '../../organizations/contract/settings.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import type { UserChannel } from '../queries/index.ts'

/** For users who can newly see a channel named in a setting, or no longer see it. */
export function emitChosen(tx: Tx, places: readonly UserChannel[]): void {
  for (const property of CHANNEL_SETTINGS) {
    const value = settingOf(tx.organization, property)
    const users = places.filter(({ channelId }) => channelId === value).map(({ userId }) => userId)
    // Each recipient gets the value they can see.
    if (users.length > 0) tx.emit(realmUpdated, { property, value }, { users })
  }
}
