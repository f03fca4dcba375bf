/* The page and the service worker both show notifications, and each must recognize the other's notifications. */
import { addressOf, placeKey, type Conversation } from './route.ts'

export interface PushPayload {
  readonly messageId: number
  readonly address: string
}

export interface PushNotice {
  readonly messageId: number
  /** Undefined if unknown. A click then opens the inbox. */
  readonly place: Conversation | undefined
  readonly body: string
}

interface NotificationForm extends NotificationOptions {
  readonly data: PushPayload
  /** Whether to alert the user again when this notification replaces another. Not supported by every browser. */
  readonly renotify: boolean
}

/** Creates a notification that replaces the conversation's last one. @param isKnown whether it was already shown */
export function createNotification({ messageId, place, body }: PushNotice, isKnown = false): NotificationForm {
  return {
    body,
    silent: isKnown,
    icon: '/static/icon.svg',
    tag: place === undefined ? 'messages' : placeKey(place),
    renotify: !isKnown,
    data: { messageId, address: place === undefined ? '/inbox' : addressOf({ ...place, near: messageId }) },
  }
}

export function subscriptionParameters(subscription: PushSubscription): {
  endpoint: string
  p256dh: string
  auth: string
  allows_silent: boolean
} {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  return { endpoint, p256dh, auth, allows_silent: allowsSilentPushes() }
}

/** Safari cancels a subscription after a few pushes without a notification. */
function allowsSilentPushes(): boolean {
  return !/Safari\//.test(navigator.userAgent) || /Chrom/.test(navigator.userAgent)
}
