import { sessions } from '@parley/server/contract'
import type { Output } from '@parley/server/kernel/endpoint'
import { deleteAllStoredData } from '../../platform/cache.ts'
import { persistence } from '../../platform/client.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { saveDrafts } from '../drafts/state.ts'

/** Sends the latest drafts first, because signing out deletes all user data from this browser. */
export async function signOut(): Promise<void> {
  await saveDrafts()
  await withPart(
    import('./unsaved.ts'),
    ({ confirmLossOfUnsavedWork }) => void confirmLossOfUnsavedWork(() => void endOwnSession()),
  )
}

async function endOwnSession(): Promise<void> {
  if ((await callOrToast(sessions.logout, {})) === undefined) return
  await persistence.stop()
  await deleteAllStoredData()
  window.location.assign('/login')
}

export type Session = Output<typeof sessions.getSessions>['sessions'][number]

export async function readSessions(): Promise<readonly Session[] | undefined> {
  return (await callOrToast(sessions.getSessions, {}))?.sessions
}

export async function endSession(id: number): Promise<boolean> {
  return (await callOrToast(sessions.endSession, { session_id: id })) !== undefined
}
