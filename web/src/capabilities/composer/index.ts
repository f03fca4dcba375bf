import type { Capability } from '../../kernel/capability.ts'
import { conversationOfMessage } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { copyWithToast } from '../../platform/dom/clipboard.ts'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { shrinkPageAboveKeyboard } from '../../platform/frame.ts'
import { hrefOf } from '../../platform/router.ts'
import {
  goToDestination,
  linkTo,
  mentionUser,
  startDirectMessage,
  startTopic,
  startReply,
  replyInDirectMessage,
  replyToCurrentMessage,
} from './actions.ts'
import { openedList } from '../messages/open-list.ts'
import { directPartnerIn, ownId, userById } from '../users/state.ts'
import {
  conversationOnScreen,
  currentComposition,
  focusComposerOnArrival,
  offeredQuote,
  otherDestination,
} from './state.ts'

export const composer: Capability = {
  name: 'composer',
  begin() {
    shrinkPageAboveKeyboard()
    focusComposerOnArrival()
    runWhenIdle(() => {
      import('./quoting.tsx').then(({ watchSelections }) => watchSelections()).catch(() => undefined)
    })
  },
  messageFooter: ({ id }) => (offeredQuote.value?.messageId === id ? offeredQuote.value.button : undefined),
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
      title: () => t().keys.reply,
      icon: 'reply',
      keys: ['r'],
      isKeyOnly: true,
      run: startReply,
    },
    {
      id: 'composer.quote',
      title: () => t().messages.reply,
      icon: 'reply',
      group: 'talk',
      keys: ['>'],
      isQuick: true,
      run: (message) => void withPart(import('./quoting.tsx'), ({ quoteMessage }) => void quoteMessage(message)),
    },
    {
      id: 'composer.direct',
      title: () => t().messages.replyDirectly,
      icon: 'person',
      keys: ['Shift+r'],
      group: 'talk',
      // The message may already be in this direct conversation.
      isKeyOnly: (message) => directPartnerIn(conversationOfMessage(message, ownId())) !== undefined,
      when: ({ sender_id: sender }) => sender !== ownId() && userById(sender) !== undefined,
      run: replyInDirectMessage,
    },
    {
      id: 'composer.link',
      title: () => t().messages.copyLink,
      icon: 'link',
      keys: ['l'],
      group: 'copy',
      run: (message) => void copyWithToast(linkTo(message)),
    },
  ],
  placeActions: [
    {
      id: 'composer.link',
      title: () => t().messages.copyLink,
      icon: 'link',
      when: ({ view }) => view === 'topic' || view === 'direct' || view === 'channel-feed',
      run: (place) => void copyWithToast(window.location.origin + hrefOf(place)),
    },
  ],
}
