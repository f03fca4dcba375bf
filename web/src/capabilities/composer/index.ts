import type { Capability } from '../../kernel/capability.ts'
import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { conversationOf } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { copy } from '../../platform/dom/clipboard.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, hrefOf, shown } from '../../platform/router.ts'
import { sourceOf } from '../message-edits/state.ts'
import { ownId } from '../users/state.ts'
import { focusComposer, writeInto } from './parts/composer.tsx'

const isConversation = (): boolean => {
  const route = shown()
  return route.view !== 'not-found' && conversationOf(route) !== undefined
}

export const composer: Capability = {
  name: 'composer',
  settings: [
    {
      id: 'writing',
      title: () => t().settings.writing,
      icon: 'writing',
      load: async () => (await import('./settings.ts')).groups,
    },
  ],
  commands: [
    {
      id: 'composer.reply',
      title: () => t().keys.reply,
      icon: 'reply',
      keys: ['r'],
      when: isConversation,
      run: focusComposer,
    },
  ],
  messageActions: [
    {
      id: 'composer.quote',
      title: () => t().messages.quote,
      icon: 'quote',
      keys: ['>'],
      isQuick: true,
      run: (message) => void quote(message),
    },
    {
      id: 'composer.link',
      title: () => t().messages.copyLink,
      icon: 'link',
      run: (message) => void copyLink(message),
    },
  ],
}

/** Writes the message's text into the composer of its conversation, with whose it is and a link to it. */
async function quote(message: Message): Promise<void> {
  const source = await sourceOf(message)
  if (source === undefined) return
  const place = conversationOfMessage(message, ownId())
  const route = shown()
  if (route.view === 'not-found' || conversationOf(route) === undefined) go(place)
  const fence = fenceFor(source)
  const author = `@_**${message.sender_full_name}|${message.sender_id}**`
  writeInto(place, `${author} [${t().messages.said}](${linkTo(message)}):\n${fence}quote\n${source}\n${fence}\n`)
  focusComposer()
}

/** A fence that is longer than any in the text. */
function fenceFor(source: string): string {
  const longest = Math.max(0, ...[...source.matchAll(/^`{3,}/gm)].map(([fence]) => fence.length))
  return '`'.repeat(Math.max(3, longest + 1))
}

function linkTo(message: Message): string {
  return window.location.origin + hrefOf({ ...conversationOfMessage(message, ownId()), near: message.id })
}

async function copyLink(message: Message): Promise<void> {
  if (await copy(linkTo(message))) toast(t().messages.copied)
}
