import { effect } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { sync } from '../../platform/client.ts'
import { isAdministrator } from '../users/state.ts'
import { changesInvitations, waitingCount } from './waiting-count.ts'

export const invitations: Capability = {
  name: 'invitations',
  begin: () => {
    sync.listen((event, touched) => {
      if (changesInvitations(event, touched))
        void refreshWaiting(event.type === 'registrations' && event['op'] === 'add')
    })
    sync.onBeginning(() => void refreshWaiting(false))
    effect(() => {
      // The count is not part of the state, so it is requested on start and after each reconnect.
      if (!isAdministrator()) waitingCount.value = 0
      else if (sync.isConnected.value) void refreshWaiting(false)
    })
  },
}

async function refreshWaiting(isMore: boolean): Promise<void> {
  if (!isAdministrator()) return
  try {
    await (await import('./waiting.ts')).updateWaiting(isMore)
  } catch {}
}
