import { webPush } from '@parley/server/contract'
import type { Output } from '@parley/server/kernel/endpoint'
import { signal } from '@preact/signals'
import { parametersOf } from '../../kernel/push.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { ask } from '../../platform/requests.ts'

/* Notifications that the server pushes to the devices of the person. */

export const pushForMe = serverSetting('enable_offline_push_notifications', true)
export const pushFollowed = serverSetting('enable_followed_topic_push_notifications', true)
export const pushChannels = serverSetting('enable_stream_push_notifications', false)
export const pushWhileThere = serverSetting('enable_online_push_notifications', true)

type Push = Output<typeof webPush.getPushSubscriptions>
export type PushDevice = Push['push_subscriptions'][number]

/** What the server says; undefined until it was asked. No event tells of it: it is asked when it is shown. */
export const push = signal<Push | 'failed' | undefined>(undefined)

let reads = 0
/** How many changes are on their way: what is read meanwhile may not know them. */
let changing = 0

export async function readPush(): Promise<void> {
  reads += 1
  const own = reads
  const said = await ask(webPush.getPushSubscriptions, {})
  if (own === reads && changing === 0) push.value = said ?? 'failed'
}

/** Whether this browser can be pushed to at all. On an iPhone that takes an installed client. */
export function canBePushedTo(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Why the device could not be subscribed. */
export type Refused = 'permission' | 'browser' | 'server'

/** Subscribes this browser. @returns why it is not, where that failed */
export async function turnOn(key: string): Promise<Refused | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return 'permission'
  const subscription = await subscribed(key)
  if (subscription === undefined) return 'browser'
  const answer = await ask(webPush.addPushSubscription, parametersOf(subscription))
  await readPush()
  return answer === undefined ? 'server' : undefined
}

/** A subscription that was made for another key, as by another organization's server at this address, is made anew. */
async function subscribed(key: string): Promise<PushSubscription | undefined> {
  try {
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe()
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch {
    return undefined
  }
}

/** Ends a subscription. @param isHere of this browser, which then forgets it, too */
export async function turnOff(id: number, isHere: boolean): Promise<void> {
  await ask(webPush.removePushSubscription, { push_subscription_id: id })
  if (isHere) {
    const registration = await navigator.serviceWorker.getRegistration()
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
  }
  await readPush()
}

/** @returns whether the server pushes a test to the device */
export async function testPush(id: number): Promise<boolean> {
  return (await ask(webPush.testPushSubscription, { push_subscription_id: id })) !== undefined
}

/** Changes what is shown at once. @returns whether it is so now */
export async function changePush(changes: Partial<Pick<Push, 'quiet_hours' | 'shows_content'>>): Promise<boolean> {
  const known = push.value
  if (typeof known === 'object') push.value = { ...known, ...changes }
  changing += 1
  const isDone = (await ask(webPush.updatePushSettings, changes)) !== undefined
  changing -= 1
  await readPush()
  return isDone
}
