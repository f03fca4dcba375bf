import { parseSearch } from './messages/search.ts'
import { Messages } from './messages/messages.ts'
import type { Store } from './sync/store.ts'
import { Sync } from './sync/sync.ts'

/** The one client of this tab. */
export const sync = new Sync()
export const messages = new Messages(sync, (query) => parseSearch(query, sync.store))

/** The folded state; only views that are shown after signing in ask for it. */
export function store(): Store {
  return sync.store
}
