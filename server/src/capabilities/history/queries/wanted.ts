import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Registration, Viewer } from '../../../kernel/viewer.ts'
import { mayRead } from '../../messages/queries/index.ts'
import { flagsIn, storedOf } from '../../messages/queries/sent.ts'
import { userById } from '../../users/queries/index.ts'
import { conditionsOfQueue, matchesNarrow } from './narrow.ts'

export function isMessageWanted(event: LoggedEvent, viewer: Viewer, registration: Registration): boolean {
  const role = userById(viewer.organization, viewer.userId)?.role
  const stored = storedOf(event)
  if (role === undefined || stored === undefined) return false
  const member = { userId: viewer.userId, role }
  // A user who has lost access to the channel since the message was sent can no longer read it.
  if (!mayRead(viewer.organization, member, stored)) return false
  if (registration.narrow.length === 0) return true
  return matchesNarrow({ ...stored, flags: flagsIn(event, viewer) }, conditionsOfQueue(registration))
}
