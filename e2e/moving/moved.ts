import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect } from 'vitest'
import { runHere, type Outcome } from '../../server/src/testing/command-line.ts'
import { expectDocumented } from '../../server/src/testing/documented.ts'
import { PIXEL, sendFiles, upload } from '../../server/src/testing/files.ts'
import { parseObject } from '../../server/src/testing/json.ts'
import { useTestServer, type TestOrganization, type TestServer } from '../../server/src/testing/server.ts'
import { TestUser, type Body } from '../../server/src/testing/user.ts'
import { readImportReport, type ImportReport } from './reports.ts'

/** The server of the current test file, because test files share this module. */
let current: (() => TestServer) | undefined
const cleanups: (() => Promise<void>)[] = []

/** Starts the server that organizations move from and to, for a test file. */
export function useMovingServer(settings: Record<string, string> = {}): void {
  current = useTestServer(settings)
  afterEach(async () => {
    for (const undo of cleanups.splice(0).toReversed()) await undo()
  })
}

export function movingServer(): TestServer {
  if (current === undefined) throw new Error('useMovingServer was not called')
  return current()
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  cleanups.push(async () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Environment of commands, with the server's database and files. */
export function commandEnvironment(): Record<string, string> {
  const { host, user, database } = movingServer().database
  return {
    DATABASE_URL: `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}`,
    PARLEY_DATA_DIR: join(tmpdir(), `parley-${database ?? ''}`),
    PARLEY_ROOT_DOMAIN: 'parley.test',
    PARLEY_URL: movingServer().parley.url,
  }
}

export async function runParley(...args: string[]): Promise<Outcome> {
  return runHere(args, commandEnvironment())
}

export async function withDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(movingServer().database)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Condition on rows of `pg_locks`: excludes other databases of the cluster, whose tables can have the same OIDs. */
export const IN_THIS_DATABASE_SQL = `database = (select oid from pg_database where datname = current_database())`

export async function queryRows(text: string, values: unknown[] = []): Promise<Body[]> {
  return withDatabase(async (client) => (await client.query<Body>(text, values)).rows)
}

export const subdomainOf = ({ host }: Pick<TestOrganization, 'host'>): string => host.split('.')[0] ?? ''

/** Exports an organization. @returns the folder of the archive */
export async function exportOrganization(organization: TestOrganization, ...more: string[]): Promise<string> {
  const folder = join(await newFolder(), 'archive')
  const made = await runParley('export', folder, '--json', '--organization', subdomainOf(organization), ...more)
  const steps = made.stderr.trimEnd().split('\n')
  expect([made.code, steps]).toEqual([0, [...new Set(steps)]])
  expect(steps).toContain('Writing rows ...')
  expectDocumented('export', JSON.parse(made.stdout))
  return folder
}

export interface ImportResult {
  readonly host: string
  readonly id: number
  readonly told: ImportReport
}

export async function importFolder(folder: string, subdomain = `i${randomUUID().slice(0, 8)}`): Promise<ImportResult> {
  const made = await runParley('import', 'parley', folder, '--json', '--organization', subdomain)
  expect([made.code, made.stderr.replaceAll(/.* \.{3}\n/g, '')]).toEqual([0, ''])
  expectDocumented('import parley', JSON.parse(made.stdout))
  const told = readImportReport(made.stdout)
  const [row] = await queryRows('select id from organizations where string_id = $1', [subdomain])
  return { host: `${subdomain}.parley.test`, id: Number(row?.['id']), told }
}

/** The same user in the imported organization, with the same API key. */
export const userAtCopy = (user: TestUser, { host }: Pick<ImportResult, 'host'>): TestUser =>
  new TestUser(user.url, host, user.email, user.apiKey, user.id)

/** Fields of the register response that differ each time: times, counters of queues and presence, and devices. */
export const CHANGING_FIELDS = ['queue_id', 'server_timestamp', 'presence_last_update_id', 'devices']

/** All data that a user sees at registration and in narrows, normalized to be independent of the organization. */
export async function fetchVisibleData(user: TestUser, organizationId: number): Promise<Body> {
  const { state } = await user.register()
  const channels = state.subscriptions.map(({ stream_id: id }) => [{ operator: 'channel', operand: id }])
  const narrows = [
    [],
    ...['starred', 'mentioned', 'unread', 'dm', 'alerted', 'resolved', 'followed'].map((operand) => [
      { operator: 'is', operand },
    ]),
    ...['link', 'attachment', 'image', 'reaction'].map((operand) => [{ operator: 'has', operand }]),
    [{ operator: 'sender', operand: user.id }],
    ...channels,
  ]
  const read: Body = {}
  for (const narrow of narrows) {
    for (const apply_markdown of [true, false]) {
      const asked = {
        anchor: 'newest',
        num_before: 1_000,
        num_after: 0,
        narrow,
        apply_markdown,
        allow_empty_topic_name: true,
      }
      const { status, body } = await user.try('GET', '/messages', asked)
      read[`${JSON.stringify(narrow)} ${String(apply_markdown)}`] = status === 200 ? body['messages'] : body['code']
    }
  }
  for (const path of [
    '/drafts',
    '/reminders',
    '/scheduled_messages',
    '/saved_snippets',
    '/attachments',
    '/navigation_views',
    '/message_reports',
  ]) {
    read[path] = (await user.try('GET', path)).body
  }
  for (const { stream_id: id } of state.subscriptions) {
    const path = `/streams/${id}/pins`
    read[path] = (await user.try('GET', path)).body
  }
  for (const field of CHANGING_FIELDS) delete state[field]
  const text = JSON.stringify({ ...state, read })
  return parseObject(
    text
      .replaceAll(/[\w-]+\.parley\.test/g, 'HOST')
      .replaceAll(`"${subdomainOf(user)}"`, '"SUBDOMAIN"')
      // Placeholders of hidden addresses; imported users keep theirs.
      .replaceAll(/@[oi][\da-f]{8}\.invalid/g, '@SUBDOMAIN.invalid')
      .replaceAll(`/user_uploads/${organizationId}/`, '/user_uploads/ORGANIZATION/')
      .replaceAll(`/user_uploads/thumbnail/${organizationId}/`, '/user_uploads/thumbnail/ORGANIZATION/')
      .replaceAll(`"path_id":"${organizationId}/`, '"path_id":"ORGANIZATION/'),
  )
}

/** Checks that a user sees the same in both organizations. */
export async function expectSameView(user: TestUser, from: number, to: ImportResult): Promise<void> {
  const before = await user.try('GET', '/users/me')
  const after = await userAtCopy(user, to).try('GET', '/users/me')
  expect([user.id, after.status, after.body['code']]).toEqual([user.id, before.status, before.body['code']])
  if (before.status !== 200) return
  const [here, elsewhere] = [await fetchVisibleData(user, from), await fetchVisibleData(userAtCopy(user, to), to.id)]
  const names = [...new Set([...Object.keys(here), ...Object.keys(elsewhere)])]
  const differing = names.filter((name) => JSON.stringify(here[name]) !== JSON.stringify(elsewhere[name]))
  const only = (all: Body): Body => Object.fromEntries(differing.map((name) => [name, all[name]]))
  expect({ user: user.id, ...only(elsewhere) }).toEqual({ user: user.id, ...only(here) })
}

/** An organization with objects that generated histories lack: files, moves, edits, and personal data. */
export async function createFullOrganization(): Promise<{
  organization: TestOrganization
  people: TestUser[]
  urls: string[]
}> {
  const organization = await movingServer().organization('Moving House')
  const { owner, user } = organization
  const [ada, bob] = [await user('Ada'), await user('Bob', { role: 600 })]
  await owner.subscribe(['plans', 'secrets'], { principals: [owner.id, ada.id, bob.id] })
  await owner.subscribe(['board'], { principals: [owner.id, ada.id], invite_only: true })
  const note = await upload(ada, 'note.txt', 'what is in it')
  const picture = await upload(ada, 'pixel.png', PIXEL)
  await sendFiles(owner, '/realm/emoji/dot', [{ name: 'dot.png', content: PIXEL }])
  await sendFiles(ada, '/users/me/avatar', [{ name: 'me.png', content: PIXEL }])
  const first = await ada.send('plans', 'files', `See [note](${note}) and [pixel](${picture}) @**Bob**`)
  const link = await owner.send('plans', 'files', `As in #**plans>files@${first}**, \`code\` and $$x^2$$`)
  await owner.call('PATCH', `/messages/${link}`, { content: 'It was edited, with <b>words</b>', topic: 'other' })
  await bob.call('POST', `/messages/${first}/reactions`, { emoji_name: 'dot' })
  await ada.sendTo([bob.id, owner.id], 'To both of you')
  await owner.send('board', 'closed', 'Only the board')
  await ada.call('POST', '/messages/flags', { messages: [first, link], op: 'add', flag: 'starred' })
  const { stream_id: plans } = await ada.call('GET', '/get_stream_id', { stream: 'plans' })
  await ada.call('POST', `/streams/${plans}/pins`, { message_id: first, scope: 'topic' })
  await ada.call('POST', `/streams/${plans}/links`, { title: 'Plans', url: 'https://plans.example' })
  await ada.call('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [plans], topic: 'later', content: `Not yet ${note}` }],
  })
  await ada.call('POST', '/saved_snippets', { title: 'Thanks', content: 'Thank you!' })
  await ada.call('POST', '/users/me/alert_words', { alert_words: ['pizza'] })
  await ada.call('POST', `/users/me/muted_users/${bob.id}`)
  await bob.send('plans', 'food', 'Who wants pizza?')
  await owner.subscribe(['desk'], { invite_only: true })
  const { stream_id: desk } = await owner.call('GET', '/get_stream_id', { stream: 'desk' })
  await owner.call('PATCH', '/realm', { moderation_request_channel_id: desk })
  await bob.call('POST', `/messages/${first}/report`, { report_type: 'other', description: 'Strange' })
  return { organization, people: [owner, ada, bob], urls: [note, picture] }
}
