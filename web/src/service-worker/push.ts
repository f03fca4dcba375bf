/* Shows notifications for pushes while no client page has the focus. */
import { createNotification, subscriptionParameters, type PushPayload } from '../kernel/push.ts'
import type { Conversation } from '../kernel/route.ts'
import { push as germanPush } from '../strings/de/personal-settings.ts'
import { notifications as german, place as germanPlace } from '../strings/de/main.ts'
import { push as englishPush } from '../strings/en/personal-settings.ts'
import { notifications as english, place as englishPlace } from '../strings/en/main.ts'

declare const self: ServiceWorkerGlobalScope

type PushData =
  | { readonly type: 'withdrawal'; readonly message_id: number }
  | { readonly type: 'test'; readonly language: string }
  | ({ readonly type: 'message'; readonly language: string } & PushedMessage)

interface PushedMessage {
  readonly message_id: number
  readonly sender: string
  readonly channel_id?: number
  readonly channel?: string
  readonly topic?: string
  readonly topic_name?: string
  readonly user_ids?: readonly number[]
  readonly names?: readonly string[]
  readonly content?: string
}

export function listenForPushes(): void {
  self.addEventListener('push', (event) => {
    // Safe: encrypted by the server for this browser only, in the declared form.
    const push = event.data?.json() as PushData | undefined
    if (push !== undefined) event.waitUntil(handlePush(push))
  })
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(openClient(payloadOf(event.notification)?.address ?? '/settings/notifications'))
  })
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)))
}

/** Returns the data of a notification; undefined for a test notification. */
function payloadOf(notification: Notification): PushPayload | undefined {
  // Safe: only `createNotification` attaches data.
  return (notification.data as PushPayload | null) ?? undefined
}

async function handlePush(push: PushData): Promise<void> {
  if (push.type === 'withdrawal') await closeNotification(push.message_id)
  else if (push.type === 'test')
    await self.registration.showNotification('Parley', { body: textsIn(push.language).arrived })
  else await showNotification(push, push.language)
}

async function closeNotification(messageId: number): Promise<void> {
  for (const notification of await self.registration.getNotifications()) {
    if (payloadOf(notification)?.messageId === messageId) notification.close()
  }
}

/** Shows nothing while the client has the focus. Repeats a known notification silently. */
async function showNotification(message: PushedMessage, language: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.some(({ focused }) => focused)) return
  const body = message.content ?? textsIn(language).hidden
  const payload = { messageId: message.message_id, place: placeOf(message), body }
  const shown = await self.registration.getNotifications({ tag: createNotification(payload).tag ?? '' })
  const isKnown = shown.some((one) => (payloadOf(one)?.messageId ?? 0) >= message.message_id)
  await self.registration.showNotification(titleOf(message, language), createNotification(payload, isKnown))
}

function placeOf({ channel_id, topic, user_ids }: PushedMessage): Conversation | undefined {
  if (channel_id !== undefined && topic !== undefined) return { view: 'topic', channelId: channel_id, topic }
  return user_ids === undefined ? undefined : { view: 'direct', userIds: user_ids }
}

function titleOf({ sender, channel, topic_name, names = [] }: PushedMessage, language: string): string {
  const { place } = textsIn(language)
  if (channel !== undefined) return `${sender}, ${place.topicOf(topic_name ?? '', channel)}`
  return names.length < 2 ? sender : `${sender}, ${place.people([...names], 0)}`
}

function textsIn(language: string) {
  return language === 'de'
    ? { hidden: german.hidden, arrived: germanPush.arrived, place: germanPlace }
    : { hidden: english.hidden, arrived: englishPush.arrived, place: englishPlace }
}

async function openClient(address: string): Promise<void> {
  const [known] = await self.clients.matchAll({ type: 'window' })
  if (known === undefined) {
    await self.clients.openWindow(address)
    return
  }
  known.postMessage({ open: address })
  // Browsers refuse to focus a window without a user gesture.
  await known.focus().catch(() => undefined)
}

/** Runs when the browser or its push service has ended the subscription. */
async function renewSubscription({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey
  if (newSubscription === null || newSubscription === undefined) {
    if (key === null || key === undefined) return
  }
  const subscription =
    newSubscription ??
    (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key ?? null }))
  const { allows_silent, ...parameters } = subscriptionParameters(subscription)
  const body = new URLSearchParams({ ...parameters, allows_silent: String(allows_silent) })
  await fetch('/api/v1/push_subscriptions', { method: 'POST', body })
}
