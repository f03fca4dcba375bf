import type { ApiEvent } from '@parley/client'
import type { Capability } from '../../kernel/capability.ts'
import { conversationOfMessage, isMention, type Message } from '../../kernel/message.ts'
import { isPlace, placeKey } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store, sync } from '../../platform/client.ts'
import { textOf } from '../../platform/dom/html.ts'
import { announce } from '../../platform/overlay/announce.tsx'
import { go, shown } from '../../platform/router.ts'
import { placeName } from '../places/title.tsx'
import { isMutedTopic } from '../unread/state.ts'
import { isMutedUser, ownId } from '../users/state.ts'

/** A notification shows the beginning of a message. */
const MOST_CHARACTERS = 200

/** Says what arrives: to screen readers where one is, on the desktop where one is not. */
export const notifications: Capability = {
  name: 'notifications',
  begin: hearMessages,
  settings: [
    {
      id: 'notifications',
      title: () => t().settings.notifications,
      icon: 'bell',
      load: async () => (await import('./settings.ts')).groups,
    },
  ],
}

function hearMessages(): void {
  sync.hear((event) => {
    if (event.type === 'message') onMessage(event)
  })
}

function onMessage(event: ApiEvent): void {
  // As the server declares the event.
  const { message, flags } = event as unknown as { message: Omit<Message, 'flags'>; flags: string[] }
  const sent: Message = { ...message, flags }
  if (sent.sender_id === ownId() || isMutedUser(sent.sender_id)) return
  const place = conversationOfMessage(sent, ownId())
  const isForMe = place.view === 'direct' || isMention(sent)
  if (place.view === 'topic' && isMutedTopic(place.channelId, place.topic) && !isForMe) return
  const route = shown()
  const isHere = route.view !== 'not-found' && isPlace(route) && placeKey(route) === placeKey(place)
  const text = textOf(sent.content).slice(0, MOST_CHARACTERS)
  const from = isHere ? sent.sender_full_name : `${sent.sender_full_name}, ${placeName(place)}`
  if (isHere || isForMe) announce(t().messages.arrivedFrom(from, text))
  if (isForMe && !document.hasFocus() && isWanted()) notify(from, text, () => go({ ...place, near: sent.id }))
}

/** Whether the reader and the browser both allow notifications. */
function isWanted(): boolean {
  const isAllowed = 'Notification' in window && Notification.permission === 'granted'
  return isAllowed && store().read('user_settings')['enable_desktop_notifications'] !== false
}

function notify(title: string, body: string, open: () => void): void {
  const notification = new Notification(title, { body, icon: '/static/icon.svg' })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    open()
  })
}
