import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { PIXEL } from '../server/src/testing/files.ts'
import { importExport, fetchMessages, newSubdomain, createZip, type ConvertedOrganization } from './moving/converted.ts'
import { FILES as ZULIP } from './moving/harbour.ts'
import { newFolder, runParley, queryRows, useMovingServer } from './moving/moved.ts'
import { writeZip } from '../server/src/testing/zip-archive.ts'

/*
 * Exports with duplicate records, such as two merged exports, or with records that violate the target's constraints.
 * The report explains the outcome in readable sentences.
 */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const START = 1_700_000_000
const line = (type: string, record: unknown): string => JSON.stringify({ type, [type]: record })

const MATTERMOST = [
  line('team', { name: 'harbour', display_name: 'Harbour' }),
  line('channel', { team: 'harbour', name: 'town-square', display_name: 'Town Square', type: 'O' }),
  line('user', {
    username: 'olga',
    email: 'olga@harbour.example',
    roles: 'system_admin',
    profile_image: 'olga.png',
    teams: [{ name: 'harbour', channels: [{ name: 'town-square' }] }],
  }),
  line('user', { username: 'kim', email: 'kim@harbour.example' }),
  line('bot', { username: 'deploy', display_name: 'Deploy' }),
  line('emoji', { name: 'boat', image: 'boat.png' }),
  line('post', {
    team: 'harbour',
    channel: 'town-square',
    user: 'olga',
    message: 'The plan :boat:',
    create_at: START * 1_000,
    attachments: [{ path: 'plan.txt' }],
    reactions: [{ user: 'kim', emoji_name: '+1' }],
    flagged_by: ['kim'],
    replies: [{ user: 'kim', message: 'Good', create_at: START * 1_000 + 1 }],
  }),
  line('direct_channel', { members: ['olga', 'kim'] }),
  line('direct_post', { channel_members: ['olga', 'kim'], user: 'kim', message: 'Hi', create_at: START * 1_000 + 2 }),
]
const UPLOADED_FILES = { 'data/plan.txt': 'Buy paint', 'data/olga.png': PIXEL, 'data/boat.png': PIXEL }

const USERS = [
  { id: 'U1', real_name: 'Olga Owner', is_owner: true, profile: { email: 'u1@harbour.example' } },
  { id: 'U2', real_name: 'Kim Lee', profile: { email: 'u2@harbour.example' } },
]
const CHANNELS = [{ id: 'C1', name: 'general', created: START, members: ['U1', 'U2'] }]
/** Direct conversations of the export. */
const DIRECT_CONVERSATIONS = [{ id: 'D1', created: START, members: ['U1', 'U2'] }]
const DAY_MESSAGES = [
  { type: 'message', user: 'U1', text: 'Hi', ts: `${START}.000100`, files: [{ id: 'F1234567', name: 'plan.txt' }] },
  {
    type: 'message',
    user: 'U2',
    text: 'Hello',
    ts: `${START}.000200`,
    reactions: [{ name: '+1', users: ['U1', 'U1'] }],
  },
]

/** The report's entries about duplicates, with examples. */
function duplicatesIn({
  told,
}: ConvertedOrganization): Record<string, readonly [count: number, examples: readonly string[]]> {
  const { left_out: leftOut } = told
  // No entry is a raw database error.
  expect(leftOut.filter(({ what }) => what.includes('duplicate key'))).toEqual([])
  return Object.fromEntries(
    leftOut
      .filter(({ what }) => /^duplicate | listed twice|with the same name/.test(what))
      .map(({ what, count, examples }) => [what, [count, examples]] as const),
  )
}

/** Number of rows stored in each table. */
function storedRowCounts({ told }: ConvertedOrganization): Record<string, number> {
  return Object.fromEntries(told.tables.map(({ name, stored }) => [name, stored]))
}

it('imports duplicate Mattermost records once and reports the line numbers of the duplicates', async () => {
  const one = await createZip({ 'import.jsonl': [line('version', 1), ...MATTERMOST].join('\n'), ...UPLOADED_FILES })
  const again = MATTERMOST.map((text) => text.replace('"username":"olga"', '"username":"Olga"'))
  const twice = await createZip({
    'import.jsonl': [line('version', 1), ...MATTERMOST, line('version', 1), ...again].join('\n'),
    ...UPLOADED_FILES,
  })
  const [first, second] = [await importExport('mattermost', one), await importExport('mattermost', twice)]
  expect(duplicatesIn(first)).toEqual({})
  expect(duplicatesIn(second)).toEqual({
    'duplicate teams: the first is used': [1, ['harbour, line 12']],
    'duplicate channels: the first is used': [1, ['harbour/town-square, line 13']],
    'duplicate people: the first is used': [2, ['Olga, line 14', 'kim, line 15']],
    'duplicate bots: the first is used': [1, ['deploy, line 16']],
    'duplicate emoji: the first is used': [1, ['boat, line 17']],
    'duplicate messages: imported once': [
      3,
      [
        `harbour/town-square/${START}000/olga`,
        `harbour/town-square/${START}000/olga/${START}001/kim`,
        `kim+olga/${START}002/kim`,
      ],
    ],
  })
  expect(storedRowCounts(second)).toEqual(storedRowCounts(first))
  expect((await fetchMessages(await second.user('olga'))).map(({ content }) => content.replace(/\(.*/, ''))).toEqual([
    'The plan :boat:\n[plan.txt]',
    'Good',
    'Hi',
  ])
})

it('imports duplicate Slack records once and reports them', async () => {
  const uploads = { '__uploads/F1234567/plan.txt': 'Buy paint' }
  const files = { 'users.json': USERS, 'channels.json': CHANNELS, 'dms.json': DIRECT_CONVERSATIONS, ...uploads }
  const one = await createZip({ ...files, 'general/2023-11-14.json': DAY_MESSAGES })
  const twice = await createZip({
    ...files,
    'users.json': [...USERS, ...USERS],
    'channels.json': [...CHANNELS, ...CHANNELS, { id: 'C2', name: 'general', created: START, members: ['U1'] }],
    'dms.json': [...DIRECT_CONVERSATIONS, ...DIRECT_CONVERSATIONS],
    'general/2023-11-14.json': [...DAY_MESSAGES, ...DAY_MESSAGES],
    // Some tools name a channel's folder by its ID.
    'C1/2023-11-14.json': DAY_MESSAGES,
  })
  const [first, second] = [await importExport('slack', one), await importExport('slack', twice)]
  expect(duplicatesIn(first)).toEqual({})
  expect(duplicatesIn(second)).toEqual({
    'people in an unknown format, or listed twice': [2, [expect.any(String), expect.any(String)]],
    'duplicate channels: the first is used': [1, ['general']],
    'channels with the same name: the first gets all messages in the folder of that name': [1, ['general']],
    'duplicate conversations: the first is used': [1, ['D1']],
    'duplicate messages: imported once': [
      4,
      [`general/${START}.000100`, `general/${START}.000100`, `general/${START}.000200`, `general/${START}.000200`],
    ],
  })
  for (const table of ['users', 'messages', 'reactions', 'attachments']) {
    expect([table, storedRowCounts(second)[table]]).toEqual([table, storedRowCounts(first)[table]])
  }
})

it('imports duplicate Zulip records once and reports them', async () => {
  const page = ZULIP['messages-000001.json']
  const own = { id: 1, user_profile: 11, message: 101, flags_mask: 3 }
  const whole = { ...ZULIP, 'messages-000001.json': { ...page, zerver_usermessage: [own] } }
  const duplicateRows = (tables: Readonly<Record<string, readonly object[]>>): object =>
    Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, [...rows, ...rows]]))
  const twice = {
    'realm.json': duplicateRows(whole['realm.json']),
    'messages-000001.json': duplicateRows(whole['messages-000001.json']),
    'messages-000002.json': page,
  }
  const [first, second] = [
    await importExport('zulip', await createZip(whole)),
    await importExport('zulip', await createZip(twice)),
  ]
  expect(duplicatesIn(second)).toMatchObject({
    'duplicate rows: the first is used (zerver_userprofile)': [6, expect.anything()],
    'duplicate rows: the first is used (zerver_stream)': [5, expect.anything()],
    'duplicate rows: the first is used (zerver_message)': [1, ['id 101']],
    'duplicate messages: imported once': [1, ['101']],
  })
  expect(storedRowCounts(second)).toEqual(storedRowCounts(first))
})

it('rejects a ZIP archive with two files of the same name', async () => {
  const path = join(await newFolder(), 'export.zip')
  const day = { path: 'general/2023-11-14.json', content: JSON.stringify(DAY_MESSAGES) }
  const lists = [
    { path: 'users.json', content: JSON.stringify(USERS) },
    { path: 'channels.json', content: JSON.stringify(CHANNELS) },
  ]
  await writeZip(path, [...lists, day, { ...day, content: '[]' }])
  const { code, stderr } = await runParley('import', 'slack', path, '--organization', newSubdomain())
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([3, `parley: ${day.path} in ${path} occurs twice.`])
})

it('rejects a Mattermost export with two record lists', async () => {
  const lines = [line('version', 1), ...MATTERMOST].join('\n')
  const path = await createZip({ 'one.jsonl': lines, 'two.jsonl': lines })
  const { code, stderr } = await runParley('import', 'mattermost', path, '--organization', newSubdomain())
  expect([code, stderr]).toEqual([
    3,
    `parley: one.jsonl and two.jsonl in ${path} could each be the bulk export. Remove one of them.\n`,
  ])
})

it('reports a Mattermost export without a version, and reads lists with a byte order mark', async () => {
  const made = await importExport(
    'mattermost',
    await createZip({ 'import.jsonl': `\ufeff${MATTERMOST.join('\r\n')}`, ...UPLOADED_FILES }),
  )
  expect(made.leftOut.get('export without a format version: read as version 1')).toBe(1)
  const slack = { 'users.json': `\ufeff${JSON.stringify(USERS)}`, 'channels.json': `\ufeff${JSON.stringify(CHANNELS)}` }
  expect(storedRowCounts(await importExport('slack', await createZip(slack)))).toMatchObject({ users: 3, channels: 1 })
})

it.each(['parley', 'slack', 'mattermost', 'zulip'])(
  'reports that the export for `import %s` does not exist',
  async (service) => {
    const path = join(await newFolder(), 'export')
    const { code, stderr } = await runParley('import', service, path, '--organization', newSubdomain())
    expect([code, stderr]).toEqual([1, `parley: ${path} does not exist.\n`])
  },
)

it.each([[2], ['1'], [null], ['\u001b[2J']])('rejects a Mattermost export with unknown version %j', async (version) => {
  const path = await createZip({ 'import.jsonl': [line('version', version), ...MATTERMOST].join('\n') })
  const { code, stdout, stderr } = await runParley('import', 'mattermost', path, '--organization', newSubdomain())
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toContain(
    `parley: import.jsonl in ${path} has format version ${JSON.stringify(version)}, but Parley reads only version 1. `,
  )
  expect(await queryRows(`select 1 from organizations where string_id like '?%'`)).toEqual([])
})

it('reports truncated names and descriptions and invalid UTF-8', async () => {
  const long = 'A very long name of something that has no end. '.repeat(3).trimEnd()
  const file = (text: string): Buffer =>
    Buffer.concat([
      Buffer.from(text.slice(0, text.indexOf('Hello'))),
      Buffer.from([0xe9]),
      Buffer.from(text.slice(text.indexOf('Hello'))),
    ])
  const slack = await importExport(
    'slack',
    await createZip({
      'users.json': [...USERS, { id: 'U3', real_name: long }],
      'channels.json': [...CHANNELS, { id: 'C2', name: long, created: START, purpose: { value: 'x'.repeat(1_025) } }],
      'general/2023-11-14.json': file(JSON.stringify(DAY_MESSAGES)),
    }),
  )
  const cut = 'over the length limit: truncated'
  expect(slack.told.left_out).toEqual(
    expect.arrayContaining([
      { what: `full names ${cut}`, count: 1, examples: [long] },
      { what: `channel names ${cut}`, count: 1, examples: [long] },
      { what: `channel descriptions ${cut}`, count: 1, examples: [expect.stringMatching(/^x+…$/)] },
      {
        what: 'files with bytes that are not valid UTF-8, which become \ufffd',
        count: 1,
        examples: ['general/2023-11-14.json'],
      },
    ]),
  )
  const contents = (await fetchMessages(await slack.user('U1'))).map(({ content }) => content)
  expect(contents).toContain('\ufffdHello')
  const [message] = ZULIP['messages-000001.json'].zerver_message
  const zulip = await importExport(
    'zulip',
    await createZip({
      ...ZULIP,
      'realm.json': {
        ...ZULIP['realm.json'],
        zerver_namedusergroup: [
          ...ZULIP['realm.json'].zerver_namedusergroup,
          { usergroup_ptr: 901, name: long, description: 'x'.repeat(1_025), creator: 11 },
        ],
      },
      'messages-000001.json': {
        zerver_message: [message, { ...message, id: 102, subject: long }, { ...message, id: 103, subject: long }],
      },
    }),
  )
  expect(zulip.leftOut.get(`topic names ${cut}`)).toBe(1)
  expect(zulip.leftOut.get(`group names ${cut}`)).toBe(1)
})
