import { createHash, randomUUID } from 'node:crypto'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { pathOfTable, readManifest } from '../server/src/platform/moving/manifest.ts'
import type { Outcome } from '../server/src/testing/command-line.ts'
import { isObject, parseObject } from '../server/src/testing/json.ts'
import type { Body } from '../server/src/testing/user.ts'
import {
  exportOrganization,
  createFullOrganization,
  importFolder,
  newFolder,
  runParley,
  queryRows,
  subdomainOf,
  userAtCopy,
  useMovingServer,
  type ImportResult,
} from './moving/moved.ts'

/* Archives are untrusted: invalid data is skipped and reported, and has no other effect. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

/** Modifies an archive's table and updates the checksums. */
async function tamperWith(folder: string, table: string, change: (lines: string[]) => string[]): Promise<string> {
  const copy = join(await newFolder(), 'tampered')
  await cp(folder, copy, { recursive: true })
  const path = join(copy, pathOfTable(table))
  const text = change((await readFile(path, 'utf8')).trimEnd().split('\n'))
    .map((line) => `${line}\n`)
    .join('')
  await writeFile(path, text)
  const { manifest } = await readManifest(copy)
  for (const entry of manifest.tables) {
    if (entry.name !== table) continue
    entry.sha256 = createHash('sha256').update(text).digest('hex')
    entry.bytes = Buffer.byteLength(text)
  }
  await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest))
  return copy
}

/** Modifies each record of a table. */
function forEachRecord(change: (record: Body, index: number) => void): (lines: string[]) => string[] {
  const changed = (record: Body, index: number): Body => (change(record, index), record)
  return (lines) => lines.map((line, index) => JSON.stringify(changed(parseObject(line), index)))
}

it('skips and reports invalid archive data and writes only to the new organization', async () => {
  const { organization, people } = await createFullOrganization()
  const folder = await exportOrganization(organization)
  const owner = people[0]
  if (owner === undefined) throw new Error('no user exists')
  type Change = Parameters<typeof tamperWith>[2]
  const importChanged = async (table: string, change: Change): Promise<{ made: ImportResult; text: string }> => {
    const made = await importFolder(await tamperWith(folder, table, change))
    expect((await userAtCopy(owner, made).try('POST', '/register')).status).toBe(200)
    const read = await userAtCopy(owner, made).try('GET', '/messages', {
      anchor: 'newest',
      num_before: 1_000,
      num_after: 0,
    })
    expect(read.status).toBe(200)
    return { made, text: JSON.stringify([made.told['left_out'], read.body['messages']]) }
  }
  const evil = '<img src=x onerror=alert(1)>'
  const deep = await importChanged('messages', (lines) => [
    ...lines,
    `{"id":1,"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ])
  expect(deep.text).toContain('lines of messages that are not records, or are too long')
  const html = await importChanged(
    'messages',
    forEachRecord((message) => (message['rendered_content'] = evil)),
  )
  expect(html.text).not.toContain('onerror')
  expect(html.text).toContain('Who wants pizza?')
  const senders = await importChanged(
    'messages',
    forEachRecord((message, at) => at === 0 && (message['sender_id'] = 999_999)),
  )
  expect(senders.text).toContain('skipped records of messages: sender_id refers to no row of users')
  const ids = await importChanged('messages', (lines) => [
    ...lines,
    lines[0] ?? '',
    '{"id":"7"}',
    '[]',
    'no JSON',
    `{"id":1,"content":"\\u0000"}`,
  ])
  expect(ids.text).toContain('skipped records of messages: duplicate key value')
  expect(ids.text).toContain('skipped records of messages: id is not a valid number')
  expect(ids.text).toContain('lines of messages that are not records, or are too long')
  const long = await importChanged('drafts', (lines) => [...lines, `{"content":"${'x'.repeat(9_000_000)}"}`])
  expect(long.text).toContain('lines of drafts that are not records, or are too long')
  const paths = await importChanged(
    'attachments',
    forEachRecord((file) => (file['path_id'] = `${organization.id}/../../../../tmp/escaped.txt`)),
  )
  expect(paths.text).toContain('skipped records of attachments: path_id is not a file path')
  const sums = await importChanged(
    'attachments',
    forEachRecord((file) => (file['files'] = { original: '../../../../etc/passwd' })),
  )
  expect(sums.text).toContain('files of attachments: missing from the archive or incomplete')
  const settings = await importChanged(
    'organization_settings',
    forEachRecord((row) => (row['settings'] = { waiting_period_threshold: 'long', nonsense: [1] })),
  )
  expect(settings.text).toContain('the organization setting waiting_period_threshold: unknown setting or invalid value')
  const names = await importChanged(
    'channels',
    forEachRecord((channel) => (channel['name'] = 'same')),
  )
  expect(names.text).toContain('names in channels were changed: invalid or already taken')
  const topics = await importChanged(
    'topics',
    forEachRecord((topic, index) => (topic['name'] = index % 2 === 0 ? 'Same name' : 'same\u00A0 NAME')),
  )
  expect(topics.text).toContain('names in topics were changed: invalid or already taken')
  expect(topics.text).toContain('"subject":"Same name (3)"')
  expect(topics.text).not.toContain('skipped records of')
  const [first] = (await readFile(join(folder, pathOfTable('group_subgroups')), 'utf8')).split('\n')
  const { group_id: outer, subgroup_id: inner } = parseObject(first ?? '')
  await importChanged('group_subgroups', (lines) => [...lines, JSON.stringify({ group_id: inner, subgroup_id: outer })])
  await importChanged(
    'channels',
    forEachRecord((channel) => {
      const { permissions } = channel
      if (!isObject(permissions)) throw new Error('a channel has no permissions')
      for (const name of Object.keys(permissions)) permissions[name] = 999_999
    }),
  )
  const fields = await importChanged(
    'users',
    forEachRecord((user) => (user['is_god'] = true)),
  )
  expect(fields.text).toContain('values of the unknown column is_god of users')
  const hashes = await importChanged(
    'credentials',
    forEachRecord((row) => (row['password_hash'] = '$argon2id$v=19$m=4194304,t=99,p=1$c2FsdHNhbHQ$aGFzaA')),
  )
  expect(hashes.text).toContain('passwords with an unsupported hash')
  const reactions = await importChanged(
    'reactions',
    forEachRecord((reaction) => (reaction['reaction_type'] = 'no_emoji')),
  )
  expect(reactions.text).toContain('skipped records of reactions: reaction_type is invalid')
  const links = await importChanged(
    'channel_links',
    forEachRecord((link) => (link['url'] = 'javascript:alert(1)')),
  )
  expect(links.text).toContain('skipped records of channel_links: url is invalid')
  const { stream_id: board } = await owner.call('GET', '/get_stream_id', { stream: 'board' })
  const pins = await importChanged(
    'channel_pins',
    forEachRecord((pin) => (pin['channel_id'] = board)),
  )
  expect(pins.text).toContain('pins of messages in other channels')
  const reports = await importChanged(
    'message_reports',
    forEachRecord((report) => (report['state'] = 'lost')),
  )
  expect(reports.text).toContain('skipped records of message_reports: state is invalid')
  const command = { bot_id: owner.id, name: 'deploy', description: 'Deploys', argument_hint: '' }
  const commands = await importChanged('bot_commands', () => [JSON.stringify(command)])
  expect(commands.text).toContain('commands of other accounts')
  const status = { user_id: owner.id, status_text: 'Here', emoji_name: 'x', emoji_code: 'x', reaction_type: 'no_emoji' }
  const statuses = await importChanged('user_statuses', () => [JSON.stringify(status)])
  expect(statuses.text).toContain('skipped records of user_statuses: reaction_type is invalid')
  const linkifier = { pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}', position: 0 }
  const linkifiers = await importChanged('realm_linkifiers', () =>
    [
      linkifier,
      { ...linkifier, pattern: '(?P<id>a(?=b))' },
      { ...linkifier, pattern: '(?P<id>(a{1000}){1000})' },
      { ...linkifier, pattern: '(?P<id>open' },
      { ...linkifier, url_template: 'javascript:alert({id})' },
      { ...linkifier, url_template: 'https://bugs.example/{other}' },
      { ...linkifier, pattern: 7 },
    ].map((one, index) => JSON.stringify({ id: index + 1, ...one })),
  )
  expect(linkifiers.made.told['left_out']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'skipped records of realm_linkifiers: Bad regular expression', count: 3 }),
      expect.objectContaining({ what: 'skipped records of realm_linkifiers: Invalid URL template.', count: 1 }),
      expect.objectContaining({ what: 'skipped records of realm_linkifiers: pattern is not text', count: 1 }),
    ]),
  )
  const { state } = await userAtCopy(owner, linkifiers.made).register({
    client_capabilities: { linkifier_url_template: true },
  })
  expect(state['realm_linkifiers']).toEqual([
    { id: 1, pattern: linkifier.pattern, url_template: linkifier.url_template },
  ])
  const playground = { name: 'Try', highlighter_language: 'Python', url_template: 'https://try.example/{code}' }
  const playgrounds = await importChanged('realm_playgrounds', () =>
    [playground, { ...playground, name: 'Evil', url_template: 'javascript:alert({code})' }].map((one, index) =>
      JSON.stringify({ id: index + 1, ...one }),
    ),
  )
  expect(playgrounds.text).toContain('skipped records of realm_playgrounds: Invalid URL template.')
  expect((await userAtCopy(owner, playgrounds.made).register()).state['realm_playgrounds']).toEqual([
    { id: 1, name: 'Try', highlighter_language: 'Python', url_template: 'https://try.example/{code}' },
  ])
})

it('skips imported profile fields and values that the server would not allow', async () => {
  const { organization, people } = await createFullOrganization()
  const folder = await exportOrganization(organization)
  const owner = people[0]
  if (owner === undefined) throw new Error('no user exists')
  const field = { type: 1, name: '', hint: '', field_data: '', required: false, editable_by_user: true }
  const account = { subtype: 'custom', url_pattern: 'https://a.example/%(username)s' }
  const choices = { tea: { text: 'Tea', order: '1' } }
  const fields: Body[] = [
    { name: 'Plain', display_in_profile_summary: true },
    { name: 'plain', display_in_profile_summary: true },
    { name: 'x'.repeat(100), hint: 'y'.repeat(100), display_in_profile_summary: true },
    { name: 'None', type: 99 },
    { name: 'Text', type: '1' },
    {
      name: 'Script',
      type: 7,
      field_data: JSON.stringify({ ...account, url_pattern: 'javascript:alert(%(username)s)' }),
    },
    { name: 'Account', type: 7, field_data: JSON.stringify(account) },
    { name: 'Hub', type: 7, field_data: '{"subtype":"github"}' },
    { name: 'No JSON', type: 3, field_data: '{' },
    { name: 'No choices', type: 3, field_data: '{}' },
    { name: 'Drink', type: 3, field_data: JSON.stringify(choices) },
    { name: 'Data', field_data: JSON.stringify(choices) },
    { name: 'Link', type: 5 },
    { name: 'Birthday', type: 4 },
    { name: 'Friends', type: 6, display_in_profile_summary: true },
    { name: 'More', type: 6 },
    { name: 7 },
  ].map((one, index) => ({
    display_in_profile_summary: false,
    ...field,
    ...one,
    id: index + 1,
    display_order: index + 1,
  }))
  const profile = {
    1: { value: 'Fine' },
    2: { value: 'x'.repeat(1_000) },
    7: { value: 'ann', rendered_value: '<p>ben</p>' },
    11: { value: 'coffee' },
    13: { value: 'javascript:alert(1)' },
    14: { value: '2026-02-31' },
    15: { value: '[999999]' },
    16: { value: `[${owner.id}]` },
    999: { value: 'Of no field' },
  }
  const withFields = await tamperWith(folder, 'custom_profile_fields', () => fields.map((one) => JSON.stringify(one)))
  const copy = await tamperWith(
    withFields,
    'users',
    forEachRecord((user) => (user['profile_data'] = user['id'] === owner.id ? profile : {})),
  )
  const made = await importFolder(copy)
  const { state } = await userAtCopy(owner, made).register()
  const kept = state.custom_profile_fields
  expect(kept.map(({ id, name, display_in_profile_summary: isInSummary }) => [id, name, isInSummary])).toEqual([
    [1, 'Plain', true],
    [2, 'plain (2)', true],
    [3, 'x'.repeat(40), false],
    [7, 'Account', false],
    [8, 'GitHub username', false],
    [11, 'Drink', false],
    [13, 'Link', false],
    [14, 'Birthday', false],
    [15, 'Friends', false],
    [16, 'More', false],
  ])
  expect(kept[2]).toMatchObject({ hint: 'y'.repeat(80) })
  const me = state.realm_users.find((user) => user.user_id === owner.id)
  expect(me?.profile_data).toEqual({ 1: { value: 'Fine' }, 7: { value: 'ann' }, 16: { value: `[${owner.id}]` } })
  const told = JSON.stringify(made.told['left_out'])
  for (const what of [
    'skipped records of custom_profile_fields: type is invalid',
    'skipped records of custom_profile_fields: Malformed URL pattern.',
    'skipped records of custom_profile_fields: field_data is not JSON',
    'skipped records of custom_profile_fields: Field must have at least one choice.',
    'skipped records of custom_profile_fields: Field type does not support field data.',
    'skipped records of custom_profile_fields: name is not text',
    'names in custom_profile_fields were changed: invalid or already taken',
    'custom profile fields in the profile summary: at most 2 are kept',
    'values of custom profile fields were changed: the field does not allow them',
  ])
    expect(told).toContain(what)
})

it('sanitizes imported names, and prints no control characters to the terminal', async () => {
  const { organization, people } = await createFullOrganization()
  const [owner] = people
  if (owner === undefined) throw new Error('no user exists')
  await owner.call('POST', '/channel_folders/create', { name: 'Folder', description: '' })
  await owner.call('POST', '/realm/domains', { domain: 'acme.example', allow_subdomains: false })
  let folder = await exportOrganization(organization)
  const withHostileCharacters = (name: string): string => `${name}\r\nBcc: eve@example.org\u202E\u200B`
  const sanitizedName = (name: string): string => `${name} Bcc: eve@example.org`
  const changes: Readonly<Record<string, (row: Body, at: number) => void>> = {
    organization_settings: (row) => (row['name'] = withHostileCharacters('Moving House')),
    channel_folders: (row) => (row['name'] = withHostileCharacters('Folder')),
    channels: (row, at) => (row['name'] = at === 0 ? '\u200B\u2060' : withHostileCharacters(String(at))),
    users: (row) => (row['full_name'] = row['id'] === owner.id ? withHostileCharacters('Ann') : row['full_name']),
    realm_domains: (row) => (row['domain'] = 'acme.example\r\nBcc'),
  }
  for (const [table, change] of Object.entries(changes)) folder = await tamperWith(folder, table, forEachRecord(change))
  const { manifest } = await readManifest(folder)
  manifest.organization.name = `\u001B[2J${withHostileCharacters('Acme')}`
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const trial = await runParley(
    'import',
    'parley',
    folder,
    '--dry-run',
    '--organization',
    `r${randomUUID().slice(0, 8)}`,
  )
  expect([trial.code, trial.stdout]).toEqual([
    0,
    expect.stringContaining(`Would import [2J${sanitizedName('Acme')} in `),
  ])
  const made = await importFolder(folder)
  const { state } = await userAtCopy(owner, made).register()
  const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name)
  expect(state['realm_name']).toBe(sanitizedName('Moving House'))
  expect(namesOf(state.channel_folders)).toContain(sanitizedName('Folder'))
  const channels = namesOf([...state.subscriptions, ...state.unsubscribed])
  expect(channels).toEqual(expect.arrayContaining(['?', sanitizedName('1')]))
  expect(state.realm_users.map(({ full_name: name }) => name)).toContain(sanitizedName('Ann'))
  expect(state['realm_domains']).toEqual([])
  const told = JSON.stringify(made.told['left_out'])
  for (const what of [
    'the organization name was changed: invalid',
    'folder names were changed: invalid',
    'names in channels were changed: invalid or already taken',
    'full names were changed: invalid',
    'skipped records of realm_domains: domain is invalid',
  ])
    expect(told).toContain(what)
})

it('rejects an incomplete archive with exit code 3 and follows no links', async () => {
  const { organization } = await createFullOrganization()
  const folder = await exportOrganization(organization)
  const refusal = async (change: (copy: string) => Promise<unknown>): Promise<Outcome> => {
    const copy = join(await newFolder(), 'copy')
    await cp(folder, copy, { recursive: true })
    await change(copy)
    return runParley('import', 'parley', copy, '--organization', `r${randomUUID().slice(0, 8)}`)
  }
  for (const change of [
    async (copy: string) => rm(join(copy, 'manifest.json')),
    async (copy: string) => writeFile(join(copy, 'manifest.json'), '{"format":1}'),
    async (copy: string) => writeFile(join(copy, pathOfTable('users')), '{}\n'),
    async (copy: string) => {
      await rm(copy, { recursive: true })
      await cp(await tamperWith(folder, 'organization_settings', () => []), copy, { recursive: true })
    },
    async (copy: string) => {
      await rm(join(copy, pathOfTable('users')))
      await symlink('/etc/passwd', join(copy, pathOfTable('users')))
    },
  ]) {
    const { code, stdout } = await refusal(change)
    expect([code, stdout]).toEqual([3, ''])
  }
  // Only the import of the archive that looked complete was started.
  const begun = await queryRows(`select string_id as name from organizations where string_id like '?%'`)
  expect(begun).toHaveLength(1)
  const [file, link] = [join(await newFolder(), 'file'), join(await newFolder(), 'link')]
  await writeFile(file, 'words')
  await symlink(join(folder, 'nowhere'), link)
  for (const [target, complaint] of [
    [folder, 'already exists'],
    [link, 'already exists'],
    [join(file, 'archive'), `${file} is a file: choose a new folder elsewhere.`],
  ] as const) {
    expect((await runParley('export', target, '--organization', subdomainOf(organization))).stderr).toContain(complaint)
  }
})
