import { webPush } from '@parley/server/contract'
import type { Output } from '@parley/server/kernel/endpoint'
import { signal } from '@preact/signals'
import { subscriptionParameters } from '../../kernel/push.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { callOrToast } from '../../platform/requests.ts'

export const pushForMe = serverSetting('enable_offline_push_notifications', true)
export const pushForFollowedTopics = serverSetting('enable_followed_topic_push_notifications', true)
export const pushForChannels = serverSetting('enable_stream_push_notifications', false)
export const pushWhileOnline = serverSetting('enable_online_push_notifications', true)

type Push = Output<typeof webPush.getPushSubscriptions>
export type PushDevice = Push['push_subscriptions'][number]

/** Undefined until requested. No event reports changes, so each view requests the data. */
export const pushState = signal<Push | 'failed' | undefined>(undefined)

let readCount = 0
/** Number of pending changes. Data read before they finish may lack them. */
let pendingChanges = 0

export async function readPush(): Promise<void> {
  readCount += 1
  const own = readCount
  const said = await callOrToast(webPush.getPushSubscriptions, {})
  if (own === readCount && pendingChanges === 0) pushState.value = said ?? 'failed'
}

/** iPhones support push only in the installed client. */
export function supportsPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

export type PushRefusal = 'permission' | 'browser' | 'server'

/** @returns the reason if push cannot be turned on */
export async function turnOnPush(key: string): Promise<PushRefusal | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return 'permission'
  const subscription = await subscribeBrowser(key)
  if (subscription === undefined) return 'browser'
  const answer = await callOrToast(webPush.addPushSubscription, subscriptionParameters(subscription))
  await readPush()
  return answer === undefined ? 'server' : undefined
}

/** Replaces any existing subscription, which can use another server's key. */
async function subscribeBrowser(key: string): Promise<PushSubscription | undefined> {
  try {
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe()
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch {
    return undefined
  }
}

export async function turnOffPush(id: number, isHere: boolean): Promise<void> {
  await callOrToast(webPush.removePushSubscription, { push_subscription_id: id })
  if (isHere) {
    const registration = await navigator.serviceWorker.getRegistration()
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
  }
  await readPush()
}

export async function sendTestPush(id: number): Promise<boolean> {
  return (await callOrToast(webPush.testPushSubscription, { push_subscription_id: id })) !== undefined
}

/** Shows the changed settings before the server answers. @returns whether the server accepted them */
export async function changePush(changes: Partial<Pick<Push, 'quiet_hours' | 'shows_content'>>): Promise<boolean> {
  const known = pushState.value
  if (typeof known === 'object') pushState.value = { ...known, ...changes }
  pendingChanges += 1
  const isDone = (await callOrToast(webPush.updatePushSettings, changes)) !== undefined
  pendingChanges -= 1
  await readPush()
  return isDone
}
