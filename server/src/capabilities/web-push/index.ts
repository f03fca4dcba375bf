import { capability, command, direct } from '../../platform/capability.ts'
import {
  addPushSubscription,
  checkPushSubscription,
  getPushSubscriptions,
  removePushSubscription,
  testPushSubscription,
  updatePushSettings,
} from './actions/subscriptions.ts'
import { queuePushesOfMessages, queueWithdrawalsOfMessages } from './consumers.ts'
import * as contract from './contract.ts'
import { sendPushes } from './jobs.ts'
import { webPushProjection } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

/** Sends pushes directly to the push services of browsers and, through UnifiedPush, of apps. */
export const webPush = capability({
  name: 'web-push',
  tables: ['web_push_keys', 'push_subscriptions', 'push_notifications', 'push_settings'],
  reads: ['messages', 'organization_settings', 'preferences'],
  migrations,
  exportedTables,
  omitted: {
    push_notifications: null,
    web_push_keys: null,
    push_subscriptions: 'browsers with push notifications: people allow them again',
  },
  limits: [contract.PUSH_SUBSCRIPTION_LIMIT, contract.PUSHED_CONVERSATION_LIMIT],
  projections: [webPushProjection],
  routes: [
    direct(contract.getPushSubscriptions, getPushSubscriptions),
    command(contract.addPushSubscription, addPushSubscription, { prepare: checkPushSubscription }),
    command(contract.removePushSubscription, removePushSubscription),
    command(contract.testPushSubscription, testPushSubscription),
    command(contract.updatePushSettings, updatePushSettings),
  ],
  jobs: [sendPushes],
  consumers: [queuePushesOfMessages, queueWithdrawalsOfMessages],
})
