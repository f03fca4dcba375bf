import type { Capability } from '../../kernel/capability.ts'
import { conversationOfMessage } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { ownId } from '../users/state.ts'
import { isStarred, markPlaceRead, markUnreadFrom, toggleStar } from './actions.ts'

export const flags: Capability = {
  name: 'flags',
  messageActions: [
    {
      id: 'flags.star',
      title: (message) => (isStarred(message) ? t().messages.unstar : t().messages.star),
      icon: 'starred',
      key: 'Ctrl+s',
      isQuick: true,
      run: (message) => void toggleStar(message),
    },
    {
      id: 'flags.unread',
      title: () => t().messages.markUnread,
      icon: 'inbox',
      key: 'Shift+u',
      run: (message) => void markUnreadFrom(message, conversationOfMessage(message, ownId())),
    },
  ],
  placeActions: [
    {
      id: 'flags.markRead',
      title: () => t().channel.markRead,
      icon: 'check',
      when: ({ view }) => view === 'topic' || view === 'channel-feed' || view === 'direct',
      run: (place) => void markPlaceRead(place),
    },
  ],
}
