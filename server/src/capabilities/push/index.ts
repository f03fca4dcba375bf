import { capability, command, query } from '../../platform/capability.ts'
import { addApnsToken, addFcmToken, registerClientDevice, removeApnsToken, removeFcmToken } from './actions.ts'
import * as contract from './contract.ts'
import {
  devicesSnapshot,
  getPushTokens,
  pushDevicesSnapshot,
  registerPushDevice,
  testEncryptedPushNotification,
  testPushNotification,
} from './queries.ts'
import { migrations } from './tables.ts'

/** Stores tokens of mobile apps but cannot push to them without accounts at Apple and Google; see `web-push`. */
export const push = capability({
  name: 'push',
  tables: ['push_tokens', 'client_devices'],
  migrations,
  omitted: { client_devices: null, push_tokens: 'phones with push notifications: they register again' },
  limits: [contract.PUSH_TOKEN_LIMIT, contract.CLIENT_DEVICE_LIMIT],
  routes: [
    command(contract.addApnsToken, addApnsToken),
    command(contract.removeApnsToken, removeApnsToken),
    command(contract.addFcmToken, addFcmToken),
    command(contract.removeFcmToken, removeFcmToken),
    query(contract.getPushTokens, getPushTokens),
    query(contract.testPushNotification, testPushNotification),
    query(contract.registerPushDevice, registerPushDevice),
    query(contract.testEncryptedPushNotification, testEncryptedPushNotification),
    command(contract.registerClientDevice, registerClientDevice),
  ],
  events: [
    { event: contract.deviceAdded, administration: false },
    { event: contract.deviceRemoved, administration: false },
  ],
  snapshot: [
    { eventTypes: ['device'], read: devicesSnapshot },
    { eventTypes: ['push_device'], observe: pushDevicesSnapshot },
  ],
})
