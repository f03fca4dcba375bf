import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { isStarred, markAllRead, markPlaceRead, markReadTo, markUnreadFrom, toggleStar } from './actions.ts'

export const flags: Capability = {
  name: 'flags',
  commands: [
    { id: 'flags.markAllRead', title: () => t().keys.markAllRead, icon: 'check', run: () => void markAllRead() },
  ],
  messageActions: [
    {
      id: 'flags.star',
      title: (message) => (message !== undefined && isStarred(message) ? t().messages.unstar : t().messages.star),
      icon: 'starred',
      keys: ['Ctrl+s'],
      isQuick: true,
      run: (message) => void toggleStar(message),
    },
    {
      id: 'flags.unread',
      title: () => t().messages.markUnread,
      icon: 'inbox',
      keys: ['Shift+u'],
      run: (message) => void markUnreadFrom(message),
    },
    {
      id: 'flags.readTo',
      title: () => t().messages.readTo,
      icon: 'check',
      keys: ['.'],
      run: (message) => void markReadTo(message),
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
