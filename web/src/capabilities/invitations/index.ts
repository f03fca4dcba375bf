import { effect } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../../platform/client.ts'
import { isAdministrator } from '../users/state.ts'
import { affectsInvitations, mayInvite, waitingCount } from './inviting.ts'
import { invitePeople } from './open.ts'

export const invitations: Capability = {
  name: 'invitations',
  commands: [
    { id: 'invitations.invite', title: () => t().nav.invite, icon: 'person', when: mayInvite, run: invitePeople },
  ],
  begin: () => {
    sync.listen((event, touched) => {
      if (affectsInvitations(event, touched))
        void updateWaitingCount(event.type === 'registrations' && event['op'] === 'add')
    })
    sync.onBeginning(() => void updateWaitingCount(false))
    effect(() => {
      // The count is not part of the state, so it is requested on start and after each reconnect.
      if (!isAdministrator()) waitingCount.value = 0
      else if (sync.isConnected.value) void updateWaitingCount(false)
    })
  },
}

async function updateWaitingCount(isMore: boolean): Promise<void> {
  if (!isAdministrator()) return
  try {
    await (await import('./state.ts')).updateWaitingPeople(isMore)
  } catch {}
}
