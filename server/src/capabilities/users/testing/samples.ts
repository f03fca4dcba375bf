import { randomUUID } from 'node:crypto'
import { NEW_NAME, OWN_WORDS, SETTING, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a custom profile field. */
    readonly field_id: number
  }
}

const STATUS = { status_text: 'Busy', emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const { id } = await owner.call('POST', '/realm/profile_fields', { name: 'Any', field_type: 1 })
    return { field_id: Number(id) }
  },
  values: ({ user_id, email }) => ({ user_ids: [user_id], user_id_or_email: email, full_name: 'Sam Sample' }),
  inputs: {
    createUser: () => ({ email: `${randomUUID()}@example.com` }),
    createCustomProfileField: () => ({
      field_type: 3,
      name: 'Another',
      field_data: { a: { text: 'A', order: '1' } },
    }),
    reorderCustomProfileFields: ({ field_id }) => ({ order: [field_id] }),
    updateOwnProfileData: ({ field_id }) => ({ data: [{ id: field_id, value: 'Something' }] }),
    deleteOwnProfileData: ({ field_id }) => ({ data: [field_id] }),
    updateOwnStatus: () => STATUS,
    updateUserStatus: () => STATUS,
  },
  names: {
    user_id: 'user',
    user_ids: 'user',
    user_id_or_email: 'user',
    field_id: 'field',
    'getUserByEmail.email': 'user',
    'updateUserByEmail.email': 'user',
    'deleteOwnProfileData.data': 'field',
    'updateOwnProfileData.id': 'field',
    'updateOwnProfileData.value': 'user',
    'updateUser.id': 'field',
    'updateUser.value': 'user',
    'updateUserByEmail.id': 'field',
    'updateUserByEmail.value': 'user',
    'reorderCustomProfileFields.order': 'field',
  },
  namesNothing: {
    'createUser.email': NEW_NAME,
    'updateSettings.email': NEW_NAME,
    'updateDisplaySettings.email': NEW_NAME,
    'updateNotificationSettings.email': NEW_NAME,
    new_email: NEW_NAME,
    full_name: NEW_NAME,
    field_data: SETTING,
    hint: SETTING,
    status_text: OWN_WORDS,
    deactivation_notification_comment: OWN_WORDS,
  },
  hidden: { field: { sample: 'field_id', of: 'another organization' } },
}
