import { computed, effect, untracked } from '@preact/signals'
import { messages, store } from '../../platform/client.ts'
import { isMutedMessage, isMutedTopic } from './state.ts'

/** Muted users, channels, and topics, serialized for comparison. */
const serializedMutes = computed(() => {
  const users = store().read('muted_users')
  const channels = store()
    .read('subscriptions')
    .filter((channel) => channel.is_muted)
  const ids = new Set(channels.map(({ stream_id: id }) => id))
  const topics = store()
    .read('user_topics')
    .filter(({ stream_id: id, topic_name: topic }) => isMutedTopic(id, topic) !== ids.has(id))
  return JSON.stringify([
    users.map(({ id }) => id),
    [...ids],
    topics.map(({ stream_id: id, topic_name: topic }) => [id, topic]),
  ])
})

/** Excludes muted messages from the combined feed, as the server does, and updates it when muting changes. */
export function followMuting(): void {
  messages.leaveOut(isMutedMessage)
  let before: string | undefined
  effect(() => {
    const { value: now } = serializedMutes
    if (before !== undefined && before !== now) untracked(() => messages.onMutingChanged())
    before = now
  })
}
