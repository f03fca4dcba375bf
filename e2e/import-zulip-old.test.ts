import { expect, it, vi } from 'vitest'
import { importExport, createZip } from './moving/converted.ts'
import { FILES, USER_ROWS } from './moving/harbour.ts'
import { useMovingServer } from './moving/moved.ts'

/* Exports of old Zulip versions contain switches instead of some permissions. All content is invented. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

it('grants no additional access from an export with old permission settings', async () => {
  const realm = {
    id: 7,
    name: 'Oldest harbour',
    create_stream_policy: 2,
    allow_community_topic_editing: false,
    allow_message_deleting: false,
    add_emoji_by_admins_only: true,
    email_address_visibility: 3,
  }
  const streams = [
    { id: 21, name: 'plans', is_announcement_only: true },
    { id: 22, name: 'news', stream_post_policy: true, message_retention_days: 400_000 },
    { id: 23, name: 'old', is_announcement_only: false },
  ]
  const people = USER_ROWS.map((one) => ({ ...one, web_home_view: 'recent' }))
  const recipients = [{ id: 31, type: 2, type_id: 21 }]
  const tables = {
    zerver_realm: [realm],
    zerver_userprofile: people,
    zerver_stream: streams,
    zerver_recipient: recipients,
  }
  const made = await importExport('zulip', await createZip({ ...FILES, 'realm.json': tables }))
  const [olga, kim] = [await made.user('11'), await made.user('13')]
  const { state } = await olga.register()
  const groups = state.realm_user_groups
  const nameOf = (id: unknown): unknown => groups.find((one) => one['id'] === id)?.['name']
  const ofAdministrators = [
    'can_create_public_channel_group',
    'can_create_private_channel_group',
    'can_move_messages_between_topics_group',
    'can_resolve_topics_group',
    'can_delete_own_message_group',
    'can_add_custom_emoji_group',
  ]
  expect(ofAdministrators.map((name) => nameOf(state[`realm_${name}`]))).toEqual(
    ofAdministrators.map(() => 'role:administrators'),
  )
  const { streams: channels } = await olga.call('GET', '/streams', { include_all: true })
  const postings = channels.map((one) => [one['name'], nameOf(one['can_send_message_group'])])
  expect(Object.fromEntries(postings)).toMatchObject({
    plans: 'role:administrators',
    news: 'role:nobody',
    old: 'role:everyone',
  })
  expect(channels.find((one) => one['name'] === 'news')).toMatchObject({ message_retention_days: -1 })
  expect(state['user_settings']).toMatchObject({ email_address_visibility: 3, web_home_view: 'recent_topics' })
  expect(JSON.stringify((await kim.register()).state)).not.toContain(
    (await olga.call('GET', '/users/me'))['delivery_email'],
  )
})
