import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runHere } from '../server/src/testing/command-line.ts'
import { importExport, fetchMessages, newSubdomain, createZip } from './moving/converted.ts'
import { commandEnvironment, newFolder, runParley, queryRows, movingServer, useMovingServer } from './moving/moved.ts'
import type { ZipEntry } from '../server/src/testing/zip-archive.ts'
import { parseObject } from '../server/src/testing/json.ts'

/* Exports of other services are untrusted: invalid data is skipped and reported, and has no other effect. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const OLGA = {
  id: 'U1',
  name: 'olga',
  real_name: 'Olga Owner',
  is_owner: true,
  profile: { email: 'u1@harbour.example' },
}
const GENERAL = { id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1'] }
const slackMessage = (text: string, ts: string, more: object = {}): object => ({
  type: 'message',
  user: 'U1',
  text,
  ts,
  ...more,
})

/** Imports an export with these messages in `general`. */
async function writeExport(
  messages: unknown[],
  more: Readonly<Record<string, unknown>> = {},
): ReturnType<typeof importExport> {
  return importExport(
    'slack',
    await createZip({ 'users.json': [OLGA], 'channels.json': [GENERAL], 'general/2023-11-14.json': messages, ...more }),
  )
}

it('checks that the subdomain is free before reading the export', async () => {
  const { host } = await movingServer().organization()
  const subdomain = host.split('.')[0] ?? ''
  const command = ['import', 'slack', join(await newFolder(), 'missing.zip'), '--organization']
  expect((await runParley(...command, newSubdomain())).stderr).toContain('missing.zip does not exist')
  expect((await runParley(...command, subdomain)).stderr).toContain(`The subdomain '${subdomain}' is taken.`)
  const away = {
    ...commandEnvironment(),
    DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley',
    PARLEY_DATABASE_WAIT_SECONDS: '0',
  }
  expect((await runHere([...command, newSubdomain()], away)).stderr).toContain('Cannot use the PostgreSQL at')
})

it('imports the valid parts of messages with invalid content', async () => {
  const late = Math.floor(Date.now() / 1000) + 10 * 365 * 86_400
  const made = await writeExport(
    [
      slackMessage(
        '<img src=x onerror=alert(1)> &lt;script&gt;alert(1)&lt;/script&gt; <javascript:alert(1)|click>',
        '1700000001.000100',
      ),
      slackMessage('nul \u0000 bell \u0007 half \ud800 \u0000 1 \u0000 @**all**', '1700000002.000100'),
      slackMessage('of the future', `${late}.000100`),
      slackMessage('of somebody else', '1700000003.000100', {
        user: 'U404',
        user_profile: { real_name: 'Pat *Elsewhere*' },
      }),
      slackMessage('to <@U404> and <#C404>', '1700000004.000100'),
      slackMessage('x'.repeat(25_000), '1700000005.000100'),
      slackMessage('a word '.repeat(100_000), '1700000006.000100'),
      slackMessage(`${'long '.repeat(30)}thread`, '1700000007.000100', { thread_ts: '1700000007.000100' }),
      slackMessage('without a time', 'yesterday'),
      slackMessage('', '1700000008.000100'),
      'no message',
      null,
      { ts: 17 },
      slackMessage('reactions', '1700000009.000100', {
        reactions: [
          { name: 'constructor', users: ['U1'] },
          { name: '__proto__', users: 'U1' },
          { name: '+1', users: ['U1', 'U1', 7] },
          'x',
        ],
      }),
      slackMessage('blocks of :constructor:', '1700000010.000100', {
        text: '',
        blocks: [null, 7, { type: 'rich_text', elements: 'x' }, { type: 'header', text: { text: 'Head' } }],
      }),
    ],
    {
      'nowhere/2023-11-14.json': [slackMessage('lost', '1700000001.000100')],
    },
  )
  const olga = await made.user('U1')
  const read = await fetchMessages(olga)
  const texts = read.map(({ content }) => content)
  expect(texts[0]).toBe('img src=x onerror=alert(1) <script>alert(1)</script> click')
  expect(texts[1]).toBe('nul  bell  half \ufffd  1  @**all**')
  expect(texts).toEqual(
    expect.arrayContaining(['of somebody else', 'to @somebody and #private-channel', 'reactions', '**Head**']),
  )
  const [html] = await fetchMessages(olga, [], true)
  expect(html?.content).not.toMatch(/<(img|script)/)
  expect(read.find(({ content }) => content === 'of somebody else')?.sender_full_name).toBe('Pat Elsewhere')
  const future = read.at(-1)
  expect([future?.content, future?.timestamp]).toEqual(['of the future', 1_700_000_010])
  expect(texts.filter((text) => /^x+$/.test(text)).map(({ length }) => length)).toEqual([10_000, 10_000, 5_000])
  const topic = read.find(({ content }) => content.endsWith('thread'))?.subject ?? ''
  expect([Array.from(topic).length <= 60, topic.startsWith('long long')]).toEqual([true, true])
  expect(read.find(({ content }) => content === 'reactions')?.reactions).toMatchObject([{ emoji_name: '+1' }])
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'messages dated in the future: they get the time of the previous message': 1,
    'people who wrote messages but are missing from the export: created as deactivated accounts': 1,
    'messages over the length limit: split into several': 2,
    'messages far over the length limit: truncated': 1,
    'messages in an unknown format': 4,
    'messages without text': 1,
    'reactions with unknown emoji': 2,
    'reactions in an unknown format': 3,
    'days of messages in unlisted channels': 1,
  })
})

it('imports the longest allowed texts in full and truncates longer texts and lists', async () => {
  const users = Array.from({ length: 10_001 }, (_, index) => `U${index}`)
  const code = { type: 'text', text: '`a '.repeat(130_000), style: { code: true } }
  const made = await writeExport([
    slackMessage('&amp;'.repeat(40_000), '1700000001.000100'),
    slackMessage('<@U1>'.repeat(100_000), '1700000002.000100', { reactions: [{ name: '+1', users }] }),
    slackMessage('', '1700000003.000100', {
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [code] }] }],
    }),
    slackMessage('', '1700000004.000100', {
      blocks: [
        { type: 'table', rows: [Array.from({ length: 300 }, () => ({})), ...Array.from({ length: 300 }, () => [])] },
      ],
    }),
  ])
  const read = await fetchMessages(await made.user('U1'))
  const textsOf = (second: number): string[] =>
    read.filter(({ timestamp }) => timestamp % 10 === second).map(({ content }) => content)
  expect(textsOf(1)).toEqual(Array.from({ length: 4 }, () => '&'.repeat(10_000)))
  expect([2, 3, 4].map((second) => textsOf(second).length)).toEqual([10, 10, 1])
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'texts in messages over 400,000 characters: truncated': 1,
    'items of lists in messages over 10,000 items: omitted': 1,
    'messages far over the length limit: truncated': 2,
  })
})

it('replaces invalid names of people and channels, and invalid email addresses', async () => {
  const made = await importExport(
    'slack',
    await createZip({
      'users.json': [
        OLGA,
        { id: 'U2', real_name: '@**all**|1 \u202e<b>', profile: { email: 'U1@HARBOUR.example' }, tz: '../../etc' },
        { id: 'U3', real_name: '\u0000\u200b', profile: { email: 'not an address' } },
        { id: 'U4', real_name: 'y'.repeat(5_000), profile: { email: `${'y'.repeat(300)}@harbour.example` } },
        { id: 'U5', real_name: 'Notification Bot', profile: { email: 'notification-bot@parley.invalid' } },
        { id: '<script>', real_name: 7, profile: 'none' },
        { id: 'U1', real_name: 'Second Olga' },
        'nobody',
        null,
      ],
      'channels.json': [
        GENERAL,
        { ...GENERAL, id: 'C2', members: ['U1', 'U404', 'U2', 7] },
        { id: 'C3', name: 'z'.repeat(500), created: 1e300 },
        5,
      ],
    }),
  )
  const olga = await made.user('U1')
  const { state } = await olga.register()
  const people = state.realm_users
  const named = new Map(people.map((one) => [one.user_id, one]))
  const shown = ['U2', 'U3', 'U4', 'U5', '<script>'].map((id) => named.get(made.ids.get(`user ${id}`) ?? 0))
  expect(shown.map((one) => one?.delivery_email)).toEqual([
    'u2@slack.imported.invalid',
    'u3@slack.imported.invalid',
    'u4@slack.imported.invalid',
    'u5@slack.imported.invalid',
    '-script-@slack.imported.invalid',
  ])
  expect(shown.map((one) => one?.full_name)).toEqual([
    'all /1 b',
    'U3',
    `${'y'.repeat(99)}\u2026`,
    'Notification Bot (U5)',
    'script',
  ])
  expect(shown[0]?.timezone).toBe('')
  const channels = state.streams
  expect((channels ?? []).map(({ name }) => name).toSorted()).toEqual([
    'general',
    'general (2)',
    `${'z'.repeat(59)}\u2026`,
  ])
  expect(made.leftOut.get('people in an unknown format, or listed twice')).toBe(3)
  expect(made.leftOut.get('channel members in an unknown format')).toBe(1)
})

it.each<[string, Readonly<Record<string, unknown>>, ZipEntry[]]>([
  ['paths outside the archive', {}, [{ path: '../../../tmp/parley-escaped.json', content: '[]' }]],
  ['an absolute path', {}, [{ path: '/tmp/parley-escaped.json', content: '[]' }]],
  ['a malformed list of people', { 'users.json': '{"a":1}' }, []],
  ['a truncated list of people', { 'users.json': '[{"id":"U1"' }, []],
  ['no list of people', { 'users.json': undefined, 'readme.txt': 'hello' }, []],
  ['a file of an impossible size', {}, [{ path: 'general/2023-11-14.json', content: '[]', said: 4_000_000_000 }]],
  [
    'a file larger than declared',
    { 'channels.json': [GENERAL] },
    [
      {
        path: 'general/2023-11-14.json',
        content: JSON.stringify([slackMessage('z'.repeat(50_000_000), '1700000001.000100')]),
        said: 1_000,
      },
    ],
  ],
])('rejects an archive with %s, exits with code 3, and stores nothing', async (_, files, more) => {
  const all = Object.entries({ 'users.json': [OLGA], ...files }).filter(([, content]) => content !== undefined)
  const path = await createZip(Object.fromEntries(all), ...more)
  const { code, stdout, stderr } = await runParley('import', 'slack', path, '--organization', newSubdomain())
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(/^parley: |\nparley: /)])
  expect(await queryRows(`select 1 from organizations where string_id like '?%'`)).toEqual([])
  expect([existsSync('/tmp/parley-escaped.json'), existsSync(`${path}.ids.jsonl`)]).toEqual([false, false])
})

it('imports an export that is inside a folder of the archive', async () => {
  const made = await importExport(
    'slack',
    await createZip({
      'harbour/users.json': [OLGA],
      'harbour/channels.json': [GENERAL],
      'harbour/general/2023-11-14.json': [slackMessage('In a folder of an archive', '1700000001.000100')],
    }),
  )
  expect((await fetchMessages(await made.user('U1'))).map(({ content }) => content)).toEqual([
    'In a folder of an archive',
  ])
})

it('normalizes names to NFC, and adds numbers to the names of look-alike channels', async () => {
  const [composed, decomposed] = ['Café', 'Cafe\u0301']
  const channels = [composed, decomposed].map((name, index) => ({ ...GENERAL, id: `C${index}`, name }))
  const made = await importExport(
    'slack',
    await createZip({
      'users.json': [{ ...OLGA, real_name: decomposed }],
      'channels.json': channels,
      [`${composed}/2023-11-14.json`]: [slackMessage(`To <@U1>`, '1700000000.000100')],
    }),
  )
  const olga = await made.user('U1')
  const { state } = await olga.register()
  const names = state.subscriptions.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([composed, `${composed} (2)`]))
  expect(state['full_name']).toBe(composed)
  expect(await fetchMessages(olga)).toMatchObject([{ content: `To @**${composed}|${olga.id}**` }])
})

it.each<[string, boolean, (name: string) => string]>([
  ['not marked as UTF-8', true, (name) => name],
  ['decomposed by macOS', false, (name) => name.normalize('NFD')],
])('finds messages of channels whose folder names are %s', async (_, isUnmarked, spelled) => {
  const channels = ['チーム', 'büro', '공지', 'команда'].map((name, index) => ({ ...GENERAL, id: `C${index}`, name }))
  const days = channels.map(({ name }, index) => ({
    path: spelled(`${name}/2023-11-14.json`),
    content: JSON.stringify([slackMessage(`Written in ${name}`, `170000000${index}.000100`)]),
    isUnmarked,
  }))
  const made = await importExport(
    'slack',
    await createZip({ 'users.json': [OLGA], 'channels.json': channels }, ...days),
  )
  expect(
    (await fetchMessages(await made.user('U1'))).map(({ display_recipient: of, content }) => [of, content]),
  ).toEqual(channels.map(({ name }) => [name, `Written in ${name}`]))
  expect(made.leftOut.get('days of messages in unlisted channels')).toBeUndefined()
})

it('reads CP437 names and rejects an archive with names in an unknown encoding', async () => {
  const lists = { 'users.json': [OLGA], 'channels.json': [{ ...GENERAL, name: 'büro' }] }
  const content = JSON.stringify([slackMessage('Written', '1700000001.000100')])
  const first = Buffer.from('b\u0081ro/2023-11-14.json', 'latin1')
  const made = await importExport(
    'slack',
    await createZip(lists, { path: 'büro', name: first, content, isUnmarked: true }),
  )
  expect((await fetchMessages(await made.user('U1'))).map(({ content: text }) => text)).toEqual(['Written'])
  // "チーム" ("team") in Shift JIS.
  const japanese = Buffer.concat([Buffer.from('8360815b8380', 'hex'), Buffer.from('/2023-11-14.json')])
  const path = await createZip(lists, { path: 'チーム', name: japanese, content, isUnmarked: true })
  const { code, stderr } = await runParley('import', 'slack', path, '--organization', newSubdomain())
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/ has file names in an unknown encoding, such as \S+\/2023-11-14\.json: unpack/),
  ])
})

it('follows no symbolic links out of an export folder, and rejects a file that is not an archive', async () => {
  const folder = join(await newFolder(), 'export')
  await mkdir(join(folder, 'general'), { recursive: true })
  await writeFile(join(folder, 'users.json'), JSON.stringify([OLGA]))
  await writeFile(join(folder, 'channels.json'), JSON.stringify([GENERAL]))
  await writeFile(
    join(folder, 'general/2023-11-14.json'),
    JSON.stringify([slackMessage('In a folder', '1700000001.000100')]),
  )
  await symlink('/etc/passwd', join(folder, 'general/2023-11-15.json'))
  await symlink('/etc', join(folder, 'board'))
  const made = await importExport('slack', folder)
  expect((await fetchMessages(await made.user('U1'))).map(({ content }) => content)).toEqual(['In a folder'])
  const file = join(await newFolder(), 'no.zip')
  await writeFile(file, 'PK is not enough')
  // A missing file does not count as a damaged export.
  for (const [path, code] of [
    [file, 3],
    [join(folder, 'nowhere'), 1],
  ] as const) {
    expect((await runParley('import', 'slack', path, '--organization', newSubdomain())).code).toBe(code)
  }
})

it.each<[string, (folder: string) => Promise<unknown>]>([
  ['file', async (folder) => writeFile(Buffer.from(`${folder}/b\u00fcro.json`, 'latin1'), '[]')],
  ['folder', async (folder) => mkdir(Buffer.from(`${folder}/b\u00fcro`, 'latin1'))],
])('rejects a %s whose name is not UTF-8 and shows its name', async (_, make) => {
  const folder = await newFolder()
  await writeFile(join(folder, 'users.json'), JSON.stringify([OLGA]))
  await make(folder)
  const { code, stderr } = await runParley('import', 'slack', folder, '--organization', newSubdomain())
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^parley: b\ufffdro\S* in \S+ cannot be read\.\n$/)])
})

it('stores nothing in a dry run and reports the same as the import', async () => {
  const path = await createZip({
    'users.json': [OLGA],
    'channels.json': [GENERAL],
    'general/2023-11-14.json': [slackMessage('Hi', '1700000001.000100'), slackMessage('', '1700000002.000100')],
  })
  const subdomain = newSubdomain()
  const dry = await runParley('import', 'slack', path, '--dry-run', '--json', '--organization', subdomain)
  expect([dry.code, existsSync(`${path}.ids.jsonl`)]).toEqual([0, false])
  const foretold = parseObject(dry.stdout)
  const made = await importExport('slack', path, subdomain)
  expect([foretold['tables'], foretold['left_out'], foretold['ids']]).toEqual([
    made.told['tables'],
    made.told['left_out'],
    null,
  ])
})
