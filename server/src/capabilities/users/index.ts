import { capability, command, query } from '../../platform/capability.ts'
import { deleteOwnProfileData, updateOwnProfileData } from './actions/profile.ts'
import {
  createCustomProfileField,
  deleteCustomProfileField,
  reorderCustomProfileFields,
  updateCustomProfileField,
} from './actions/profile-fields.ts'
import * as contract from './contract/index.ts'
import { usersProjection } from './queries.ts'
import {
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  isUserRemovedWanted,
  isUserUpdateWanted,
  ownUserSnapshot,
  sharedPeople,
  spectatorPeople,
  userAddedToEachClient,
  userUpdatedToClient,
} from './queries/people.ts'
import { externalAccountsSnapshot, getCustomProfileFields, profileFieldsSnapshot } from './queries/profile.ts'
import {
  displaySettingsSnapshot,
  isForLegacyClients,
  notificationSettingsSnapshot,
  userSettingsDefaultsSnapshot,
  userSettingsSnapshot,
} from './queries/settings.ts'
import { sharedRoomsProjection } from './queries/shared-rooms.ts'
import { statusesProjection, userStatusesSnapshot } from './queries/status.ts'

/** Users: accounts of people and bots, their roles and personal settings. */
export const users = capability({
  name: 'users',
  tables: ['users', 'custom_profile_fields', 'user_statuses'],
  reads: ['conversation_members', 'conversations', 'credentials', 'messages', 'subscriptions', 'topics'],
  projections: [usersProjection, sharedRoomsProjection, statusesProjection],
  routes: [
    query(contract.getUsers, getUsers),
    query(contract.getOwnUser, getOwnUser),
    query(contract.getUser, getUser),
    query(contract.getUserByEmail, getUserByEmail),
    query(contract.getCustomProfileFields, getCustomProfileFields),
    command(contract.createCustomProfileField, createCustomProfileField),
    command(contract.reorderCustomProfileFields, reorderCustomProfileFields),
    command(contract.updateCustomProfileField, updateCustomProfileField),
    command(contract.deleteCustomProfileField, deleteCustomProfileField),
    command(contract.updateOwnProfileData, updateOwnProfileData),
    command(contract.deleteOwnProfileData, deleteOwnProfileData),
  ],
  events: [
    { event: contract.userAdded, toEachClient: userAddedToEachClient },
    { event: contract.userUpdated, isWanted: isUserUpdateWanted, toClient: userUpdatedToClient },
    { event: contract.botDeleted },
    { event: contract.userRemoved, isWanted: isUserRemovedWanted },
    { event: contract.userSettingUpdated },
    { event: contract.displaySettingUpdated, isWanted: isForLegacyClients },
    { event: contract.notificationSettingUpdated, isWanted: isForLegacyClients },
    { event: contract.userSettingsDefaultUpdated },
    { event: contract.customProfileFieldsChanged },
    { event: contract.userStatusChanged },
  ],
  snapshot: [
    {
      eventTypes: ['realm_user'],
      observe: ownUserSnapshot,
      share: sharedPeople,
      spectatorFields: spectatorPeople,
    },
    { eventTypes: ['custom_profile_fields'], read: profileFieldsSnapshot },
    { eventTypes: ['user_status'], observe: userStatusesSnapshot },
    { eventTypes: ['realm'], observe: externalAccountsSnapshot },
    { eventTypes: ['user_settings'], observe: userSettingsSnapshot },
    { eventTypes: ['update_display_settings'], observe: displaySettingsSnapshot },
    { eventTypes: ['update_global_notifications'], observe: notificationSettingsSnapshot },
    { eventTypes: ['realm_user_settings_defaults'], observe: userSettingsDefaultsSnapshot },
  ],
})
