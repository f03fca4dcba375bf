import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { PIXEL } from '../server/src/testing/files.ts'
import { importExport, newSubdomain, createZip } from './moving/converted.ts'
import { FILES as ZULIP } from './moving/harbour.ts'
import { newFolder, runParley, queryRows, useMovingServer } from './moving/moved.ts'
import type { ZipEntry } from '../server/src/testing/zip-archive.ts'

/*
 * An import rejects an export that is damaged, or that lacks a file contained in every export of the service, before it
 * stores any data. Otherwise, people would discover weeks later that messages are missing.
 */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const SLACK = {
  'users.json': [{ id: 'U1', real_name: 'Olga Owner', is_owner: true, profile: { email: 'u1@harbour.example' } }],
  'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1'] }],
}
const DAY_MESSAGES = [{ type: 'message', user: 'U1', text: 'Hi', ts: '1700000001.000100', files: [{ id: 'F1234567' }] }]
const MATTERMOST = [
  { type: 'version', version: 1 },
  { type: 'team', team: { name: 'harbour' } },
  { type: 'channel', channel: { team: 'harbour', name: 'town-square', type: 'O' } },
  { type: 'user', user: { username: 'olga', email: 'olga@harbour.example', profile_image: 'olga.png' } },
  {
    type: 'post',
    post: {
      team: 'harbour',
      channel: 'town-square',
      user: 'olga',
      message: 'Hi',
      create_at: 1_700_000_000_000,
      attachments: [{ path: 'plan.txt' }],
    },
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n')
const WRONG_CHECKSUM = 'is damaged: its checksum does not match the one in the archive.'

/** The error message of an import that finds a damaged archive and stores nothing. */
async function importError(service: string, path: string): Promise<string> {
  const made = await runParley('import', service, path, '--organization', newSubdomain())
  expect([made.code, made.stdout]).toEqual([3, ''])
  expect(
    await queryRows(`select 1 from organizations where string_id like '?%' or string_id like 'c________'`),
  ).toEqual([])
  return (
    made.stderr
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^parley: /, '')
      .replaceAll(path, 'ARCHIVE') ?? ''
  )
}

it.each<[string, Readonly<Record<string, unknown>>, ZipEntry, string]>([
  ['slack', { 'users.json': SLACK['users.json'] }, { path: 'channels.json', content: '[]', sum: 1 }, WRONG_CHECKSUM],
  ['slack', SLACK, { path: 'general/2023-11-14.json', content: JSON.stringify(DAY_MESSAGES), sum: 1 }, WRONG_CHECKSUM],
  [
    'slack',
    { ...SLACK, 'general/2023-11-14.json': DAY_MESSAGES },
    { path: '__uploads/F1234567/plan.txt', content: 'Buy paint', sum: 1 },
    WRONG_CHECKSUM,
  ],
  ['slack', SLACK, { path: 'emoji/boat.png', content: PIXEL, sum: 1 }, WRONG_CHECKSUM],
  ['mattermost', {}, { path: 'import.jsonl', content: MATTERMOST, sum: 1 }, WRONG_CHECKSUM],
  [
    'mattermost',
    { 'import.jsonl': MATTERMOST },
    { path: 'data/plan.txt', content: 'Buy paint', sum: 1 },
    WRONG_CHECKSUM,
  ],
  ['mattermost', { 'import.jsonl': MATTERMOST }, { path: 'data/olga.png', content: PIXEL, sum: 1 }, WRONG_CHECKSUM],
  [
    'mattermost',
    {},
    { path: 'import.jsonl', content: MATTERMOST, packed: Buffer.from('not packed') },
    'is damaged: invalid block type.',
  ],
  [
    'mattermost',
    {},
    { path: 'import.jsonl', content: MATTERMOST, said: MATTERMOST.length + 5 },
    `is damaged: not enough bytes in the stream. expected ${MATTERMOST.length + 5}. got only ${MATTERMOST.length}.`,
  ],
])('names the damaged file when rejecting a %s export', async (service, files, more, why) => {
  expect(await importError(service, await createZip(files, more))).toBe(`${more.path} in ARCHIVE ${why}`)
})

const { 'messages-000001.json': PAGE, ...WITHOUT_MESSAGES } = ZULIP
it.each<[string, Readonly<Record<string, unknown>>, string | RegExp]>([
  ['slack', { 'users.json': SLACK['users.json'] }, 'ARCHIVE is incomplete: it has no channels.json.'],
  ['slack', { ...SLACK, 'users.json': '{}' }, 'users.json in ARCHIVE is not a list.'],
  ['slack', { ...SLACK, 'channels.json': '{}' }, 'channels.json in ARCHIVE is not a list.'],
  ['slack', { ...SLACK, 'dms.json': '[broken' }, /^dms\.json in ARCHIVE is not valid JSON: \S.*\.$/],
  ['slack', { ...SLACK, 'groups.json': '' }, 'groups.json in ARCHIVE is not valid JSON: Unexpected end of JSON input.'],
  [
    'slack',
    { ...SLACK, 'general/2023-11-15.json': '[{"text":"cut' },
    /^general\/2023-11-15\.json in ARCHIVE is not valid JSON/,
  ],
  ['slack', { ...SLACK, 'general/2023-11-15.json': '{}' }, 'general/2023-11-15.json in ARCHIVE is not a list.'],
  ['zulip', WITHOUT_MESSAGES, 'ARCHIVE is incomplete: it has no messages-000001.json.'],
  ['zulip', { ...ZULIP, 'messages-000003.json': PAGE }, 'ARCHIVE is incomplete: it has no messages-000002.json.'],
  [
    'zulip',
    { ...ZULIP, 'messages-000002.json': '{"zer' },
    /^messages-000002\.json in ARCHIVE is not valid JSON: \S.*\.$/,
  ],
  ['zulip', { ...ZULIP, 'messages-000001.json': '[]' }, /^messages-000001\.json in ARCHIVE has no list of messages/],
  ['zulip', { 'realm.json': '{}' }, 'realm.json in ARCHIVE has no zerver_realm: this is not a complete Zulip export.'],
  ['zulip', { 'realm.json': '[]' }, 'realm.json in ARCHIVE has no tables: this is not a complete Zulip export.'],
  [
    'zulip',
    { ...ZULIP, 'realm.json': { ...ZULIP['realm.json'], zerver_recipient: 'x' } },
    'realm.json in ARCHIVE has no zerver_recipient: this is not a complete Zulip export.',
  ],
  [
    'zulip',
    { 'realm.json': { ...ZULIP['realm.json'], zerver_realm: [] } },
    /^realm\.json in ARCHIVE names no organization/,
  ],
  ['zulip', { 'realm.json': '{"zerver' }, /^realm\.json in ARCHIVE is not valid JSON: \S.*\.$/],
  ['zulip', { ...ZULIP, 'uploads/7/ab/plan.txt': 'Buy paint' }, 'ARCHIVE is incomplete: it has no attachment.json.'],
  ['zulip', { ...ZULIP, 'attachment.json': '[]' }, /^attachment\.json in ARCHIVE has no list of files/],
  ['zulip', { ...ZULIP, 'avatars/7/1.png': PIXEL }, 'ARCHIVE is incomplete: it has no avatars/records.json.'],
  ['zulip', { ...ZULIP, 'emoji/records.json': '{}' }, 'emoji/records.json in ARCHIVE is not a list.'],
])('names the missing or invalid file when rejecting a %s export', async (service, files, sentence) => {
  expect(await importError(service, await createZip(files))).toMatch(sentence)
})

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['slack', { 'readme.txt': 'x' }, 'ARCHIVE is not a Slack export: it has no users.json.'],
  ['slack', {}, 'ARCHIVE is not a Slack export: it is empty.'],
  ['mattermost', { 'data/plan.txt': 'x' }, 'ARCHIVE is not a Mattermost export: it has no .jsonl file.'],
  [
    'zulip',
    SLACK,
    'ARCHIVE is not a Zulip export: it has no realm.json. It looks like a Slack export: use `parley import slack`.',
  ],
  [
    'slack',
    { 'north/manifest.json': {}, 'north/tables/organization_settings.jsonl': '' },
    'ARCHIVE is a Parley archive: use `parley import parley`.',
  ],
  [
    'mattermost',
    { 'manifest.json': {}, 'tables/organization_settings.jsonl': '' },
    'ARCHIVE is a Parley archive: use `parley import parley`.',
  ],
])('explains why a file is not a %s export', async (service, files, sentence) => {
  expect(await importError(service, await createZip(files))).toBe(sentence)
})

const DEEP_LIST = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const TOO_DEEP_ERROR = 'cannot be read: it has far more values, or nests them more deeply, than any export.'

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['slack', { ...SLACK, 'users.json': `[${DEEP_LIST}]` }, 'users.json'],
  ['slack', { ...SLACK, 'users.json': `[${'{},'.repeat(200_000)}{}]` }, 'users.json'],
  ['slack', { ...SLACK, 'general/2023-11-14.json': `[${'"",'.repeat(200_000)}""]` }, 'general/2023-11-14.json'],
  ['mattermost', { 'import.jsonl': `${MATTERMOST}\n${'{}\n'.repeat(200_000)}` }, 'import.jsonl'],
  ['mattermost', { 'import.jsonl': `${MATTERMOST}\n${'\n'.repeat(200_000)}` }, 'import.jsonl'],
  ['slack', { ...SLACK, 'dms.json': `[${'[],'.repeat(200_000)}[]]` }, 'dms.json'],
  ['slack', { ...SLACK, 'general/2023-11-14.json': `[{"ts":"1.1","blocks":${DEEP_LIST}}]` }, 'general/2023-11-14.json'],
  ['zulip', { ...ZULIP, 'realm.json': `{"zerver_realm":${DEEP_LIST}}` }, 'realm.json'],
  ['zulip', { ...ZULIP, 'attachment.json': `{"zerver_attachment":[${'{},'.repeat(200_000)}{}]}` }, 'attachment.json'],
])('rejects a %s export whose JSON would need too much memory', async (service, files, name) => {
  expect(await importError(service, await createZip(files))).toBe(`${name} in ARCHIVE ${TOO_DEEP_ERROR}`)
})

it('explains why a file is not a readable archive', async () => {
  const folder = await newFolder()
  const tar = Buffer.alloc(1_024)
  tar.write('ustar', 257)
  await writeFile(join(folder, 'export.tar'), tar)
  await writeFile(join(folder, 'cut.zip'), 'PK is not enough')
  expect(await importError('zulip', join(folder, 'export.tar'))).toBe(
    'ARCHIVE is an uncompressed .tar archive. Compress it with gzip, or unpack it into a folder.',
  )
  expect(await importError('slack', join(folder, 'cut.zip'))).toMatch(
    /^ARCHIVE is not a readable ZIP archive: \S.*[^.]\.$/,
  )
})

it('rejects an invalid organization name before reading the export', async () => {
  const path = join(await newFolder(), 'missing.zip')
  for (const name of ['', '  ', 'x'.repeat(41)]) {
    const { code, stderr } = await runParley('import', 'slack', path, '--organization', newSubdomain(), '--name', name)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^parley: --name: \S.*\.\n/)])
  }
})

it('skips and reports individual records that are nested too deeply', async () => {
  const mattermost = await createZip({
    'import.jsonl': `${MATTERMOST}\n{"type":"post","post":${DEEP_LIST}}\n{"type":"user","user":${DEEP_LIST}}\n`,
    'data/plan.txt': 'Buy paint',
    'data/olga.png': PIXEL,
  })
  const [message] = PAGE.zerver_message
  const zulip = await createZip({
    ...ZULIP,
    'messages-000001.json': { zerver_message: [{ ...message, edit_history: DEEP_LIST }] },
  })
  expect(
    (await importExport('mattermost', mattermost)).leftOut.get('lines that are not records, or are too long'),
  ).toBe(2)
  expect((await importExport('zulip', zulip)).leftOut.get('rows in an unknown format (edit_history)')).toBe(1)
})
