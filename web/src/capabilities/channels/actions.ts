import { call } from '@parley/client'
import { channels } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { confirm } from '../../platform/overlay/confirm.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { ask } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import { coversMe } from '../groups/state.ts'
import { subscriptionTo } from './state.ts'

const subscribe = async (name: string) => call(SESSION, channels.subscribe, { subscriptions: [{ name }] })
const unsubscribe = async (name: string) => call(SESSION, channels.unsubscribe, { subscriptions: [name] })

/** Joins a channel by its name. */
export async function join(name: string): Promise<void> {
  const answer = await ask(channels.subscribe, { subscriptions: [{ name }] })
  if (answer !== undefined) undoable(t().channel.joined(name), async () => unsubscribe(name))
}

/** Leaves a channel; asks before, where one cannot join it again by oneself. */
export function leave(channelId: number): void {
  const channel = subscriptionTo(channelId)
  if (channel === undefined) return
  const { name } = channel
  if (!channel.invite_only || coversMe(channel.can_subscribe_group)) void leaveNow(name, true)
  else
    confirm({ text: t().channel.leaveForGood(name), action: t().channel.leave, run: () => void leaveNow(name, false) })
}

async function leaveNow(name: string, canReturn: boolean): Promise<void> {
  if ((await ask(channels.unsubscribe, { subscriptions: [name] })) === undefined) return
  if (canReturn) undoable(t().channel.left(name), async () => subscribe(name))
  else toast(t().channel.left(name))
}

/** Makes a channel and goes there. @returns whether it was made */
export async function create(name: string, description: string, isPrivate: boolean): Promise<boolean> {
  const answer = await ask(channels.createChannel, {
    name,
    description,
    subscribers: [store().read('user_id')],
    invite_only: isPrivate,
  })
  if (answer !== undefined) go({ view: 'channel', channelId: answer.id })
  return answer !== undefined
}

/** Mutes a channel for oneself, pins it, or takes that back. */
export async function toggle(channelId: number, property: 'is_muted' | 'pin_to_top'): Promise<void> {
  const channel = subscriptionTo(channelId)
  if (channel === undefined) return
  const { name, [property]: was } = channel
  const given = { stream_id: channelId, property }
  if ((await ask(channels.updateSubscription, { ...given, value: !was })) === undefined) return
  undoable(t().channel.toggled[property](name, !was), async () =>
    call(SESSION, channels.updateSubscription, { ...given, value: was }),
  )
}
