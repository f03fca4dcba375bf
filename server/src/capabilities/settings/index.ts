import { capability, command, direct } from '../../platform/capability.ts'
import { updateRealm } from './actions/organization.ts'
import {
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
  updateUserSettingsDefaults,
} from './actions/personal.ts'
import * as contract from './contract/index.ts'

/** Settings: what people choose for themselves, and what administrators choose for all. */
export const settings = capability({
  name: 'settings',
  tables: [],
  routes: [
    direct(contract.updateSettings, updateSettings),
    direct(contract.updateDisplaySettings, updateDisplaySettings),
    direct(contract.updateNotificationSettings, updateNotificationSettings),
    command(contract.updateUserSettingsDefaults, updateUserSettingsDefaults),
    command(contract.updateRealm, updateRealm),
  ],
})
