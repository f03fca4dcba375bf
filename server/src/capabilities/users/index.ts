import { capability, command, query } from '../../platform/capability.ts'
import { removeStoredFiles, removeUnusedFiles } from '../../platform/files/pending.ts'
import { getOwnUser, runZcommand } from './actions/personal.ts'
import { deleteOwnProfileData, updateOwnProfileData } from './actions/profile.ts'
import {
  createCustomProfileField,
  deleteCustomProfileField,
  reorderCustomProfileFields,
  updateCustomProfileField,
} from './actions/profile-fields.ts'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  prepareUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './actions/accounts.ts'
import { emojiNames, updateOwnStatus, updateUserStatus } from './actions/update-status.ts'
import { removeAvatar, storeAvatar, uploadAvatar } from './actions/avatars.ts'
import { avatarOfUser, mediumAvatarOfUser, uploadedAvatar } from './queries/avatars.ts'
import {
  prepareSettings,
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
  updateUserSettingsDefaults,
} from './actions/settings.ts'
import * as contract from './contract/index.ts'
import { usersProjection } from './queries/index.ts'
import { pseudonymSeedProjection } from './queries/public-names.ts'
import {
  getUser,
  getUserByEmail,
  getUsers,
  isUserRemovedWanted,
  isUserUpdateWanted,
  ownUserSnapshot,
  sharedPeopleFields,
  spectatorPeopleFields,
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
import { sharedChannelsProjection } from './queries/shared-rooms.ts'
import { getUserStatus, statusesProjection, userStatusesSnapshot } from './queries/status.ts'
import { exportedTables, migrations } from './tables.ts'

/** User ID or email address. For a larger avatar, clients append `-medium.png` to the URL. */
const AVATAR_OWNER = ':whose(^(?:\\d{1,15}(?:-medium\\.png)?|.+@.+)$)'

export const users = capability({
  name: 'users',
  tables: ['users', 'custom_profile_fields', 'user_statuses', 'newcomers'],
  reads: ['conversation_members', 'organization_settings', 'subscriptions'],
  migrations,
  exportedTables,
  omitted: { newcomers: null },
  limits: [contract.PROFILE_FIELD_LIMIT],
  projections: [usersProjection, pseudonymSeedProjection, sharedChannelsProjection, statusesProjection],
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
    command(contract.createUser, createUser, { prepare: prepareUser }),
    command(contract.updateUser, updateUser),
    command(contract.updateUserByEmail, updateUserByEmail),
    command(contract.deactivateOwnUser, deactivateOwnUser),
    command(contract.deactivateUser, deactivateUser),
    command(contract.reactivateUser, reactivateUser),
    query(contract.getUserStatus, getUserStatus),
    command(contract.updateOwnStatus, updateOwnStatus, { prepare: emojiNames }),
    command(contract.updateUserStatus, updateUserStatus, { prepare: emojiNames }),
    command(contract.uploadAvatar, uploadAvatar, {
      prepare: storeAvatar,
      undo: removeStoredFiles,
      finish: removeUnusedFiles,
    }),
    command(contract.removeAvatar, removeAvatar, { finish: removeUnusedFiles }),
    command(contract.updateSettings, updateSettings, { prepare: prepareSettings }),
    command(contract.updateDisplaySettings, updateDisplaySettings, { prepare: prepareSettings }),
    command(contract.updateNotificationSettings, updateNotificationSettings, { prepare: prepareSettings }),
    command(contract.updateUserSettingsDefaults, updateUserSettingsDefaults),
    command(contract.runZcommand, runZcommand),
  ],
  events: [
    { event: contract.userAdded, toEachClient: userAddedToEachClient },
    { event: contract.userUpdated, isWanted: isUserUpdateWanted, toClient: userUpdatedToClient },
    { event: contract.userRemoved, administration: false, isWanted: isUserRemovedWanted },
    { event: contract.userSettingUpdated, administration: false },
    { event: contract.displaySettingUpdated, administration: false, isWanted: isForLegacyClients },
    { event: contract.notificationSettingUpdated, administration: false, isWanted: isForLegacyClients },
    { event: contract.userSettingsDefaultUpdated },
    { event: contract.customProfileFieldsChanged },
    { event: contract.userStatusChanged, administration: false },
  ],
  snapshot: [
    {
      eventTypes: ['realm_user'],
      observe: ownUserSnapshot,
      share: sharedPeopleFields,
      spectatorFields: spectatorPeopleFields,
    },
    { eventTypes: ['custom_profile_fields'], read: profileFieldsSnapshot },
    { eventTypes: ['user_status'], observe: userStatusesSnapshot },
    { eventTypes: ['realm'], observe: externalAccountsSnapshot },
    { eventTypes: ['user_settings'], observe: userSettingsSnapshot },
    { eventTypes: ['update_display_settings'], observe: displaySettingsSnapshot },
    { eventTypes: ['update_global_notifications'], observe: notificationSettingsSnapshot },
    { eventTypes: ['realm_user_settings_defaults'], observe: userSettingsDefaultsSnapshot },
  ],
  files: [
    { path: `/avatar/${AVATAR_OWNER}`, login: 'optional', find: avatarOfUser },
    { path: `/avatar/${AVATAR_OWNER}/medium`, login: 'optional', find: mediumAvatarOfUser },
    // Pages load these avatars without credentials. Their names cannot be guessed.
    { path: '/user_avatars/:file(^[\\w-]{24}(?:-medium)?\\.png$)', login: 'none', find: uploadedAvatar },
  ],
})
