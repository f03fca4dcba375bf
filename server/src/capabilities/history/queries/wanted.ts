import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Registration, Viewer } from '../../../kernel/viewer.ts'
import { mayRead } from '../../messages/queries/index.ts'
import { flagsIn, storedOf } from '../../messages/queries/sent.ts'
import { userById } from '../../users/queries/index.ts'
import { conditionsOfQueue, matchesNarrow } from './narrow.ts'

/** Whether a queue gets the event of a message that was sent: its user may read the message, and its narrow matches. */
export function isMessageWanted(event: LoggedEvent, viewer: Viewer, registration: Registration): boolean {
  const role = userById(viewer.organization, viewer.userId)?.role
  const stored = storedOf(event)
  if (role === undefined || stored === undefined) return false
  const member = { userId: viewer.userId, role }
  // Who was in the audience then may have lost the channel since, and then reads it as little as history.
  if (!mayRead(viewer.organization, member, stored)) return false
  if (registration.narrow.length === 0) return true
  return matchesNarrow({ ...stored, flags: flagsIn(event, viewer) }, conditionsOfQueue(registration))
}
