import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { undoLastAction } from '../../platform/undo.ts'
import {
  canMute,
  withNextFocused,
  muteConversation,
  readConversation,
  remindOfConversation,
  withChosenUnread,
} from './actions.ts'
import { chosenUnread, isInInbox, hideMutedFromFeed } from './state.ts'
import { prefetchNext, TRIAGE_COMMANDS } from './triage.ts'

export const unread: Capability = {
  name: 'unread',
  begin() {
    prefetchNext()
    hideMutedFromFeed()
  },
  commands: [
    ...TRIAGE_COMMANDS,
    {
      id: 'go.triage',
      title: () => t().triage.open,
      icon: 'inbox',
      keys: ['Shift+n'],
      run: () => go({ view: 'triage' }),
    },
    {
      id: 'inbox.read',
      title: () => t().inbox.markRead,
      icon: 'check',
      keys: ['e'],
      when: isInInbox,
      run: withChosenUnread(withNextFocused(readConversation)),
    },
    {
      id: 'inbox.mute',
      title: () => t().inbox.mute,
      icon: 'mute',
      keys: ['m'],
      when: () => isInInbox() && canMute(chosenUnread()),
      run: withChosenUnread(withNextFocused(muteConversation)),
    },
    {
      id: 'inbox.remind',
      title: () => t().inbox.remind,
      icon: 'reminders',
      keys: ['h'],
      when: isInInbox,
      run: withChosenUnread((one) => remindOfConversation(one)),
    },
    {
      id: 'inbox.undo',
      title: () => t().app.undo,
      keys: ['u'],
      when: () => ['inbox', 'triage'].includes(shownRoute().view),
      run: undoLastAction,
    },
  ],
}
