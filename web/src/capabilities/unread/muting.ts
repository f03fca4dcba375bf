import { computed, effect, untracked } from '@preact/signals'
import { messages, store } from '../../platform/client.ts'
import { isMutedMessage, isMutedTopic } from './state.ts'

/** What is muted, as a text that is another when something else is. */
const muted = computed(() => {
  const users = store().read('muted_users')
  const channels = store()
    .read('subscriptions')
    .filter((channel) => channel.is_muted)
  const ids = new Set(channels.map(({ stream_id: id }) => id))
  // Those that are not as their channel is.
  const topics = store()
    .read('user_topics')
    .filter(({ stream_id: id, topic_name: topic }) => isMutedTopic(id, topic) !== ids.has(id))
  return JSON.stringify([
    users.map(({ id }) => id),
    [...ids],
    topics.map(({ stream_id: id, topic_name: topic }) => [id, topic]),
  ])
})

/** Leaves what is muted out of the combined feed, as the server does. */
export function followMuting(): void {
  messages.leaveOut(isMutedMessage)
  let before: string | undefined
  effect(() => {
    const { value: now } = muted
    if (before !== undefined && before !== now) untracked(() => messages.tellMuting())
    before = now
  })
}
