import type { Viewer } from '../../kernel/viewer.ts'
import { capability, command } from '../../platform/capability.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { muteTopic, updateUserTopic } from './actions.ts'
import * as contract from './contract.ts'
import { mutedTopicsOf, userTopicsOf } from './queries.ts'

/** What users have chosen for topics: muted, unmuted, followed. */
export const userTopics = capability({
  name: 'user-topics',
  tables: ['user_topics'],
  routes: [command(contract.updateUserTopic, updateUserTopic), command(contract.muteTopic, muteTopic)],
  events: [
    {
      event: contract.userTopicChanged,
      // The payload is the declared one.
      present: ({ payload }, viewer) => ({ ...named(payload as contract.UserTopic, viewer) }),
    },
    {
      event: contract.mutedTopicsChanged,
      // Whoever knows the newer event has no use for this one; who names no types gets the newer.
      wanted: (_event, _viewer, { eventTypes }) => isOlder(eventTypes),
      present: ({ payload }, viewer) => {
        // The payload is the declared one.
        const { muted_topics } = payload as { muted_topics: contract.MutedTopic[] }
        return { muted_topics: muted_topics.map((muted) => namedMuted(muted, viewer)) }
      },
    },
  ],
  snapshot: [
    {
      eventTypes: ['user_topic'],
      read: async (db, viewer) => {
        const chosen = await userTopicsOf(db, viewer.world.organizationId, viewer.userId)
        return { user_topics: chosen.map((topic) => named(topic, viewer)) }
      },
    },
    {
      eventTypes: ['muted_topics'],
      read: async (db, viewer, { eventTypes }) => {
        if (!isOlder(eventTypes)) return {}
        const muted = await mutedTopicsOf(db, viewer.world, viewer.userId)
        return { muted_topics: muted.map((topic) => namedMuted(topic, viewer)) }
      },
    },
  ],
})

function isOlder(eventTypes: readonly string[] | null): boolean {
  return eventTypes !== null && !eventTypes.includes('user_topic')
}

function named(topic: contract.UserTopic, { form }: Viewer): contract.UserTopic {
  return { ...topic, topic_name: presentTopic(topic.topic_name, form.capabilities.empty_topic_name) }
}

function namedMuted([channel, topic, since]: contract.MutedTopic, { form }: Viewer): contract.MutedTopic {
  return [channel, presentTopic(topic, form.capabilities.empty_topic_name), since]
}
