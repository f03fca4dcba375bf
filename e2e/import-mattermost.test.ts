import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { fetchAs, PIXEL } from '../server/src/testing/files.ts'
import { importExport, fetchMessages, newSubdomain, createZip } from './moving/converted.ts'
import { newFolder, runParley, useMovingServer } from './moving/moved.ts'

/* Imports bulk exports in Mattermost's format, with invented content. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const line = (type: string, record: unknown): string => JSON.stringify({ type, [type]: record })
const person = (username: string, more: object = {}, channels: object[] = [{ name: 'town-square' }]): string =>
  line('user', {
    username,
    email: `${username}@harbour.example`,
    roles: 'system_user',
    teams: [{ name: 'harbour', roles: 'team_user', channels }],
    ...more,
  })
const post = (user: string, message: string, createdAt: number, more: object = {}): string =>
  line('post', { team: 'harbour', channel: 'town-square', user, message, create_at: createdAt, ...more })

const START = 1_700_000_000_000
const LINES = [
  line('version', 1),
  line('team', { name: 'harbour', display_name: 'Harbour', type: 'O', description: 'All *ships*' }),
  line('channel', {
    team: 'harbour',
    name: 'town-square',
    display_name: 'Town Square',
    type: 'O',
    header: 'Hi',
    purpose: 'All',
  }),
  line('channel', { team: 'harbour', name: 'board', display_name: 'Board', type: 'P' }),
  line('channel', { team: 'harbour', name: 'old', display_name: 'Old', type: 'O', deleted_at: START }),
  person(
    'olga',
    { roles: 'system_admin system_user', first_name: 'Olga', last_name: 'Owner', profile_image: 'pictures/olga.png' },
    [{ name: 'town-square', favorite: true }, { name: 'board' }],
  ),
  person('kim.lee', { nickname: 'Kim' }, [
    { name: 'town-square', last_viewed_at: START + 2_500, notify_props: { mark_unread: 'mention' } },
    { name: 'board' },
  ]),
  person('gus', { roles: 'system_guest' }, []),
  person('gone', { delete_at: START }),
  line('bot', { username: 'deploy', display_name: 'Deploy Robot', owner: 'olga' }),
  line('emoji', { name: 'boat', image: 'emoji/boat.png' }),
  post('olga', 'Hi @kim.lee, see ~board and `@kim.lee` :boat: **bold** olga@kim.example', START + 1_000, {
    reactions: [
      { user: 'kim.lee', emoji_name: '+1', create_at: START },
      { user: 'olga', emoji_name: 'boat', create_at: START },
      { user: 'olga', emoji_name: 'nothing-such', create_at: START },
    ],
    flagged_by: ['kim.lee'],
    is_pinned: true,
  }),
  post('kim.lee', 'Who paints the hull?', START + 2_000, {
    replies: [
      { user: 'olga', message: 'I do', create_at: START + 4_000 },
      { user: 'nobody', message: 'Me too', create_at: START + 5_000 },
    ],
  }),
  post('olga', 'In between', START + 3_000, { edit_at: START + 3_500 }),
  post('deploy', '', START + 6_000, {
    props: { attachments: [{ title: 'Built', title_link: 'https://ci.example/1', text: 'All well' }] },
  }),
  post('kim.lee', 'kim.lee joined', START + 7_000, { type: 'system_join_channel' }),
  line('post', {
    team: 'harbour',
    channel: 'board',
    user: 'olga',
    message: 'The plan',
    create_at: START + 8_000,
    attachments: [{ path: '20231114/plan.txt' }, { path: '20231114/lost.txt' }],
  }),
  line('direct_channel', { members: ['olga', 'kim.lee'] }),
  line('direct_post', {
    channel_members: ['olga', 'kim.lee'],
    user: 'kim.lee',
    message: 'Between us',
    create_at: START + 9_000,
    replies: [{ user: 'olga', message: 'Sure', create_at: START + 9_500 }],
  }),
]
const FILES = {
  'data/20231114/plan.txt': 'Buy paint',
  'data/emoji/boat.png': PIXEL,
  'data/pictures/olga.png': PIXEL,
}

it('imports channels, topics, DMs, and people, with reactions, files, and read states', async () => {
  const made = await importExport('mattermost', await createZip({ 'import.jsonl': `${LINES.join('\n')}\n`, ...FILES }))
  const [olga, kim, gus] = [await made.user('olga'), await made.user('kim.lee'), await made.user('gus')]
  const { state } = await olga.register()
  expect([state['realm_name'], state['realm_description']]).toEqual(['Harbour', 'All *ships*'])
  const people = state.realm_users
  expect(people.map(({ full_name: name, role, delivery_email: email }) => [name, role, email])).toEqual(
    expect.arrayContaining([
      ['Olga Owner', 100, 'olga@harbour.example'],
      ['Kim', 400, 'kim.lee@harbour.example'],
      ['gus', 600, 'gus@harbour.example'],
    ]),
  )
  expect(people.find(({ full_name: name }) => name === 'Olga Owner')?.avatar_url).toMatch(/^\/user_avatars\//)
  const channels = state.subscriptions
  expect(
    channels.map(({ name, pin_to_top: pinned, invite_only: isPrivate, description }) => [
      name,
      pinned,
      isPrivate,
      description,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['Town Square', true, false, 'All\nHi'],
      ['Board', false, true, ''],
    ]),
  )
  const read = await fetchMessages(olga, [{ operator: 'channel', operand: 'Town Square' }])
  expect(read.map(({ subject, sender_full_name: by, content }) => [subject, by, content])).toEqual([
    ['', 'Olga Owner', `Hi @**Kim|${kim.id}**, see #**Board** and \`@kim.lee\` :boat: **bold** olga@kim.example`],
    ['Who paints the hull?', 'Kim', 'Who paints the hull?'],
    ['', 'Olga Owner', 'In between'],
    ['Who paints the hull?', 'Olga Owner', 'I do'],
    ['Who paints the hull?', 'nobody', 'Me too'],
    ['', 'Deploy Robot', '> **[Built](https://ci.example/1)**\n> All well'],
  ])
  expect(read[0]?.reactions.map(({ emoji_name: name, user_id: by }) => [name, by])).toEqual([
    ['+1', kim.id],
    ['boat', olga.id],
  ])
  const starred = await fetchMessages(kim, [{ operator: 'is', operand: 'starred' }])
  expect(starred.map(({ id }) => id)).toEqual([read[0]?.id])
  const unread = await fetchMessages(kim, [{ operator: 'is', operand: 'unread' }])
  expect(unread.map(({ content }) => content)).toEqual([
    'In between',
    'I do',
    'Me too',
    '> **[Built](https://ci.example/1)**\n> All well',
  ])
  expect(await fetchMessages(olga, [{ operator: 'is', operand: 'unread' }])).toEqual([])
  expect(await fetchMessages(gus)).toEqual([])
  expect((await fetchMessages(kim, [{ operator: 'dm', operand: [olga.id] }])).map(({ content }) => content)).toEqual([
    'Between us',
    'Sure',
  ])
  const [plan] = await fetchMessages(kim, [{ operator: 'channel', operand: 'Board' }])
  const [, address = ''] =
    /^The plan\n\[plan\.txt\]\((\/user_uploads\/[^)]+)\)\nlost\.txt$/.exec(plan?.content ?? '') ?? []
  expect((await fetchAs(kim, address)).bytes.toString()).toBe('Buy paint')
  expect((await fetchAs(gus, address)).status).not.toBe(200)
  expect(Object.fromEntries(made.leftOut)).toEqual({
    'bots: imported as deactivated accounts': 1,
    'pinned messages: imported without the pin': 1,
    'edited messages: only the latest text is in the export, so they do not show as edited': 1,
    'people who wrote messages but are missing from the export: created as deactivated accounts': 1,
    'automatic notices in channels': 1,
    'reactions with unknown emoji': 1,
    'files missing from the export': 1,
    'thread replies in direct messages: now part of the conversation itself': 1,
  })
})

it('imports the valid part of an invalid export, and rejects files that are not exports', async () => {
  const wrong = [
    ...LINES.slice(0, 8),
    'no JSON',
    '{"type":"post"',
    line('post', 7),
    line('post', { team: 'harbour', channel: 'nowhere', user: 'olga', message: 'lost', create_at: START }),
    post('olga', '\u0000<script>alert(1)</script> @nobody ~nowhere :nothing:', START + 1),
    post('olga', 'of the future', (Math.floor(Date.now() / 1_000) + 1_000_000) * 1_000),
    post('olga', 'in no time', 1e300),
    post('olga', 'files', START + 2, { attachments: [{ path: '../../../../etc/passwd' }, { path: '/etc/passwd' }] }),
    line('direct_post', {
      channel_members: ['olga', 'ghost'],
      user: 'ghost',
      message: 'Boo',
      create_at: START + 3,
      replies: ['x'],
    }),
    line('user', { username: 'olga', email: 'second@harbour.example' }),
    line('user', { email: 'no name' }),
    line('secret_plan', {}),
    JSON.stringify({ type: '__proto__' }),
    `{"type":"post","post":{"message":"${'x'.repeat(17_000_000)}"}}`,
  ]
  const made = await importExport('mattermost', await createZip({ 'import.jsonl': `${wrong.join('\n')}\n` }))
  const olga = await made.user('olga')
  expect((await fetchMessages(olga)).map(({ content, timestamp }) => [content, timestamp])).toEqual([
    ['<script>alert(1)</script> @nobody ~nowhere :nothing:', 1_700_000_000],
    ['files\npasswd\npasswd', 1_700_000_000],
    ['Boo', 1_700_000_000],
    ['of the future', 1_700_000_000],
  ])
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'lines that are not records, or are too long': 3,
    'messages in unlisted channels': 1,
    'messages in an unknown format': 3,
    'messages dated in the future: they get the time of the previous message': 1,
    'files missing from the export': 2,
    'duplicate people: the first is used': 1,
    'records in an unknown format (user)': 1,
    'records of an unknown kind': 2,
  })
  for (const files of [{ 'import.jsonl': 'nothing' }, { 'readme.txt': 'nothing' }]) {
    const { code } = await runParley('import', 'mattermost', await createZip(files), '--organization', newSubdomain())
    expect(code).toBe(3)
  }
})

it('reads UTF-8 file names that are not marked as UTF-8, and rejects an unknown encoding', async () => {
  const lines = [
    ...LINES.slice(0, 7),
    post('olga', 'Files', START, { attachments: [{ path: '20231114/計画.txt' }, { path: '20231114/Grüße.txt' }] }),
  ]
  const made = await importExport(
    'mattermost',
    await createZip(
      { 'import.jsonl': lines.join('\n'), 'data/pictures/olga.png': PIXEL },
      { path: 'data/20231114/計画.txt', content: 'Buy paint', isUnmarked: true },
      { path: 'data/20231114/Grüße.txt'.normalize('NFD'), content: 'Hello' },
    ),
  )
  const olga = await made.user('olga')
  const [message] = await fetchMessages(olga)
  const addresses = Array.from(message?.content.matchAll(/\]\(([^)]+)\)/g) ?? [], ([, address = '']) => address)
  const texts = await Promise.all(addresses.map(async (address) => (await fetchAs(olga, address)).bytes.toString()))
  expect([texts, made.leftOut.get('files missing from the export')]).toEqual([['Buy paint', 'Hello'], undefined])
  const path = await createZip(
    { 'import.jsonl': lines.join('\n') },
    {
      path: '計画',
      name: Buffer.from('data/20231114/\u008cv\u0089\u00e6', 'latin1'),
      content: 'Buy paint',
      isUnmarked: true,
    },
  )
  const { code, stderr } = await runParley('import', 'mattermost', path, '--organization', newSubdomain())
  expect([code, stderr]).toEqual([3, expect.stringContaining(`${path} has file names in an unknown encoding`)])
})

it('imports messages from integrations with their sender names and all attachment fields', async () => {
  const attachment = {
    pretext: 'On *web1*',
    author_name: 'Monitor',
    author_link: 'https://mon.example',
    title: 'CPU',
    title_link: 'https://mon.example/1',
    text: 'Load, @kim.lee :x:',
    fields: [
      { title: 'Host', value: 'web1', short: true },
      { title: 'Load', value: 9 },
      { title: '', value: 'alone' },
      { title: 'Tags', value: ['night', 'web'] },
      { title: 'Labels', value: { team: 'ops', zones: [1, { main: true }] } },
      'bare',
    ],
    image_url: 'https://mon.example/graph.png',
    footer: 'Monitor 2',
    actions: [{ name: 'Silence', integration: { url: 'https://mon.example/s' } }],
    fallback: 'CPU high',
  }
  const props = { from_webhook: 'true', override_username: 'Monitor' }
  const lines = [
    ...LINES.slice(0, 8),
    post('olga', 'Alert', START, { props: { ...props, attachments: [attachment, 7, { fallback: 'Only this' }] } }),
    post('olga', 'Not by a webhook', START + 1, { props: { override_username: 'Somebody' } }),
    post('olga', 'In part', START + 2, {
      reactions: [{ user: 'kim.lee', emoji_name: '+1' }, 'x', { user: 'olga' }],
      attachments: [{ path: 'lost.txt' }, null],
      flagged_by: ['kim.lee', 7],
      replies: 'none',
    }),
  ]
  const made = await importExport('mattermost', await createZip({ 'import.jsonl': `${lines.join('\n')}\n`, ...FILES }))
  const kim = await made.user('kim.lee')
  const read = await fetchMessages(kim)
  expect(read.map(({ sender_full_name: by, content }) => [by, content])).toEqual([
    [
      'Monitor',
      `Alert\n\nOn *web1*\n> **[Monitor](https://mon.example)**\n> **[CPU](https://mon.example/1)**\n> Load, @**Kim|${kim.id}** :cross_mark:\n` +
        '> **Host**: web1\n> **Load**: 9\n> alone\n' +
        '> **Tags**: night, web\n> **Labels**: team: ops, zones: 1, main: true\n> bare\n> [Picture](https://mon.example/graph.png)\n> Monitor 2\n\n> Only this',
    ],
    ['Olga Owner', 'Not by a webhook'],
    ['Olga Owner', 'In part\nlost.txt'],
  ])
  expect(read[2]?.reactions).toMatchObject([{ emoji_name: '+1', user_id: kim.id }])
  expect(read[2]?.flags).toContain('starred')
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'message attachments in an unknown format': 1,
    'reactions in an unknown format': 2,
    'files in an unknown format': 1,
    'files missing from the export': 1,
    'messages starred by people missing from the export': 1,
    'messages in an unknown format': 1,
    'bots who wrote messages but are missing from the export: created as deactivated accounts': 1,
  })
})

const POST_WITH_UMLAUT = Buffer.from(post('olga', 'Grüße', START))
const HALF_A_LETTER = POST_WITH_UMLAUT.subarray(0, POST_WITH_UMLAUT.indexOf('ü') + 1)

it.each<[string, string | Buffer]>([
  ['within a record', LINES.join('\n').slice(0, -20)],
  ['within a character', HALF_A_LETTER],
  ['within a record, followed by a line break', `${LINES.join('\n').slice(0, -20)}\n`],
  ['within a character, followed by line breaks', Buffer.concat([HALF_A_LETTER, Buffer.from('\r\n\n')])],
  ['before a value', `${LINES.slice(0, 8).join('\n')}\n{"type"`],
])('exits with code 3 if an export is cut off %s', async (_, content) => {
  const path = await createZip({ 'import.jsonl': content })
  const { code, stderr } = await runParley('import', 'mattermost', path, '--organization', newSubdomain())
  expect([code, stderr]).toEqual([3, expect.stringMatching(/ is incomplete: it ends within line \d+\.\n$/)])
})

it('imports a Mattermost export without a team, from an archive or a file', async () => {
  const lines = LINES.filter((one) => !one.includes('"type":"team"'))
  const made = await importExport(
    'mattermost',
    await createZip({ 'bulk-export.jsonl': `${lines.join('\n')}\n`, ...FILES }),
  )
  const { state } = await (await made.user('olga')).register()
  expect([state.realm_name, state.subscriptions.length]).toEqual(['harbour', 2])
  const path = join(await newFolder(), 'bulk-export.jsonl')
  await writeFile(path, lines.join('\n'))
  const alone = await importExport('mattermost', path)
  expect((await fetchMessages(await alone.user('gus'))).length).toBe(0)
  expect((await fetchMessages(await alone.user('olga'))).length).toBe(9)
  expect(alone.leftOut.get('files missing from the export')).toBe(2)
  const between = { channel_members: ['olga', 'gus'], user: 'gus', message: 'Hi', create_at: START }
  const people = ['olga', 'gus'].map((name) => person(name, { teams: null }))
  const place = { members: ['olga', 'gus'], header: 'Ships', favorited_by: ['gus'], shown_by: null }
  const direct = [line('version', 1), ...people, line('direct_channel', place), line('direct_post', between)].join('\n')
  const onlyDirect = await importExport('mattermost', await createZip({ 'import.jsonl': direct }))
  const gus = await onlyDirect.user('gus')
  expect((await fetchMessages(gus)).map(({ content }) => content)).toEqual(['Hi'])
  expect((await gus.register()).state.realm_name).toBe('Mattermost')
  expect(Object.fromEntries(onlyDirect.leftOut)).toMatchObject({
    'headers of direct messages': 1,
    'favorite direct messages': 1,
  })
  const noTeam = await createZip({ 'import.jsonl': line('version', 1) })
  const { code, stderr } = await runParley('import', 'mattermost', noTeam, '--organization', newSubdomain())
  expect([code, stderr]).toEqual([3, expect.stringContaining('names no team')])
})

it('finds files at unusual paths, and reports files that no message links to', async () => {
  const lines = [
    ...LINES.slice(0, 5),
    person('olga', { position: 'Captain' }),
    post('olga', 'Caf\u00e9', START + 1),
    post('olga', 'Plans\rand more', START, { attachments: [{ path: String.raw`20231114\plan.txt` }] }),
  ]
  const made = await importExport(
    'mattermost',
    await createZip({
      'harbour/import.jsonl': Buffer.from(lines.join('\r\n'), 'latin1'),
      'harbour/._import.jsonl': 'from a Mac',
      'harbour/data/20231114/plan.txt': 'Buy paint',
      'harbour/data/lost.txt': 'lost',
      '__MACOSX/harbour/._import.jsonl': 'from a Mac',
      'beside.txt': 'lost',
    }),
  )
  const [message, latin] = await fetchMessages(await made.user('olga'))
  expect(latin?.content).toBe('Caf\ufffd')
  expect(message?.content).toMatch(/^Plans\nand more\n\[plan\.txt\]\(\/user_uploads\/[^)]+\/plan\.txt\)$/)
  expect(made.told.left_out).toEqual(
    expect.arrayContaining([
      { what: 'job titles', count: 1, examples: ['olga'] },
      {
        what: 'files with bytes that are not valid UTF-8, which become \ufffd',
        count: 1,
        examples: ['import.jsonl'],
      },
      { what: 'files outside the folder of the export', count: 1, examples: ['beside.txt'] },
      { what: 'files that no message links to', count: 1, examples: ['data/lost.txt'] },
    ]),
  )
})
