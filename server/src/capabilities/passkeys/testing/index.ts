import { type CapabilitySamples, NEW_NAME, SECRET } from '../../../testing/capability-samples.ts'
import { makePasskey } from './devices.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly passkey_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    return { passkey_id: (await makePasskey(user)).id }
  },
  names: { passkey_id: 'passkey' },
  namesNothing: {
    'createPasskey.name': NEW_NAME,
    'renamePasskey.name': NEW_NAME,
    id: SECRET,
    rawId: SECRET,
    clientDataJSON: SECRET,
    attestationObject: SECRET,
    authenticatorData: SECRET,
    signature: SECRET,
    userHandle: SECRET,
    transports: 'ways to reach a device',
  },
  hidden: { passkey: { sample: 'passkey_id', of: 'the owner' } },
}
