import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { isMutedUser, ownId, userById } from '../users/state.ts'
import { setMuted } from './actions.ts'

export const mutedUsers: Capability = {
  name: 'muted-users',
  personActions: [
    {
      id: 'mutedUsers.mute',
      title: (userId) => (isMutedUser(userId) ? t().people.unmute : t().people.mute),
      icon: 'mute',
      when: (userId) => userId !== ownId() && userById(userId) !== undefined,
      run: (userId) => void setMuted(userId, !isMutedUser(userId)),
    },
  ],
}
