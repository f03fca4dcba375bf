import { computed, effect, untracked } from '@preact/signals'
import { messages, store } from '../../platform/client.ts'
import { coversMe } from '../groups/state.ts'
import { subscriptionTo, type Channel } from './state.ts'

/** Mirrors the server's rule for reading a channel's messages. */
function mayRead(channel: Channel): boolean {
  if (subscriptionTo(channel.stream_id) !== undefined) return true
  if (!channel.invite_only) return !store().read('is_guest')
  const {
    history_public_to_subscribers: isPublic,
    can_add_subscribers_group: adding,
    can_subscribe_group: own,
  } = channel
  return isPublic && (coversMe(adding) || coversMe(own))
}

const readable = computed(() => {
  const known = store()
  const all = [...known.read('never_subscribed'), ...known.read('unsubscribed'), ...known.read('subscriptions')]
  return new Set(all.filter(mayRead).map(({ stream_id: id }) => id))
})

/** Drops messages of channels that are no longer readable. */
export function followReadable(): void {
  effect(() => {
    const { value: now } = readable
    untracked(() => messages.tellReadable(now))
  })
}
