import { call } from '@parley/client'
import { bans } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { userName } from '../users/state.ts'

/** Messages are deleted once Undo is over, because nothing restores them. */
const DELETE_AFTER_MILLISECONDS = 9_000

export interface ChosenBan {
  readonly reason: string
  /** Null until someone lifts the ban. */
  readonly seconds: number | null
  /** How long before the ban the deleted messages were sent; 0 to keep all. */
  readonly deletedSeconds: number
}

/** Throws if the server refuses. */
export async function banUser(userId: number, { reason, seconds, deletedSeconds }: ChosenBan): Promise<void> {
  const duration = seconds === null ? {} : { duration_seconds: seconds }
  await call(SESSION, bans.banUser, { user_id: userId, reason, ...duration })
  const timer =
    deletedSeconds === 0
      ? undefined
      : setTimeout(() => void deleteMessages(userId, deletedSeconds), DELETE_AFTER_MILLISECONDS)
  offerUndo(
    tl().bans.banned(userName(userId)),
    async () => {
      clearTimeout(timer)
      await call(SESSION, bans.liftBan, { user_id: userId })
    },
    { shownMilliseconds: DELETE_AFTER_MILLISECONDS },
  )
}

async function deleteMessages(userId: number, seconds: number): Promise<void> {
  try {
    const input = { user_id: userId, within_seconds: seconds }
    while (!(await call(SESSION, bans.deleteMessagesOfBanned, input)).complete);
  } catch (error) {
    toast(tl().bans.notDeleted(userName(userId), reasonOf(error)))
  }
}

/** Offers to ban the user again, for as long as the ban would have lasted. Throws if the server refuses. */
export async function liftBan({ user_id: userId, reason, ends_at: endsAt }: bans.Ban): Promise<void> {
  await call(SESSION, bans.liftBan, { user_id: userId })
  offerUndo(tl().bans.lifted(userName(userId)), async () => {
    const left = endsAt === null ? null : Math.max(60, endsAt - Math.floor(Date.now() / 1_000))
    const duration = left === null ? {} : { duration_seconds: left }
    await call(SESSION, bans.banUser, { user_id: userId, reason, ...duration })
  })
}
