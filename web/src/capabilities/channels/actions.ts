import { channels } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { ask } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { store } from '../../platform/client.ts'

/** Joins a channel by its name, which can be undone. */
export async function join(name: string): Promise<void> {
  const answer = await ask(channels.subscribe, { subscriptions: [{ name }] })
  if (answer !== undefined) toast(t().channel.joined(name), () => void leave(name))
}

/** Leaves a channel; joining it again undoes that where the channel is open. */
export async function leave(name: string): Promise<void> {
  const answer = await ask(channels.unsubscribe, { subscriptions: [name] })
  if (answer !== undefined) toast(t().channel.left(name), () => void join(name))
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

/** Chooses a property of a channel for oneself. */
export async function setProperty(
  channelId: number,
  property: 'is_muted' | 'pin_to_top' | 'color',
  value: boolean | string,
): Promise<void> {
  await ask(channels.updateSubscription, { stream_id: channelId, property, value })
}
