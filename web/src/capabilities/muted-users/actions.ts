import { call } from '@parley/client'
import { mutedUsers } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import { userName } from '../users/state.ts'

const endpointFor = (isMuted: boolean) => (isMuted ? mutedUsers.muteUser : mutedUsers.unmuteUser)

/** Mutes a person or no longer, which can be undone. */
export async function setMuted(userId: number, isMuted: boolean): Promise<void> {
  const given = { muted_user_id: userId }
  if ((await ask(endpointFor(isMuted), given)) === undefined) return
  const text = isMuted ? t().people.muted(userName(userId)) : t().people.unmuted(userName(userId))
  undoable(text, async () => call(SESSION, endpointFor(!isMuted), given))
}
