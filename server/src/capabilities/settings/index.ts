import { capability, command, direct } from '../../platform/capability.ts'
import { updateRealm } from './actions/organization.ts'
import { updateSettings, updateUserSettingsDefaults } from './actions/personal.ts'
import * as contract from './contract/index.ts'

/** Settings: what people choose for themselves, and what administrators choose for all. */
export const settings = capability({
  name: 'settings',
  tables: [],
  routes: [
    direct(contract.updateSettings, updateSettings),
    // The older addresses of the same.
    direct(contract.updateDisplaySettings, updateSettings),
    direct(contract.updateNotificationSettings, updateSettings),
    command(contract.updateUserSettingsDefaults, updateUserSettingsDefaults),
    command(contract.updateRealm, updateRealm),
  ],
})
