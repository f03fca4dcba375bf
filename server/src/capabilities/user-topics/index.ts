import { capability, command } from '../../platform/capability.ts'
import { muteTopic, updateUserTopic } from './actions.ts'
import * as contract from './contract.ts'
import { userTopicChangedToClient, userTopicsSnapshot } from './queries.ts'

/** What users have chosen for topics: muted, unmuted, followed. */
export const userTopics = capability({
  name: 'user-topics',
  tables: ['user_topics'],
  reads: ['topics'],
  routes: [command(contract.updateUserTopic, updateUserTopic), command(contract.muteTopic, muteTopic)],
  events: [{ event: contract.userTopicChanged, toClient: userTopicChangedToClient }],
  snapshot: [{ eventTypes: ['user_topic'], read: userTopicsSnapshot }],
})
