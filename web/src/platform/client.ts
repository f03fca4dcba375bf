import { t } from '../kernel/strings.ts'
import { OWN_BUILD } from './build.ts'
import { Messages } from './messages/messages.ts'
import { toast } from './overlay/toasts.tsx'
import { StatePersistence } from './sync/persistence.ts'
import type { Store } from './sync/store.ts'
import { Sync } from './sync/sync.ts'

export const sync = new Sync(OWN_BUILD)
export const messages = new Messages(sync)
export const persistence = new StatePersistence(sync, messages, OWN_BUILD, () => toast(t().app.notKept))

/** Call this only in signed-in views. */
export function store(): Store {
  return sync.store
}

/** Whether the server sends email: the digest flag is false only on servers that do not. */
export function sendsEmail(): boolean {
  return store().read('settings_send_digest_emails')
}
