import { isEvent, type ApiEvent, type PayloadOf } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { effect, untracked } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { isPlace, placeKey, routeAt, type Conversation } from '../../kernel/route.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../../platform/client.ts'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { announce } from '../../platform/overlay/announce.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, shownRoute } from '../../platform/router.ts'
import { openTabChannel } from '../../platform/sync/tabs.ts'
import { previewTextOf } from '../muted-users/state.ts'
import { placeName } from '../places/title.tsx'
import { isMutedTopic } from '../unread/state.ts'
import { isMutedUser, ownId } from '../users/state.ts'
import { playSound } from './sound.ts'
import { areNotificationsPaused, isForMe, showsDirectMessageText, soundName, notificationChoiceFor } from './wanted.ts'

/** Older messages, sent while the device was offline, appear in the inbox without a notification. */
const MAX_MESSAGE_AGE_SECONDS = 300
const MAX_NOTIFICATION_CHARACTERS = 200
const MAX_BANNER_CHARACTERS = 80

/**
 * Announces messages in the open view to screen readers, and shows all other messages as desktop notifications.
 * @param earlier events received while this module was loading
 */
export function createNotifications(earlier: readonly ApiEvent[]): Capability {
  return { name: 'notifications', begin: () => announceMessages(earlier) }
}

function announceMessages(earlier: readonly ApiEvent[]): void {
  for (const event of earlier)
    if (isEvent(event, declared.messageSent) && isSincePageOpened(event)) announceMessage(event)
  sync.listen((event) => {
    if (isEvent(event, declared.messageSent)) announceMessage(event)
  })
  // Handles clicks on the service worker's notifications.
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    const route = data.open === undefined ? undefined : routeAt(new URL(data.open, window.location.href))
    if (route !== undefined) go(route)
  })
  runWhenIdle(() => {
    if ('Notification' in window && Notification.permission === 'default')
      void withPart(
        import('./asking.tsx'),
        (part) => part.askAfterMessages(),
        () => undefined,
      )
  })
}

/** Earlier messages were announced by the previous page or by another tab, or were missed and are in the inbox. */
function isSincePageOpened({ message }: PayloadOf<typeof declared.messageSent>): boolean {
  return message.timestamp >= Math.floor(performance.timeOrigin / 1000)
}

function announceMessage({ message, flags }: PayloadOf<typeof declared.messageSent>): void {
  const sent: Message = { ...message, flags }
  if (sent.sender_id === ownId() || isMutedUser(sent.sender_id)) return
  const place = conversationOfMessage(sent, ownId())
  const isMine = isForMe(sent)
  if (place.view === 'topic' && isMutedTopic(place.channelId, place.topic) && !isMine) return
  const isHere = isOpen(place)
  const text = previewTextOf(sent).slice(0, MAX_NOTIFICATION_CHARACTERS)
  const isBetweenTwo = place.view === 'direct' && place.userIds.length < 2
  const from = isHere || isBetweenTwo ? sent.sender_full_name : `${sent.sender_full_name}, ${placeName(place)}`
  const shownText = place.view === 'direct' && !showsDirectMessageText.read() ? t().notifications.hidden : text
  if (isMine && !isInView(place) && isBannerWanted(sent, place)) showBanner(sent, place, from, shownText)
  // Toasts are announced anyway.
  else if (isHere || isMine) announce(tl().messages.arrivedFrom(from, text))
  void notifyUser(sent, place, from, shownText)
}

/** Whether the person works in this tab, so that no desktop notification appears, and wants to know of the message. */
function isBannerWanted(sent: Message, place: Conversation): boolean {
  const isRecent = sent.timestamp >= Date.now() / 1000 - MAX_MESSAGE_AGE_SECONDS
  return document.hasFocus() && isRecent && !areNotificationsPaused() && notificationChoiceFor(sent, place).onDesktop
}

let closeBanner = (): void => undefined

/** Shows one banner at a time, until the person opens the conversation or the inbox. */
function showBanner({ id }: Message, place: Conversation, from: string, text: string): void {
  closeBanner()
  const words = text.length > MAX_BANNER_CHARACTERS ? `${text.slice(0, MAX_BANNER_CHARACTERS)}…` : text
  const close = toast(tl().messages.arrivedFrom(from, words), {
    title: t().composer.goThere,
    run: () => go({ ...place, near: id }),
  })
  const stop = effect(() => {
    if (isInView(place)) untracked(close)
  })
  closeBanner = () => {
    stop()
    close()
  }
}

/** Whether the view shows the message: the conversation or the inbox. */
function isInView(place: Conversation): boolean {
  return isOpen(place) || shownRoute().view === 'inbox'
}

function isOpen(place: Conversation): boolean {
  const route = shownRoute()
  return route.view !== 'not-found' && isPlace(route) && placeKey(route) === placeKey(place)
}

/** Notifies only in the leading tab, and only if no tab has the focus. */
async function notifyUser(sent: Message, place: Conversation, from: string, text: string): Promise<void> {
  if (!sync.leads.peek() || areNotificationsPaused() || sent.timestamp < Date.now() / 1000 - MAX_MESSAGE_AGE_SECONDS)
    return
  const wanted = notificationChoiceFor(sent, place)
  const { withSound } = wanted
  const onDesktop = wanted.onDesktop && areNotificationsAllowed()
  if (!onDesktop && !withSound) return
  if (await hasFocusedTab()) return
  if (onDesktop) void showNotification(sent, place, from, text)
  if (withSound) playSound(soundName.read())
}

function areNotificationsAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted'
}

/** If push is enabled, the service worker shows the notification, because it must know which messages were shown. */
async function showNotification({ id }: Message, place: Conversation, title: string, body: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  if (await worker?.pushManager?.getSubscription().catch(() => null)) {
    const { createNotification } = await import('../../kernel/push.ts')
    await worker?.showNotification(title, createNotification({ messageId: id, place, body }))
    return
  }
  const notification = new Notification(title, { body, icon: '/static/icon.svg', tag: String(id) })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    go({ ...place, near: id })
  })
}

/** Maximum wait for the answer of a focused tab, which comes almost immediately. */
const ANSWER_TIMEOUT_MILLISECONDS = 150

const waitingAnswers = new Set<(isRead: boolean) => void>()

const sendToTabs = openTabChannel<'asked' | 'here'>('parley-focus', (message) => {
  if (message === 'here') for (const end of waitingAnswers) end(true)
  else if (document.hasFocus()) sendToTabs('here')
})

async function hasFocusedTab(): Promise<boolean> {
  if (document.hasFocus()) return true
  return new Promise((resolve) => {
    const end = (isRead: boolean): void => {
      clearTimeout(timer)
      waitingAnswers.delete(end)
      resolve(isRead)
    }
    const timer = setTimeout(() => end(false), ANSWER_TIMEOUT_MILLISECONDS)
    waitingAnswers.add(end)
    sendToTabs('asked')
  })
}
