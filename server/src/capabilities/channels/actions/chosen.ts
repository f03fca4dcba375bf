import type { Tx } from '../../../kernel/transaction.ts'
import { realmUpdated } from '../../organizations/contract/events.ts'
import { CHANNEL_SETTINGS } from '../../organizations/contract/settings.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import type { UserChannel } from '../queries/index.ts'

/** Sends a setting that names a channel to users who can newly see the channel, or no longer can. */
export function emitChosen(tx: Tx, places: readonly UserChannel[]): void {
  for (const property of CHANNEL_SETTINGS) {
    const value = settingOf(tx.organization, property)
    const users = places.filter(({ channelId }) => channelId === value).map(({ userId }) => userId)
    if (users.length > 0) tx.emit(realmUpdated, { property, value }, { users })
  }
}
