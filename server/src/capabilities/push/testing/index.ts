import { API_WORD, type CapabilitySamples, SECRET } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import { CLIENT_DEVICE_LIMIT } from '../contract.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly apns_token: string
  }
}

const APP = 'org.parley.phone'

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const token = user.id.toString(16).padStart(64, '0')
    await user.call('POST', '/users/me/apns_device_token', { token, appid: APP })
    return { apns_token: token }
  },
  values: () => ({ appid: APP }),
  inputs: {
    addApnsToken: ({ apns_token }) => ({ token: apns_token }),
    removeApnsToken: ({ apns_token }) => ({ token: apns_token }),
    addFcmToken: () => ({ token: 'abc:def' }),
    testPushNotification: ({ apns_token }) => ({ token: apns_token }),
  },
  names: { 'removeApnsToken.token': 'push token', 'testPushNotification.token': 'push token' },
  namesNothing: {
    'addApnsToken.token': SECRET,
    'addFcmToken.token': SECRET,
    'removeFcmToken.token': SECRET,
    appid: API_WORD,
    push_account_id: SECRET,
    push_public_key: SECRET,
    bouncer_public_key: SECRET,
    encrypted_push_registration: SECRET,
  },
  hidden: {
    'push token': {
      sample: 'apns_token',
      of: 'the owner',
      absent: (token) => `f${token.slice(1)}`,
    },
  },
}

export const steps: CapabilitySteps = {
  steps: {
    'register device': async ({ actor, what }) => {
      // Sometimes exceeds the limit, so that the oldest devices are deleted.
      const count = what % 5 === 0 ? CLIENT_DEVICE_LIMIT.most + 1 : 1
      for (let index = 0; index < count; index += 1) await actor.try('POST', '/register_client_device')
    },
  },
}
