import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { isBlockedUser, isMutedUser, mayBeBlocked, ownId, directPartnerIn, userById } from '../users/state.ts'
import { MutedMessageCover } from './parts/cover.tsx'
import { hideMessage, isHiddenMessage, toggleBlocked, toggleMuted } from './state.ts'

export const mutedUsers: Capability = {
  name: 'muted-users',
  messageCover: (message) => (isHiddenMessage(message) ? <MutedMessageCover message={message} /> : undefined),
  messageActions: [
    {
      id: 'mutedUsers.hide',
      title: () => t().people.hideMessage,
      icon: 'mute',
      when: ({ sender_id: senderId }) => isMutedUser(senderId),
      run: ({ id }) => hideMessage(id),
    },
  ],
  placeActions: [
    {
      id: 'mutedUsers.mutePlace',
      title: (place) => (isMutedUser(directPartnerIn(place) ?? 0) ? t().people.unmutePerson : t().people.mutePerson),
      icon: 'mute',
      when: (place) => directPartnerIn(place) !== undefined,
      run: (place) => {
        const userId = directPartnerIn(place)
        if (userId !== undefined) toggleMuted(userId)
      },
    },
  ],
  personActions: [
    {
      id: 'mutedUsers.mute',
      title: (userId) => (isMutedUser(userId) ? t().people.unmute : t().people.mute),
      icon: 'mute',
      when: (userId) => userId !== ownId() && userById(userId) !== undefined && !isBlockedUser(userId),
      run: toggleMuted,
    },
    {
      id: 'mutedUsers.block',
      title: (userId) => (isBlockedUser(userId) ? t().people.unblock : t().people.block),
      icon: 'block',
      when: (userId) => isBlockedUser(userId) || (userId !== ownId() && mayBeBlocked(userId)),
      run: toggleBlocked,
    },
  ],
}
