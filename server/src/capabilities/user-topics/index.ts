import { capability, command } from '../../platform/capability.ts'
import { muteTopic, updateUserTopic } from './actions/index.ts'
import * as contract from './contract.ts'
import { mutedTopicsBinding, mutedTopicsPart, userTopicChangedToClient, userTopicsSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const userTopics = capability({
  name: 'user-topics',
  tables: ['user_topics'],
  reads: ['topics'],
  migrations,
  exportedTables,
  limits: [contract.USER_TOPIC_LIMIT],
  routes: [command(contract.updateUserTopic, updateUserTopic), command(contract.muteTopic, muteTopic)],
  events: [
    { event: contract.userTopicChanged, administration: false, toClient: userTopicChangedToClient },
    mutedTopicsBinding,
  ],
  snapshot: [{ eventTypes: ['user_topic'], read: userTopicsSnapshot }, mutedTopicsPart],
})
