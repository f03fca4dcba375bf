import { createECDH, randomBytes } from 'node:crypto'
import { type CapabilitySamples, SECRET, SETTING } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly push_subscription_id: number
  }
}

function randomSubscription(): Record<string, string> {
  const key = createECDH('prime256v1').generateKeys()
  return {
    endpoint: `https://push.invalid/${randomBytes(8).toString('hex')}`,
    p256dh: key.toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { push_subscription_id } = await user.call('POST', '/push_subscriptions', randomSubscription())
    // Deleted immediately, because asynchronous records of pushes would make the organizations' events differ.
    // `subscriptions.test.ts` tests access to other users' subscriptions.
    await user.call('DELETE', `/push_subscriptions/${push_subscription_id}`)
    return { push_subscription_id: push_subscription_id }
  },
  inputs: {
    addPushSubscription: randomSubscription,
    updatePushSettings: () => ({ quiet_hours: { start: 0, end: 60 } }),
  },
  names: { push_subscription_id: 'push subscription' },
  namesNothing: { endpoint: SECRET, p256dh: SECRET, auth: SECRET, quiet_hours: SETTING, start: SETTING, end: SETTING },
  hidden: { 'push subscription': { sample: 'push_subscription_id', of: 'the owner' } },
}
