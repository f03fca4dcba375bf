import { randomUUID } from 'node:crypto'
import { API_WORD, type CapabilitySamples, NEW_NAME, OWN_WORDS, SETTING } from '../../../testing/capability-samples.ts'
import { PIXEL, sendFiles } from '../../../testing/files.ts'
import { listIds, someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly field_id: number
  }
}

const STATUS = { status_text: 'Busy', emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const { id } = await owner.call('POST', '/realm/profile_fields', { name: 'Any', field_type: 1 })
    return { field_id: id }
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
    runZcommand: () => ({ command: '/ping' }),
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
    command: API_WORD,
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

const ROLES = [200, 300, 400, 600]

export const steps: CapabilitySteps = {
  steps: {
    'make profile field': async ({ actor, what, more }) =>
      actor.try('POST', '/realm/profile_fields', {
        name: `Field ${more % 6}`,
        field_type: [1, 2, 3, 4, 6][what % 5],
        ...(what % 5 === 2 ? { field_data: { a: { text: 'A', order: '1' }, b: { text: 'B', order: '2' } } } : {}),
      }),
    'change profile field': async ({ actor, what, more }) =>
      actor.try('PATCH', `/realm/profile_fields/${await someId(actor, 'custom_profile_fields', what)}`, {
        ...(more % 2 === 0 ? { hint: `Hint ${more}` } : { editable_by_user: more % 4 === 1 }),
        ...(more % 5 === 0 ? { field_data: { a: { text: 'A', order: '1' } } } : {}),
      }),
    'order profile fields': async ({ actor }) =>
      actor.try('PATCH', '/realm/profile_fields', {
        order: (await listIds(actor, 'custom_profile_fields')).toReversed(),
      }),
    'delete profile field': async ({ actor, what }) =>
      actor.try('DELETE', `/realm/profile_fields/${await someId(actor, 'custom_profile_fields', what)}`),
    'say in profile': async ({ actor, other, what, more }) => {
      const { id, type } = await someField(actor, what)
      const values: Readonly<Record<number, unknown>> = { 3: ['a', 'b'][more % 2], 4: '2026-11-21', 6: [other.id] }
      const data = [{ id, value: more % 5 === 0 ? '' : (values[type] ?? `*text* ${more}`) }]
      return more % 2 === 0
        ? actor.try('PATCH', '/users/me/profile_data', { data })
        : actor.try('PATCH', `/users/${other.id}`, { profile_data: data })
    },
    'say no more': async ({ actor, what }) =>
      actor.try('DELETE', '/users/me/profile_data', { data: [await someId(actor, 'custom_profile_fields', what)] }),
    'change address': async ({ actor, other, what, more }) => {
      const to = `moved-${more}-${other.id}@example.com`
      return other.switchEmail(
        to,
        what % 2 === 0
          ? other.try('PATCH', '/settings', { email: to })
          : actor.try('PATCH', `/users/${other.id}`, { new_email: to }),
      )
    },
    'say what about': async ({ actor, other, what, more }) => {
      const status = {
        ...(what % 2 === 0 ? { status_text: more % 3 === 0 ? '' : `Busy ${more}` } : {}),
        ...(what % 3 === 0 ? { emoji_name: ['', 'tada', 'wave'][more % 3] } : {}),
        ...(what % 4 === 1 ? { away: more % 2 === 0 } : {}),
      }
      return actor.try('POST', more % 4 === 0 ? `/users/${other.id}/status` : '/users/me/status', status)
    },
    'set avatar': async ({ actor }) => sendFiles(actor, '/users/me/avatar', [{ name: 'me.png', content: PIXEL }]),
    'remove avatar': async ({ actor }) => actor.try('DELETE', '/users/me/avatar'),
    rename: async ({ actor, other, what }) => actor.try('PATCH', `/users/${other.id}`, { full_name: `Name ${what}` }),
    'change role': async ({ actor, other, what }) =>
      actor.try('PATCH', `/users/${other.id}`, { role: ROLES[what % ROLES.length] }),
    deactivate: async ({ scene, actor, other }) => {
      const answer = await actor.try('DELETE', `/users/${other.id}`)
      if (answer.status === 200) scene.ended.add(other.id)
      return answer
    },
    reactivate: async ({ actor, other }) => {
      const answer = await actor.try('POST', `/users/${other.id}/reactivate`)
      if (answer.status === 200) await other.fetchApiKey()
      return answer
    },
    'create user': async ({ scene, what }) => {
      scene.people.push(await scene.organization.user(`Newcomer ${what}`))
    },
  },
  // Most deactivated accounts are reactivated.
  times: { reactivate: 3 },
}

async function someField(actor: TestUser, which: number): Promise<{ id: number; type: number }> {
  const { body } = await actor.try('GET', '/realm/profile_fields')
  const fields = body['custom_fields'] ?? []
  return fields[which % fields.length] ?? { id: 999_999, type: 1 }
}
