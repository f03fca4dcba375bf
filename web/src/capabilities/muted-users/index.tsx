import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { isMutedUser, ownId, directPartnerIn, userById } from '../users/state.ts'
import { MutedMessageCover } from './parts/cover.tsx'
import { hideMessage, isHiddenMessage, toggleMuted } from './state.ts'

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
      when: (userId) => userId !== ownId() && userById(userId) !== undefined,
      run: toggleMuted,
    },
  ],
}
