import { sessions } from '@parley/server/contract'
import type { Output } from '@parley/server/kernel/endpoint'
import { forgetAll } from '../../platform/cache.ts'
import { persistence } from '../../platform/client.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { ask } from '../../platform/requests.ts'
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
  if ((await ask(sessions.logout, {})) === undefined) return
  await persistence.stop()
  await forgetAll()
  window.location.assign('/login')
}

export type Session = Output<typeof sessions.getSessions>['sessions'][number]

export async function readSessions(): Promise<readonly Session[] | undefined> {
  return (await ask(sessions.getSessions, {}))?.sessions
}

export async function endSession(id: number): Promise<boolean> {
  return (await ask(sessions.endSession, { session_id: id })) !== undefined
}
