import { sessions } from '@parley/server/contract'
import { forgetAll } from '../../platform/cache.ts'
import { keeping } from '../../platform/client.ts'
import { ask } from '../../platform/requests.ts'

/** Signs this browser out. Nothing of the person stays in the page. */
export async function signOut(): Promise<void> {
  if ((await ask(sessions.logout, {})) === undefined) return
  await keeping.stop()
  await forgetAll()
  window.location.assign('/login')
}
