/*
 * What is pushed to this browser, as the page and the service worker know it: both show notifications, and each of them must
 * see that the other has shown one.
 */
import { addressOf, placeKey, type Conversation } from './route.ts'

/** What a notification carries for those who find it later. */
export interface Carried {
  readonly messageId: number
  /** The address that it opens. */
  readonly address: string
}

/** A message that is told of. */
export interface Told {
  readonly messageId: number
  /** Where it is; undefined where that is not known, and the inbox is opened. */
  readonly place: Conversation | undefined
  readonly body: string
}

interface NotificationForm extends NotificationOptions {
  readonly data: Carried
  /** Not every browser knows it. */
  readonly renotify: boolean
}

/**
 * How the notification of a message looks and behaves: there is one for each conversation.
 * @param isKnown it was shown already, and makes no sound again
 */
export function formOf({ messageId, place, body }: Told, isKnown = false): NotificationForm {
  return {
    body,
    silent: isKnown,
    icon: '/static/icon.svg',
    tag: place === undefined ? 'messages' : placeKey(place),
    renotify: !isKnown,
    data: { messageId, address: place === undefined ? '/inbox' : addressOf({ ...place, near: messageId }) },
  }
}

/** What the server is told of a browser that is to be pushed to. */
export function parametersOf(subscription: PushSubscription): {
  endpoint: string
  p256dh: string
  auth: string
  allows_silent: boolean
} {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  return { endpoint, p256dh, auth, allows_silent: allowsSilent() }
}

/** Safari ends a subscription after a few pushes that show nothing. */
function allowsSilent(): boolean {
  return !/Safari\//.test(navigator.userAgent) || /Chrom/.test(navigator.userAgent)
}
