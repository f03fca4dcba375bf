import type { Viewer } from '../../kernel/viewer.ts'
import { capability, command } from '../../platform/capability.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { muteTopic, updateUserTopic } from './actions.ts'
import * as contract from './contract.ts'
import { userTopicsOf } from './queries.ts'

/** What users have chosen for topics: muted, unmuted, followed. */
export const userTopics = capability({
  name: 'user-topics',
  tables: ['user_topics'],
  routes: [command(contract.updateUserTopic, updateUserTopic), command(contract.muteTopic, muteTopic)],
  events: [
    {
      event: contract.userTopicChanged,
      // The payload is the declared one.
      toClient: ({ payload }, viewer) => ({ ...named(payload as contract.UserTopic, viewer) }),
    },
  ],
  snapshot: [
    {
      eventTypes: ['user_topic'],
      read: async (db, viewer) => {
        const chosen = await userTopicsOf(db, viewer.organization.id, viewer.userId)
        return { user_topics: chosen.map((topic) => named(topic, viewer)) }
      },
    },
  ],
})

function named(topic: contract.UserTopic, { form }: Viewer): contract.UserTopic {
  return { ...topic, topic_name: presentTopic(topic.topic_name, form.capabilities.empty_topic_name) }
}
