import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { fetchAs, PIXEL } from '../server/src/testing/files.ts'
import type { RegisterResponse } from '../server/src/testing/contract-types.ts'
import type { Body } from '../server/src/testing/user.ts'
import { importExport, fetchMessages, createZip } from './moving/converted.ts'
import { userRow, START_TIME } from './moving/harbour.ts'
import { newFolder, useMovingServer } from './moving/moved.ts'

/* Imports exports in Zulip's format, with invented content. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const READ_FLAG = 1
const STARRED_FLAG = 2
const MENTIONED_FLAG = 8

const REALM = {
  zerver_realm: [{ id: 7, name: 'Harbour', description: 'All **ships**', string_id: 'harbour' }],
  zerver_userprofile: [
    userRow(11, 'Olga Owner', 100),
    userRow(12, 'Kim Lee', 400),
    userRow(13, 'Gus Guest', 600),
    userRow(14, 'Gone Girl', 400, { is_active: false }),
    userRow(15, 'Robot', 400, { is_bot: true, bot_type: 1 }),
  ],
  zerver_stream: [
    {
      id: 21,
      name: 'plans',
      description: 'What we do',
      date_created: START_TIME - 900.5,
      history_public_to_subscribers: true,
    },
    { id: 22, name: 'board', invite_only: true, history_public_to_subscribers: false, date_created: START_TIME - 800 },
    { id: 23, name: 'old', deactivated: true, date_created: START_TIME - 800 },
  ],
  zerver_defaultstream: [{ id: 1, stream: 21 }],
  zerver_recipient: [
    { id: 31, type: 2, type_id: 21 },
    { id: 32, type: 2, type_id: 22 },
    { id: 33, type: 1, type_id: 12 },
    { id: 34, type: 3, type_id: 99 },
  ],
  zerver_subscription: [
    { user_profile: 11, recipient: 31, active: true, color: '#ff0000', pin_to_top: true },
    { user_profile: 12, recipient: 31, active: true, is_muted: true },
    { user_profile: 14, recipient: 31, active: false },
    { user_profile: 11, recipient: 32, active: true },
    { user_profile: 11, recipient: 34, active: true },
    { user_profile: 12, recipient: 34, active: true },
    { user_profile: 14, recipient: 34, active: true },
  ],
  zerver_namedusergroup: [
    { usergroup_ptr: 51, name: 'role:owners', is_system_group: true },
    { usergroup_ptr: 52, name: 'painters', description: 'They paint', is_system_group: false },
  ],
  zerver_usergroupmembership: [
    { user_group: 51, user_profile: 11 },
    { user_group: 52, user_profile: 12 },
  ],
  zerver_reaction: [
    { message: 101, user_profile: 12, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    { message: 101, user_profile: 11, emoji_name: 'boat', emoji_code: '61', reaction_type: 'realm_emoji' },
    { message: 101, user_profile: 11, emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' },
    { message: 101, user_profile: 11, emoji_name: 'gone', emoji_code: '62', reaction_type: 'realm_emoji' },
  ],
  zerver_usertopic: [
    { user_profile: 12, stream: 21, topic_name: 'hull', visibility_policy: 3, last_updated: START_TIME },
  ],
  zerver_muteduser: [{ user_profile: 11, muted_user: 13, date_muted: START_TIME }],
  zerver_alertword: [{ user_profile: 12, word: 'paint' }],
  zerver_realmfilter: [
    { pattern: 'SHIP-(?P<id>[0-9]+)', url_template: 'https://ships.example/{id}', order: 1 },
    { pattern: '(?P<id>(a+)+(?=b))', url_template: 'https://ships.example/{id}', order: 2 },
  ],
  zerver_realmemoji: [{ id: 61, name: 'boat', file_name: '61.png', author: 12 }],
  zerver_realmplayground: [
    { id: 71, name: 'Try it', pygments_language: 'Rust', url_template: 'https://play.example/{code}' },
  ],
  zerver_customprofilefield: [
    { id: 81, name: 'Phone', field_type: 1, order: 3, field_data: '', hint: 'With the country' },
    { id: 82, name: 'Mates', field_type: 6, order: 1, required: true, editable_by_user: false },
    { id: 83, name: 'Watch', field_type: 3, order: 2, field_data: '{"0":{"text":"Dog","order":"1"}}' },
    { id: 84, name: 'Other', field_type: 77, order: 4 },
  ],
  zerver_customprofilefieldvalue: [
    { id: 1, user_profile: 11, field: 81, value: '*49*', rendered_value: '<p><em>49</em></p>' },
    { id: 2, user_profile: 11, field: 82, value: '[12, 13, 99]', rendered_value: null },
    { id: 3, user_profile: 12, field: 83, value: '0', rendered_value: null },
    { id: 4, user_profile: 13, field: 83, value: 'cat', rendered_value: null },
    { id: 5, user_profile: 12, field: 84, value: 'nothing', rendered_value: null },
  ],
  zerver_draft: [{ id: 91, user_profile: 11, content: 'not yet' }],
}
const message = (id: number, sender: number, recipient: number, subject: string, content: string): object => ({
  id,
  sender,
  recipient,
  subject,
  content,
  rendered_content: '<p onclick="alert(1)">evil</p>',
  date_sent: START_TIME + id + 0.25,
})
/** More edits than a message keeps, newest first. */
const EDITS = Array.from({ length: 150 }, (_, index) => ({
  user_id: 12,
  timestamp: START_TIME + 400 - index,
  prev_content: `Text ${150 - index}`,
}))
const MESSAGES = {
  zerver_message: [
    message(102, 12, 31, 'Hull', 'Second, [plan](/user_uploads/7/ab/cdefghij/plan.txt) and SHIP-7'),
    message(101, 11, 31, 'hull', 'Hi @**Kim Lee|12** and @_**Gus Guest|13** :boat:'),
    message(103, 11, 31, '', 'In general, as in #**plans>hull@101**'),
    message(104, 11, 32, 'secret', 'The board only'),
    {
      ...message(105, 11, 33, '', 'Between us'),
      last_edit_time: START_TIME + 300,
      edit_history: JSON.stringify([
        { user_id: 12, timestamp: START_TIME + 300, prev_content: '**Us** and @**Kim Lee|12**' },
        { user_id: 11, timestamp: START_TIME + 250, prev_topic: 'elsewhere' },
        {
          user_id: null,
          timestamp: START_TIME + 200,
          prev_content: '<img src=x onerror=alert(1)>',
          prev_rendered_content: '<img src=x onerror=alert(1)>',
        },
      ]),
    },
    { ...message(106, 12, 34, '', 'We three'), edit_history: EDITS },
  ],
  zerver_usermessage: [
    { user_profile: 12, message: 101, flags_mask: READ_FLAG | MENTIONED_FLAG | STARRED_FLAG },
    { user_profile: 11, message: 102, flags_mask: 0 },
    { user_profile: 12, message: 103, flags_mask: 0 },
    { user_profile: 12, message: 105, flags_mask: 0 },
    { user_profile: 11, message: 106, flags_mask: STARRED_FLAG },
  ],
}
const FILES = {
  'realm.json': REALM,
  'messages-000001.json': MESSAGES,
  'attachment.json': {
    zerver_attachment: [
      { path_id: '7/ab/cdefghij/plan.txt', file_name: 'plan.txt', owner: 12, create_time: START_TIME, messages: [102] },
      { path_id: '7/ab/cdefghij/lost.txt', file_name: 'lost.txt', owner: 12, create_time: START_TIME, messages: [102] },
      { path_id: '7/ab/cdefghij/draft.txt', file_name: 'draft.txt', owner: 12, create_time: START_TIME, messages: [] },
    ],
  },
  'uploads/7/ab/cdefghij/plan.txt': 'Buy paint',
  'emoji/records.json': [
    { path: '7/emoji/images/61.png', s3_path: '7/emoji/images/61.png', file_name: '61.png', name: 'boat' },
  ],
  'emoji/7/emoji/images/61.png': PIXEL,
  'avatars/records.json': [{ path: '7/abc.original', s3_path: '7/abc.original', user_profile_id: 11 }],
  'avatars/7/abc.original': PIXEL,
}

it('imports an organization in which everyone finds their data unchanged', async () => {
  const made = await importExport('zulip', await createZip(FILES))
  const [olga, kim, guest] = [await made.user('11'), await made.user('12'), await made.user('13')]
  const { state } = await olga.register()
  expect([state['realm_name'], state['realm_description']]).toEqual(['Harbour', 'All **ships**'])
  const people = state.realm_users
  expect(people.map(({ full_name: name, role }) => [name, role])).toEqual(
    expect.arrayContaining([
      ['Olga Owner', 100],
      ['Kim Lee', 400],
      ['Gus Guest', 600],
    ]),
  )
  expect(people.find(({ full_name: name }) => name === 'Olga Owner')?.avatar_url).toMatch(/^\/user_avatars\//)
  const channels = state.subscriptions
  expect(
    channels.map(({ name, color, pin_to_top: pinned, history_public_to_subscribers: shared }) => [
      name,
      color === '#ff0000',
      pinned,
      shared,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['plans', true, true, true],
      ['board', false, false, false],
    ]),
  )
  expect(state.realm_user_groups.filter(({ is_system_group: isSystem }) => !isSystem)).toEqual([
    expect.objectContaining({ name: 'painters', description: 'They paint', members: [kim.id] }),
  ])
  expect(state['muted_users']).toEqual([{ id: guest.id, timestamp: START_TIME }])
  const kims = (await kim.register()).state
  expect(kims['alert_words']).toEqual(['paint'])
  expect(kims['user_topics']).toEqual([expect.objectContaining({ topic_name: 'hull', visibility_policy: 3 })])
  const read = await fetchMessages(olga, [{ operator: 'channel', operand: 'plans' }])
  expect(
    read.map(({ subject, content, timestamp }) => [
      subject,
      content.replace(/\/user_uploads\/[^)]+/, 'FILE'),
      timestamp,
    ]),
  ).toEqual([
    ['hull', `Hi @**Kim Lee|${kim.id}** and @_**Gus Guest|${guest.id}** :boat:`, START_TIME + 101],
    ['Hull', 'Second, [plan](FILE) and SHIP-7', START_TIME + 102],
    ['', 'In general, as in #**plans>hull**', START_TIME + 103],
  ])
  const inTopic = await fetchMessages(olga, [
    { operator: 'channel', operand: 'plans' },
    { operator: 'topic', operand: 'hull' },
  ])
  expect(inTopic).toHaveLength(2)
  expect(read[0]?.reactions.map(({ emoji_name: name, reaction_type: type }) => [name, type])).toEqual(
    expect.arrayContaining([
      ['+1', 'unicode_emoji'],
      ['boat', 'realm_emoji'],
      ['service', 'service_extra_emoji'],
    ]),
  )
  const [, html] = await fetchMessages(olga, [{ operator: 'channel', operand: 'plans' }], true)
  expect(html?.content).toContain('<a href="https://ships.example/7">SHIP-7</a>')
  expect(html?.content).not.toContain('onclick')
  const is = async (user: typeof olga, operand: string): Promise<string[]> =>
    (await fetchMessages(user, [{ operator: 'is', operand }])).map(({ content }) => content.slice(0, 6))
  expect([
    await is(olga, 'unread'),
    await is(kim, 'unread'),
    await is(kim, 'starred'),
    await is(olga, 'starred'),
    await is(kim, 'mentioned'),
  ]).toEqual([['Second', 'We thr'], ['In gen', 'Betwee'], ['Hi @**'], ['We thr'], ['Hi @**']])
  expect((await fetchMessages(kim)).map(({ content }) => content)).not.toContain('The board only')
  expect(await fetchMessages(guest)).toEqual([])
  const [, address = ''] = /\((\/user_uploads\/[^)]+)\)/.exec(read[1]?.content ?? '') ?? []
  expect((await fetchAs(olga, address)).bytes.toString()).toBe('Buy paint')
  expect((await fetchAs(guest, address)).status).not.toBe(200)
  const between = (await fetchMessages(olga)).find(({ content }) => content === 'Between us')
  const { message_history: history } = await olga.call('GET', `/messages/${between?.id ?? 0}/history`)
  expect(history.map(({ content, user_id: by, timestamp }) => [content, by, timestamp])).toEqual([
    ['<img src=x onerror=alert(1)>', olga.id, START_TIME + 105],
    [`**Us** and @**Kim Lee|${kim.id}**`, olga.id, START_TIME + 200],
    ['Between us', kim.id, START_TIME + 300],
  ])
  const three = (await fetchMessages(olga)).find(({ content }) => content === 'We three')
  const states = (await olga.call('GET', `/messages/${three?.id ?? 0}/history`)).message_history
  // The first version and the newest 100 versions.
  expect(states.map(({ content }) => content)).toEqual([
    'Text 1',
    ...Array.from({ length: 100 }, (_, index) => `Text ${51 + index}`),
    'We three',
  ])
  expect(JSON.stringify(history)).not.toContain('"rendered_content":"<img')
  expect(Object.fromEntries(made.leftOut)).toEqual({
    'messages moved from places missing from the export: the earlier places are not shown': 1,
    'edit history over the limit per message': 1,
    'bots: imported as deactivated accounts': 1,
    'reactions with unknown emoji': 1,
    'files missing from the export': 1,
    'files that no message links to': 1,
    'skipped records of realm_linkifiers: Bad regular expression': 1,
    'skipped records of custom_profile_fields: type is invalid': 1,
    'values of custom profile fields were changed: the field does not allow them': 2,
    drafts: 1,
  })
  expect(profilesIn(state, [olga.id, kim.id, guest.id])).toEqual({
    fields: [
      ['Mates', '', true, false],
      ['Watch', '', false, true],
      ['Phone', 'With the country', false, true],
    ],
    answers: [
      { Mates: { value: `[${kim.id},${guest.id}]` }, Phone: { value: '*49*', rendered_value: '<p><em>49</em></p>' } },
      { Watch: { value: '0' } },
      {},
    ],
  })
  expect(state['realm_playgrounds']).toMatchObject([
    { name: 'Try it', highlighter_language: 'Rust', url_template: 'https://play.example/{code}' },
  ])
  expect([made.ids.get('message 101'), made.ids.get('channel 21')]).toEqual([read[0]?.id, expect.any(Number)])
})

/** Custom profile fields of a register response, and the values of some people by field name. */
function profilesIn(state: RegisterResponse, ids: readonly number[]): { fields: unknown[]; answers: Body[] } {
  const { custom_profile_fields: fields, realm_users: people } = state
  return {
    fields: fields.map(({ name, hint, required, editable_by_user: isEditable }) => [name, hint, required, isEditable]),
    answers: ids.map((id) => {
      const said = people.find((one) => one.user_id === id)?.profile_data ?? {}
      const answers: Body = {}
      for (const field of fields.filter((one) => String(one.id) in said)) {
        answers[field.name] = said[String(field.id)]
      }
      return answers
    }),
  }
}

it('reads an archive packed with tar and gzip', async () => {
  const folder = await newFolder()
  const root = join(folder, 'zulip-export-1')
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(
      join(root, path),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    )
  }
  const archive = join(folder, 'export.tar.gz')
  await promisify(execFile)('tar', ['-czf', archive, '-C', folder, 'zulip-export-1'])
  const made = await importExport('zulip', archive)
  const olga = await made.user('11')
  const read = await fetchMessages(olga)
  expect(read).toHaveLength(MESSAGES.zerver_message.length)
  const [, address = ''] = /\((\/user_uploads\/[^)]+)\)/.exec(read.map(({ content }) => content).join(' ')) ?? []
  expect((await fetchAs(olga, address)).bytes.toString()).toBe('Buy paint')
})

it('imports the valid part of an invalid export', async () => {
  const made = await importExport(
    'zulip',
    await createZip({
      ...FILES,
      'realm.json': {
        ...REALM,
        zerver_userprofile: [...REALM.zerver_userprofile, { id: '1' }, null, userRow(11, 'Twice', 100)],
        zerver_subscription: [...REALM.zerver_subscription, { user_profile: 404, recipient: 31 }, { user_profile: 11 }],
        zerver_reaction: [...REALM.zerver_reaction, { ...REALM.zerver_reaction[0], user_profile: 404 }, 'none'],
        zerver_userprofile_crossrealm: [
          { id: 3, email: 'notification-bot@old.example' },
          { id: 4, email: 'welcome-bot@old.example' },
        ],
        zerver_alertword: 'none',
        zerver_realmemoji: [{ id: 61, name: '../boat', file_name: '61.png' }],
      },
      'messages-000001.json': {
        zerver_message: [
          message(201, 404, 31, '\u0000'.repeat(3) + 'x'.repeat(200), '<script>alert(1)</script> @**Nobody|999**'),
          message(200, 4, 31, 'hello', 'Welcome'),
          message(202, 11, 404, 'nowhere', 'lost'),
          { ...message(203, 11, 31, 'future', 'of the future'), date_sent: 8_000_000_000 },
          { ...message(204, 11, 31, 'never', 'of no time'), date_sent: -5 },
          { ...message(205, 11, 31, 'float', 'x'), id: 1.5 },
          'x',
        ],
        zerver_usermessage: [{ user_profile: 11, message: 201, flags_mask: 'all' }, 5],
      },
    }),
  )
  const olga = await made.user('11')
  const read = await fetchMessages(olga, [{ operator: 'channel', operand: 'plans' }])
  expect(read.map(({ subject, content, timestamp }) => [subject.length, content, timestamp])).toEqual([
    [5, 'Welcome', START_TIME + 200],
    [60, '<script>alert(1)</script> @**Nobody**', START_TIME + 201],
    [6, 'of the future', START_TIME + 201],
  ])
  const { state } = await olga.register()
  const people = [...state.realm_users, ...state.realm_non_active_users]
  expect(read[0]?.sender_full_name).toBe('Welcome Bot')
  expect(people.filter((one) => one.is_bot).map((one) => one.full_name)).toEqual(
    expect.arrayContaining(['Notification Bot (3)', 'Welcome Bot']),
  )
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'reactions by people missing from the export': 1,
    'duplicate rows: the first is used (zerver_userprofile)': 1,
    'rows in an unknown format (zerver_userprofile)': 2,
    'rows in an unknown format (zerver_subscription)': 1,
    'rows in an unknown format (zerver_message)': 2,
    'rows in an unknown format (zerver_usermessage)': 2,
    'messages without a time, or whose recipient is missing from the export': 2,
    'messages dated in the future: they get the time of the previous message': 1,
    'people who wrote messages but are missing from the export: created as deactivated accounts': 1,
  })
})
