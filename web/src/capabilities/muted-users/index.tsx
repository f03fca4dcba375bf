import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { isMutedUser, ownId, userById } from '../users/state.ts'
import { setMuted } from './actions.ts'
import { Cover } from './parts/cover.tsx'
import { hide, isHidden } from './state.ts'

export const mutedUsers: Capability = {
  name: 'muted-users',
  messageCover: (message) => (isHidden(message) ? <Cover message={message} /> : undefined),
  messageActions: [
    {
      id: 'mutedUsers.hide',
      title: () => t().people.hideMessage,
      icon: 'mute',
      when: ({ sender_id: senderId }) => isMutedUser(senderId),
      run: ({ id }) => hide(id),
    },
  ],
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
