import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { followKeyboard } from '../../platform/frame.ts'
import {
  copyLink,
  goToDestination,
  mentionUser,
  startDirectMessage,
  startTopic,
  quoteMessage,
  startReply,
  replyDirectly,
  replyToCurrentMessage,
} from './actions.ts'
import { openedList } from '../messages/open-list.ts'
import { listsSingleMessages } from './answering.ts'
import { ownId, userById } from '../users/state.ts'
import { conversationOnScreen, currentComposition, focusComposerOnArrival, otherDestination } from './state.ts'

export const composer: Capability = {
  name: 'composer',
  begin() {
    followKeyboard()
    focusComposerOnArrival()
  },
  commands: [
    {
      id: 'composer.reply',
      title: () => t().keys.reply,
      icon: 'reply',
      keys: ['r'],
      when: () => currentComposition.value !== undefined || openedList.value !== undefined,
      run: replyToCurrentMessage,
    },
    { id: 'composer.newTopic', title: () => t().keys.newTopic, icon: 'plus', keys: ['c'], run: startTopic },
    { id: 'composer.newDirect', title: () => t().keys.newDirect, icon: 'person', keys: ['x'], run: startDirectMessage },
    {
      id: 'composer.destination',
      title: () => t().keys.destination,
      icon: 'send',
      keys: ['Ctrl+.'],
      when: () => currentComposition.value !== undefined && otherDestination(currentComposition.value) !== undefined,
      run: goToDestination,
    },
  ],
  personActions: [
    {
      id: 'composer.mention',
      title: () => t().people.mention,
      icon: 'mentions',
      when: () => conversationOnScreen() !== undefined,
      run: mentionUser,
    },
  ],
  messageActions: [
    {
      id: 'composer.replyTo',
      title: () => t().messages.reply,
      icon: 'reply',
      keys: ['r'],
      isQuick: listsSingleMessages,
      group: 'talk',
      run: startReply,
    },
    {
      id: 'composer.direct',
      title: () => t().messages.replyDirectly,
      icon: 'person',
      keys: ['Shift+r'],
      group: 'talk',
      when: ({ sender_id: sender }) => sender !== ownId() && userById(sender) !== undefined,
      run: replyDirectly,
    },
    {
      id: 'composer.quote',
      title: () => t().messages.quote,
      icon: 'quote',
      group: 'talk',
      keys: ['>'],
      isQuick: true,
      run: (message) => void quoteMessage(message),
    },
    {
      id: 'composer.link',
      title: () => t().messages.copyLink,
      icon: 'link',
      group: 'copy',
      run: (message) => void copyLink(message),
    },
  ],
}
