import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { shownRoute, type ShownRoute } from '../../platform/router.ts'
import { isStarred, markAllRead, markPlaceRead, markReadUpTo, markUnreadFrom, toggleStar } from './actions.ts'

type ReadablePlace = Extract<Place, { view: 'topic' | 'direct' | 'channel-feed' }>

function isReadable(place: ShownRoute): place is ReadablePlace {
  return place.view === 'topic' || place.view === 'channel-feed' || place.view === 'direct'
}

export const flags: Capability = {
  name: 'flags',
  commands: [
    {
      id: 'flags.markRead',
      title: () => t().keys.markRead,
      icon: 'check',
      keys: ['Shift+Escape'],
      when: () => shownRoute().view !== 'triage',
      run: () => {
        const place = shownRoute()
        if (isReadable(place)) void markPlaceRead(place)
        else void withPart(import('../../kernel/later-texts.ts'), ({ tl }) => toast(tl().keys.nothingOpen))
      },
    },
    { id: 'flags.markAllRead', title: () => t().keys.markAllRead, icon: 'check', run: () => void markAllRead() },
  ],
  messageActions: [
    {
      id: 'flags.star',
      title: (message) => (message !== undefined && isStarred(message) ? t().messages.unstar : t().messages.star),
      icon: 'starred',
      keys: ['Ctrl+s'],
      group: 'read',
      isQuick: true,
      run: (message) => void toggleStar(message),
    },
    {
      id: 'flags.unread',
      title: () => t().messages.markUnread,
      icon: 'inbox',
      keys: ['Shift+u'],
      group: 'read',
      run: (message) => void markUnreadFrom(message),
    },
    {
      id: 'flags.readTo',
      title: () => t().messages.readTo,
      icon: 'check',
      keys: ['.'],
      group: 'rare',
      run: (message) => void markReadUpTo(message),
    },
  ],
  placeActions: [
    {
      id: 'flags.markRead',
      title: () => t().channel.markRead,
      icon: 'check',
      when: isReadable,
      run: (place) => void markPlaceRead(place),
    },
  ],
}
