import { call } from '@parley/client'
import { mutedUsers } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { changeReadFlag, markMessagesFromUserRead } from '../flags/requests.ts'
import { isMutedUser, userName } from '../users/state.ts'

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

export async function blockUser(userId: number): Promise<void> {
  const input = { blocked_user_id: userId, keep_muted: isMutedUser(userId) }
  if ((await callOrToast(mutedUsers.blockUser, input)) === undefined) return
  offerUndo(tl().blocking.blocked(userName(userId)), async () => call(SESSION, mutedUsers.unblockUser, input))
}

export async function unblockUser(userId: number): Promise<void> {
  const input = { blocked_user_id: userId }
  if ((await callOrToast(mutedUsers.unblockUser, input)) === undefined) return
  offerUndo(tl().blocking.unblocked(userName(userId)), async () => call(SESSION, mutedUsers.blockUser, input))
}
