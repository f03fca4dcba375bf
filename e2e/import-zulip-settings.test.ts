import { expect, it, vi } from 'vitest'
import type { Body } from '../server/src/testing/user.ts'
import { importExport, newSubdomain, createZip, type ConvertedOrganization } from './moving/converted.ts'
import { runParley, useMovingServer } from './moving/moved.ts'
import { readConversionReport } from './moving/reports.ts'
import { FILES, USER_ROWS, userRow, REALM_TABLES, START_TIME, USER_IDS } from './moving/harbour.ts'

/* Settings, groups, and permissions from a Zulip export apply in the imported organization. All content is invented. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const NARROWER_PERMISSION_REPORT = 'permissions that Parley cannot represent: granted to fewer people'
const WIDER_PERMISSION_REPORT = 'permissions that cannot be limited to so few people: possibly granted to more'

it('imports personal settings', async () => {
  const made = await importExport('zulip', await createZip(FILES))
  const [kim, pia, gus] = [await made.user('13'), await made.user('14'), await made.user('16')]
  const { user_settings: kims } = (await kim.register()).state
  expect(kims).toMatchObject({
    twenty_four_hour_time: true,
    color_scheme: 2,
    notification_sound: 'ding',
    resolved_topic_notice_auto_read_policy: 'never',
    web_home_view: 'recent_topics',
    email_address_visibility: 4,
    enable_stream_push_notifications: true,
    emojiset: 'google',
    web_font_size_px: 16,
    enter_sends: false,
  })
  const { user_settings: pias } = (await pia.register()).state
  expect(pias).toMatchObject({ web_home_view: 'all_messages', notification_sound: 'service', enter_sends: true })
  const { realm_user_settings_defaults: newcomers } = (await gus.register()).state
  expect(newcomers).toMatchObject({ twenty_four_hour_time: true, enter_sends: true, color_scheme: 1 })
  expect(
    made.leftOut.get('personal settings with unsupported values: set to the default, or visible to fewer people'),
  ).toBe(2)
  expect(carriedBy(made).get('personal settings that differ from the defaults')).toBe(9)
})

it('keeps an email address hidden if its owner hid it in Zulip', async () => {
  const made = await importExport('zulip', await createZip(FILES))
  const [olga, kim] = [await made.user('11'), await made.user('13')]
  const { state } = await olga.register()
  const shown = state.realm_users.find((one) => one.user_id === kim.id)
  expect([shown?.email, shown?.delivery_email]).toEqual([`user${kim.id}@organization.invalid`, null])
  expect(JSON.stringify(state)).not.toContain(kim.email)
})

it('imports organization settings, and reports unsupported settings', async () => {
  const made = await importExport('zulip', await createZip(FILES))
  const olga = await made.user('11')
  const { state } = await olga.register()
  const plans = made.ids.get('channel 21')
  expect(state).toMatchObject({
    realm_waiting_period_threshold: 30,
    realm_message_edit_history_visibility_policy: 'moves',
    realm_topics_policy: 'disable_empty_topic',
    realm_message_content_edit_limit_seconds: null,
    realm_message_content_delete_limit_seconds: 3_600,
    realm_message_retention_days: -1,
    realm_default_language: 'de',
    realm_enable_read_receipts: true,
    realm_org_type: 20,
    realm_giphy_rating: 2,
    realm_video_chat_provider: 1,
    realm_new_stream_announcements_stream_id: plans,
    realm_signup_announcements_stream_id: -1,
    realm_moderation_request_channel_id: -1,
    realm_emails_restricted_to_domains: true,
    realm_enable_spectator_access: false,
    realm_domains: [{ domain: 'harbour.example', allow_subdomains: true }],
    channel_folders: [expect.objectContaining({ name: 'Land' }), expect.objectContaining({ name: 'Ships' })],
  })
  const channels = state.subscriptions
  const [land, ships] = state.channel_folders.map(({ id }) => id)
  expect([land, ships]).toEqual([expect.any(Number), expect.any(Number)])
  expect(channels.find(({ name }) => name === 'plans')).toMatchObject({
    creator_id: made.ids.get('user 13'),
    folder_id: ships,
    topics_policy: 'empty_topic_only',
    message_retention_days: 30,
    push_notifications: null,
  })
  expect(channels.find(({ name }) => name === 'board')).toMatchObject({
    folder_id: null,
    topics_policy: 'inherit',
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: null,
  })
  expect(channels.find(({ name }) => name === 'web')).toMatchObject({ is_web_public: false })
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'organization settings with unsupported values: set to the default, or limited to fewer people': 4,
    'channel settings with unsupported values: set to the default': 1,
    'access without an account: off until an administrator allows it again': 1,
    'channels that were public on the web: now open only to members': 1,
    'duplicate channel folders': 1,
    'sign-in methods: set them in the server settings': 1,
    'skipped records of realm_domains: domain is invalid': 1,
  })
  expect(examplesOf(made, 'organization settings with unsupported values')).toEqual([
    'video_chat_provider: 5',
    'giphy_rating: 77',
    'moderation_request_channel_id: "channel 404"',
    'presence_disabled: true',
  ])
})

it('grants a permission only to people who had the permission in Zulip', async () => {
  const made = await importExport('zulip', await createZip(FILES))
  const users = await Promise.all(USER_IDS.map(async (id) => made.user(String(id))))
  const channel = (there: number): number => made.ids.get(`channel ${there}`) ?? 0
  /** Initials of the people among Olga, Ada, Kim, Pia, and Noa who have the permission. */
  const initialsPermitted = async (
    method: string,
    path: string,
    parameters: (index: number) => Body,
  ): Promise<string> => {
    const may: string[] = []
    for (const [index, user] of users.entries()) {
      const { status } = await user.try(method, path, parameters(index))
      may.push(status === 200 ? 'OAKPN'.charAt(index) : '-')
    }
    return may.join('')
  }
  const sendTo = (to: number) => () => ({ type: 'stream', to, topic: 'x', content: 'Hi' })
  expect({
    news: await initialsPermitted('POST', '/messages', sendTo(channel(23))),
    broken: await initialsPermitted('POST', '/messages', sendTo(channel(24))),
    web: await initialsPermitted('POST', '/messages', sendTo(channel(25))),
    describe: await initialsPermitted('PATCH', `/streams/${channel(21)}`, (index) => ({ description: `By ${index}` })),
    direct: await initialsPermitted('POST', '/messages', (index) => ({
      type: 'direct',
      to: [users[(index + 1) % users.length]?.id],
      content: 'Hi',
    })),
    public: await initialsPermitted('POST', '/users/me/subscriptions', (index) => ({
      subscriptions: [{ name: `public ${index}` }],
    })),
    private: await initialsPermitted('POST', '/users/me/subscriptions', (index) => ({
      subscriptions: [{ name: `private ${index}` }],
      invite_only: true,
    })),
    board: await initialsPermitted('POST', '/users/me/subscriptions', () => ({ subscriptions: [{ name: 'board' }] })),
    groups: await initialsPermitted('POST', '/user_groups/create', (index) => ({
      name: `group ${index}`,
      description: '',
      members: [],
    })),
    painters: await initialsPermitted('PATCH', `/user_groups/${made.ids.get('group 61') ?? 0}`, (index) => ({
      description: `Told by ${index}`,
    })),
    invite: await initialsPermitted('POST', '/invites', (index) => ({
      invitee_emails: `new${index}@harbour.example`,
      stream_ids: [],
    })),
  }).toEqual({
    news: 'OA-P-',
    broken: '-----',
    web: '-----',
    describe: 'OAK--',
    direct: '-----',
    public: 'OA---',
    private: 'OAKP-',
    board: 'O--P-',
    groups: '-----',
    painters: 'O-K--',
    invite: 'OA-P-',
  })
})

it('imports nested groups, and reports permissions that became narrower or wider', async () => {
  const made = await importExport('zulip', await createZip(FILES))
  const olga = await made.user('11')
  const {
    realm_user_groups: groups,
    realm_can_access_all_users_group: seeing,
    realm_can_manage_all_groups: managing,
  } = (await olga.register()).state
  const idOf = (name: string): number => Number(groups.find((one) => one.name === name)?.id)
  expect(groups.find(({ name }) => name === 'crew')).toMatchObject({
    creator_id: made.ids.get('user 12'),
    date_created: START_TIME,
    members: [],
    direct_subgroup_ids: [idOf('painters')],
    can_leave_group: idOf('role:nobody'),
    can_manage_group: idOf('role:administrators'),
  })
  expect(groups.find(({ name }) => name === 'painters')).toMatchObject({
    members: [made.ids.get('user 14')],
    direct_subgroup_ids: [],
    can_manage_group: { direct_members: [made.ids.get('user 13')], direct_subgroups: [] },
    can_join_group: idOf('role:members'),
    can_mention_group: idOf('crew'),
  })
  expect(groups.find(({ name }) => name === 'role:owners')).toMatchObject({
    members: [olga.id],
    direct_subgroup_ids: [],
  })
  const { user_groups: withEnded } = await olga.call('GET', '/user_groups', { include_deactivated_groups: true })
  expect(withEnded.find(({ name }) => name === 'gone')).toMatchObject({ deactivated: true })
  expect([seeing, managing]).toEqual([idOf('role:members'), idOf('role:owners')])
  expect(made.leftOut.get(NARROWER_PERMISSION_REPORT)).toBe(6)
  expect(examplesOf(made, NARROWER_PERMISSION_REPORT)).toEqual([
    'group painters: can_join_group',
    'channel plans: can_add_subscribers_group',
    'channel broken: can_send_message_group',
    'channel web: can_send_message_group',
    'the organization: can_add_custom_emoji_group',
  ])
  expect(examplesOf(made, WIDER_PERMISSION_REPORT)).toEqual([
    'the organization: can_access_all_users_group',
    'the organization: can_manage_all_groups',
  ])
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'permissions that do not exist in Parley: the actions are unrestricted': 1,
    'groups that contain themselves': 1,
  })
  expect(Object.fromEntries(carriedBy(made))).toMatchObject({
    permissions: 10,
    'nested groups': 1,
    'channel folders': 2,
  })
})

it('converts old numeric policies to permissions and settings', async () => {
  const made = await importExport(
    'zulip',
    await createZip({
      ...FILES,
      'realm.json': {
        zerver_realm: [
          {
            id: 7,
            name: 'Old harbour',
            create_public_stream_policy: 4,
            invite_to_realm_policy: 2,
            wildcard_mention_policy: 6,
            private_message_policy: 2,
            bot_creation_policy: 2,
            edit_topic_policy: 'everyone',
            allow_edit_history: false,
            waiting_period_threshold: 1e12,
            mandatory_topics: true,
            message_retention_days: null,
            notifications_stream: 21,
          },
        ],
        zerver_userprofile: [...USER_ROWS, userRow(17, 'Hidden Hans', 400, { email_address_visibility: 77 })],
        zerver_usergroup: [
          { id: 51, name: 'role:owners', is_system_group: true },
          { id: 61, name: 'painters', is_system_group: false },
        ],
        zerver_usergroupmembership: [{ user_group: 61, user_profile: 14 }],
        zerver_stream: [
          { id: 21, name: 'plans', stream_post_policy: 1 },
          { id: 22, name: 'news', stream_post_policy: 2 },
          { id: 23, name: 'odd', stream_post_policy: 9 },
        ],
        zerver_recipient: [],
      },
    }),
  )
  const { state } = await (await made.user('11')).register()
  const nameOf = (id: unknown): unknown => state.realm_user_groups.find((one) => one.id === id)?.name
  expect(
    [
      'can_create_public_channel_group',
      'can_invite_users_group',
      'can_mention_many_users_group',
      'direct_message_permission_group',
      'can_create_bots_group',
      'can_create_write_only_bots_group',
      'can_move_messages_between_topics_group',
      'can_resolve_topics_group',
    ].map((name) => nameOf(state[`realm_${name}`])),
  ).toEqual([
    'role:moderators',
    'role:administrators',
    'role:nobody',
    'role:nobody',
    'role:administrators',
    'role:members',
    'role:nobody',
    'role:nobody',
  ])
  expect(state).toMatchObject({
    realm_message_edit_history_visibility_policy: 'none',
    realm_topics_policy: 'disable_empty_topic',
    realm_message_retention_days: -1,
    realm_waiting_period_threshold: 2_147_483_647,
    realm_new_stream_announcements_stream_id: made.ids.get('channel 21'),
  })
  const hans = state.realm_users.find((one) => one.full_name === 'Hidden Hans')
  expect([hans?.delivery_email, hans?.email]).toEqual([null, expect.stringMatching(/^user\d+@organization/)])
  const channels = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
  const senders = channels.map(({ name, can_send_message_group: may }) => [name, nameOf(may)])
  expect(Object.fromEntries(senders)).toEqual({
    plans: 'role:everyone',
    news: 'role:administrators',
    odd: 'role:nobody',
  })
  expect(made.leftOut.get(NARROWER_PERMISSION_REPORT)).toBe(3)
})

it('imports any value of a setting or permission without failing', async () => {
  const odd: unknown[] = [{}, [], -1, 1e300, '\u0000', 'x'.repeat(100_000), true, null, { direct_members: [1] }]
  for (const value of odd) {
    const all = (row: object): Record<string, unknown> =>
      Object.fromEntries(
        Object.keys(row).map((name) => [
          name,
          /^(?:id|name|usergroup_ptr)$/.test(name) ? Reflect.get(row, name) : value,
        ]),
      )
    const made = await importExport(
      'zulip',
      await createZip({
        ...FILES,
        'realm.json': {
          ...REALM_TABLES,
          zerver_realm: REALM_TABLES.zerver_realm.map(all),
          zerver_realmuserdefault: [all(USER_ROWS[2] ?? {})],
          zerver_userprofile: USER_ROWS.map((one) => ({
            ...all(one),
            ...userRow(Number(Reflect.get(one, 'id')), 'Somebody', 400),
          })),
          zerver_namedusergroup: REALM_TABLES.zerver_namedusergroup.map((one) =>
            one.name.startsWith('role:') ? one : all(one),
          ),
          zerver_stream: REALM_TABLES.zerver_stream.map(all),
          zerver_channelfolder: REALM_TABLES.zerver_channelfolder.map(all),
        },
      }),
    )
    const kim = await made.user('13')
    // No value in the export makes a member an administrator.
    expect((await kim.try('PATCH', '/realm', { waiting_period_threshold: 1 })).status).not.toBe(200)
  }
})

it('reports imported and skipped data in a dry run', async () => {
  const path = await createZip(FILES)
  const told = await runParley('import', 'zulip', path, '--dry-run', '--json', '--organization', newSubdomain())
  const { carried, left_out: leftOut } = readConversionReport(told.stdout)
  expect(carried.map(({ what }) => what)).toEqual([
    'personal settings that differ from the defaults',
    'permissions',
    'nested groups',
    'channel folders',
    'organization settings that differ from the defaults',
    'default settings of new users',
  ])
  expect(leftOut.map(({ what }) => what)).toContain(NARROWER_PERMISSION_REPORT)
  const printed = await runParley('import', 'zulip', path, '--dry-run', '--organization', newSubdomain())
  expect(printed.stdout).toContain('Imported:')
  expect(printed.stdout).toContain('such as waiting_period_threshold')
  expect(printed.stdout).toContain(`6  ${NARROWER_PERMISSION_REPORT}`)
})

function carriedBy({ told }: ConvertedOrganization): ReadonlyMap<string, number> {
  return new Map(told.carried.map(({ what, count }) => [what, count]))
}

function examplesOf({ told }: ConvertedOrganization, begun: string): readonly string[] {
  return told.left_out.find(({ what }) => what.startsWith(begun))?.examples ?? []
}
