import { call } from '@parley/client'
import { mutedUsers } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { changeReadFlag, markMessagesFromUserRead } from '../flags/requests.ts'
import { userName } from '../users/state.ts'

export async function muteUser(userId: number): Promise<void> {
  const input = { muted_user_id: userId }
  // Marks the messages as read first, because muting does not report which messages were unread.
  const read = await markMessagesFromUserRead(userId)
  const unread = async (): Promise<void> => changeReadFlag(read, 'remove')
  if ((await callOrToast(mutedUsers.muteUser, input)) === undefined) return unread()
  offerUndo(t().people.muted(userName(userId)), async () => {
    await call(SESSION, mutedUsers.unmuteUser, input)
    await unread()
  })
}

export async function unmuteUser(userId: number): Promise<void> {
  const input = { muted_user_id: userId }
  if ((await callOrToast(mutedUsers.unmuteUser, input)) === undefined) return
  offerUndo(t().people.unmuted(userName(userId)), async () => call(SESSION, mutedUsers.muteUser, input))
}
