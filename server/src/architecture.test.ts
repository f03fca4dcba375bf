/*
 * Checks the architecture rules on this tree. Wrong import rules would fail silently, so each rule is also tested with
 * violations seeded in a small valid tree.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { capabilities } from './capabilities.ts'
import { DESCRIBERS_BY_EVENT } from './capabilities/audit-log/rules/index.ts'
import { eventName } from './kernel/event.ts'
import { MAX_FUNCTION_LINES, MAX_LINES, rules } from './testing/architecture/rules.ts'
import type { Source } from './testing/architecture/sources.ts'

const SERVER = import.meta.dirname
const ROOT = join(SERVER, '../..')

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function sourceAt(file: string): Source {
  return { path: relative(SERVER, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }
}

const tree: readonly Source[] = [
  ...[SERVER, join(ROOT, 'client/src'), join(ROOT, 'e2e')].flatMap(filesIn),
  join(ROOT, 'docs/glossary.md'),
].map(sourceAt)

const OTHER_TESTS = ['web/testing', 'client/build', 'bench', 'tools']

describe('source tree', () => {
  it.each(Object.values(rules).map(({ promise, violations }) => [promise, violations] as const))(
    'follows the rule: %s',
    (_, violations) => {
      expect(violations(tree)).toEqual([])
    },
  )

  it('requires tests outside the server that scale with PARLEY_TEST_EFFORT to be named .generated or .sweep', () => {
    const tests = OTHER_TESTS.flatMap((folder) => filesIn(join(ROOT, folder))).filter((file) =>
      file.endsWith('.test.ts'),
    )
    expect(tests.length).toBeGreaterThan(80)
    expect(rules.suites.violations(tests.map(sourceAt))).toEqual([])
  })
})

describe('audit log', () => {
  it('describes every administrative event, and no other event, in the audit log', () => {
    const bindings = capabilities.flatMap(({ events }) => events)
    const audited = bindings.filter(({ administration }) => administration !== false)
    const names = audited.map(({ event }) => eventName(event))
    expect([...DESCRIBERS_BY_EVENT.keys()].toSorted()).toEqual(names.toSorted())
  })
})

const files = (record: Readonly<Record<string, string>>): Source[] =>
  Object.entries(record).map(([path, text]) => ({ path, text }))

const functionOf = (lines: number): string => `function any() {\n${'  any()\n'.repeat(lines - 2)}}\n`

const VALID_TREE = {
  '../../docs/glossary.md': '| `ERRORS` | codes | `kernel/refusal.ts` |\n| narrow | filter | |\n',
  'main.ts': "import { capabilities } from './capabilities.ts'\nconsole.log(process.argv, capabilities)\n",
  'capabilities.ts':
    "import * as users from './capabilities/users/index.ts'\n" +
    "import { channels } from './capabilities/channels/index.ts'\n" +
    'export const capabilities: readonly Capability[] = [users, channels]\n',
  'contract.ts': "export * from './capabilities/users/contract.ts'\n",
  'kernel/refusal.ts':
    "import type { Kysely } from 'kysely'\n" +
    'export const ERRORS = {\n  /** Any. */\n  PLANTED_ERROR: { status: 400 },\n} as const\n',
  'kernel/a.ts':
    "import { ERRORS } from './refusal.ts'\n" + functionOf(MAX_FUNCTION_LINES) + functionOf(MAX_FUNCTION_LINES),
  'kernel/ids.ts': "import { randomUUID } from 'node:crypto'\n",
  'platform/log/append.ts':
    "import pg from 'pg'\nimport { ERRORS } from '../../kernel/refusal.ts'\n" +
    "db.insertInto('events')\nconst sql = `update organizations as o set position = position + 1`\n",
  'platform/db/migrations/first.ts': "export const sql = 'insert into users values (1)'\n",
  'capabilities/users/contract.ts':
    "import * as z from 'zod/mini'\nimport { ERRORS } from '../../kernel/refusal.ts'\n" +
    "export const getUser = endpoint({ errors: ['PLANTED_ERROR'] })\n",
  'capabilities/users/tables.ts':
    "declare module '../../kernel/tables.ts' {\n  interface Tables {\n    users: { id: number }\n  }\n}\n",
  'capabilities/channels/tables.ts':
    "declare module '../../kernel/tables.ts' {\n  interface Tables {\n    channels: { id: number }\n  }\n}\n",
  'capabilities/users/index.ts':
    "import { capability, query } from '../../platform/capability.ts'\n" +
    "// Each line => a function.\nexport const users = capability({ tables: ['users'], reads: ['channels'], routes: [\n" +
    "  query(contract.getUser, getUser),\n  query(getUsers, reads.getUsers),\n], files: ['/:file(^a=>b$)'] })\n",
  'capabilities/users/actions.ts':
    "// In this process: never process.exit(), never delete from messages.\ndb.updateTable('users as u')\n" +
    'await sql`select 1 from users for update of users; insert into users values (1) on conflict do update set a = 2`\n',
  'capabilities/users/jobs.ts': "import '../channels/actions/create.ts'\nconst q = `select 1 from channels`\n",
  'capabilities/users/consumers.ts':
    "import '../channels/actions/create.ts'\nexport const followUp: Consumer = { name: 'followUp', events: [], run }\n",
  'capabilities/users/users.test.ts': "expect(code).toBe('PLANTED_ERROR')\nprocess.kill(1)\n",
  'capabilities/users/testing/index.ts': "import '../../channels/index.ts'\n",
  'capabilities/users/testing/promises.json': '{}',
  'capabilities/users/testing/additions.json': '{}',
  'capabilities/channels/index.ts': "export const channels = capability({ tables: [\n  'channels',\n] })\n",
  'capabilities/channels/actions/invite/invite.ts': "import { people } from './parts/people.ts'\n",
  'capabilities/channels/actions/invite/parts/people.ts': 'export const people = 1\n',
  'capabilities/channels/actions/invite/statements/invite.sql': 'select 1\n',
  'capabilities/channels/actions/create.ts':
    "import {\n  knownUser,\n} from '../../users/queries.ts'\nthrow new ApiError('PLANTED_ERROR', 'no')\n",
}

const SEEDED_VIOLATIONS: readonly [rule: keyof typeof rules, caught: string, path: string, text: string][] = [
  [
    'imports',
    'kernel/a.ts imports platform/log/append.ts',
    'kernel/a.ts',
    "import { x } from '../platform/log/append.ts'",
  ],
  ['imports', 'kernel/a.ts imports pg', 'kernel/a.ts', "import pg from 'pg'"],
  ['imports', 'kernel/a.ts imports main.ts', 'kernel/a.ts', "import type { X } from '../main.ts'"],
  ['imports', 'imports capabilities/users/index.ts', 'platform/a.ts', "import '../capabilities/users/index.ts'"],
  ['imports', 'platform/a.ts imports capabilities.ts', 'platform/a.ts', "await import('../capabilities.ts')"],
  [
    'imports',
    'imports capabilities/channels/index.ts',
    'capabilities/users/rules.ts',
    "export * from '../channels/index.ts'",
  ],
  [
    'imports',
    'imports capabilities/channels/rules.ts',
    'capabilities/users/queries.ts',
    "import '../channels/rules.ts'",
  ],
  [
    'imports',
    'rules.ts imports capabilities/users/actions.ts',
    'capabilities/users/rules.ts',
    "import type { A } from './actions.ts'",
  ],
  [
    'imports',
    'actions.ts imports capabilities/channels/jobs.ts',
    'capabilities/users/actions.ts',
    "import '../channels/jobs.ts'",
  ],
  ['imports', 'imports main.ts', 'capabilities/users/rules.ts', "import {\n  a,\n  b\n} from '../../main.ts'"],
  ['imports', 'capabilities.ts does not list topics', 'capabilities/topics/index.ts', ''],
  ['imports', 'capabilities.ts does not list channels', 'capabilities.ts', 'export const capabilities = [users]'],
  ['imports', 'lists drafts', 'capabilities.ts', 'export const capabilities = [users, channels, drafts]'],
  [
    'circles',
    'kernel/a.ts, kernel/refusal.ts form an import cycle',
    'kernel/refusal.ts',
    "import type { X } from './a.ts'\nexport const ERRORS = {\n  PLANTED_ERROR: { status: 400 },\n} as const",
  ],
  ['browser', 'imports pg', 'capabilities/users/contract.ts', "import pg from 'pg'"],
  ['browser', 'imports capabilities/users/actions.ts', 'capabilities/users/contract/a.ts', "import '../actions.ts'"],
  ['browser', 'needs Node through kernel/ids.ts', 'capabilities/users/contract.ts', "import '../../kernel/ids.ts'"],
  ['outgoing', 'through node:https', 'capabilities/users/jobs.ts', "import { request } from 'node:https'"],
  ['outgoing', 'through node:net', 'platform/files/a.ts', "import { connect, isIP } from 'node:net'"],
  [
    'outgoing',
    'through node:dns/promises',
    'platform/files/a.ts',
    "const { lookup } = await import('node:dns/promises')",
  ],
  ['outgoing', 'through axios', 'capabilities/users/jobs.ts', "import axios from 'axios'"],
  ['outgoing', 'through undici', 'platform/files/a.ts', "const { request } = load('undici') as typeof Undici"],
  ['outgoing', 'sends requests itself', 'capabilities/users/actions.ts', 'const answer = await fetch(url)'],
  ['process', 'config.ts uses process', 'config.ts', 'const { env } = process'],
  ['process', 'platform/log/a.ts uses process', 'platform/log/a.ts', 'log(`${process.pid}`)'],
  ['process', 'platform/log/a.ts uses process', 'platform/log/a.ts', "import { env } from 'node:process'"],
  ['names', 'capabilities/users/store.ts is not a file that capabilities can have', 'capabilities/users/store.ts', ''],
  ['names', 'views/list.ts is not a file that capabilities can have', 'capabilities/users/views/list.ts', ''],
  ['names', 'actions/a/b.ts is not a file that capabilities can have', 'capabilities/users/actions/a/b.ts', ''],
  ['names', 'queries/a/a.ts is not a file that capabilities can have', 'capabilities/users/queries/a/a.ts', ''],
  [
    'names',
    'create/parts.ts is not a file that capabilities can have',
    'capabilities/channels/actions/create/parts.ts',
    '',
  ],
  [
    'names',
    'invite/parts/a/b.ts is not a file that capabilities can have',
    'capabilities/channels/actions/invite/parts/a/b.ts',
    '',
  ],
  [
    'names',
    'invite/parts/a.sql is not a file that capabilities can have',
    'capabilities/channels/actions/invite/parts/a.sql',
    '',
  ],
  ['suites', 'capabilities/users/a.test.ts calls effort()', 'capabilities/users/a.test.ts', 'const runs = effort(20)'],
  ['suites', '../../web/testing/a.test.ts calls effort()', '../../web/testing/a.test.ts', 'const runs = effort(20)'],
  [
    'one place for a kind',
    'capabilities/channels/actions.ts exists beside a folder of the same name',
    'capabilities/channels/actions.ts',
    '',
  ],
  ['names', 'users/samples.ts is not', 'capabilities/users/samples.ts', ''],
  ['names', 'users/promises.json is not', 'capabilities/users/promises.json', '{}'],
  ['names', 'users/additions.json is not', 'capabilities/users/additions.json', '{}'],
  ['names', 'testing/promises/a.json is not', 'capabilities/users/testing/promises/a.json', '{}'],
  [
    'parts for tests',
    'capabilities/users/actions.ts imports capabilities/users/testing/index.ts, which is test code',
    'capabilities/users/actions.ts',
    "import { samples } from './testing/index.ts'",
  ],
  ['parts for tests', 'start.ts imports testing/server.ts', 'start.ts', "import './testing/server.ts'"],
  [
    'parts for tests',
    'a.ts imports ../../server/src/testing/user.ts, which is test code',
    '../../client/src/a.ts',
    "import type { TestUser } from '../../server/src/testing/user.ts'",
  ],
  ['length', 'kernel/a.ts is too long', 'kernel/a.ts', 'a\n'.repeat(MAX_LINES + 1)],
  [
    'functions',
    'kernel/a.ts has a function of 81 lines at line 2',
    'kernel/a.ts',
    `\n${functionOf(MAX_FUNCTION_LINES + 1)}`,
  ],
  [
    'functions',
    'a.ts has a function of 81 lines at line 3',
    '../../client/src/a.ts',
    `class A {\n  /** Any. */\n  ${functionOf(MAX_FUNCTION_LINES + 1).replace('function ', '')}}\n`,
  ],
  [
    'tables',
    'writes users, which belongs to capabilities/users',
    'capabilities/channels/actions.ts',
    "tx.db.insertInto('users')",
  ],
  ['tables', 'writes users', 'capabilities/channels/jobs.ts', 'sql`DELETE\n FROM users`'],
  ['tables', 'writes users', 'platform/queues/a.ts', "const q = 'update users u set a = 1'"],
  [
    'tables',
    'writes drafts, which belongs to no module',
    'capabilities/users/jobs.ts',
    "delayPiece(tx, 'drafts', piece, 1)",
  ],
  ['tables', 'writes drafts, which belongs to no module', 'capabilities/users/actions.ts', "db.deleteFrom('drafts')"],
  [
    'tables',
    'users belongs to capabilities/users and',
    'capabilities/channels/index.ts',
    "capability({ tables: ['users'] })",
  ],
  ['tables', 'capabilities/users/tables.ts does not declare users', 'capabilities/users/tables.ts', ''],
  [
    'tables',
    'capabilities/users/index.ts does not list its migrations',
    'capabilities/users/tables.ts',
    'export const migrations = []',
  ],
  [
    'limits',
    'capabilities/users/contract.ts: no capability lists USER_LIMIT',
    'capabilities/users/contract.ts',
    "export const USER_LIMIT: Limit = { most: 1, per: 'user', what: 'users' }",
  ],
  [
    'limits',
    'capabilities/users/contract.ts: no test names USER_LIMIT',
    'capabilities/users/contract.ts',
    "export const USER_LIMIT: Limit = { most: 1, per: 'user', what: 'users' }",
  ],
  [
    'reads',
    'capabilities/channels reads users without declaring it',
    'capabilities/channels/queries.ts',
    "db.selectFrom('users')",
  ],
  [
    'reads',
    'capabilities/channels reads users',
    'capabilities/channels/rules.ts',
    'const q = `select 1 from channels c join users u`',
  ],
  [
    'reads',
    'capabilities/channels declares but never reads users',
    'capabilities/channels/index.ts',
    "capability({ tables: ['channels'], reads: ['users'] })",
  ],
  [
    'order of reads',
    'capabilities/users/queries.ts reads channels, which belongs to channels, a later capability',
    'capabilities/users/queries.ts',
    'const q = `select 1 from channels`',
  ],
  ['errors', 'uses UNKNOWN_CODE', 'platform/a.ts', "throw new ApiError(\n  'UNKNOWN_CODE',\n)"],
  ['errors', 'uses UNKNOWN_CODE', 'capabilities/users/contract.ts', "errors: [\n'UNKNOWN_CODE']"],
  ['errors', 'declares PLANTED_ERROR, which no test mentions', 'capabilities/users/users.test.ts', ''],
  [
    'tables of contents',
    'capabilities/channels/index.ts contains a function',
    'capabilities/channels/index.ts',
    'capability({ snapshot: [{ observe: () => 1 }] })',
  ],
  [
    'tables of contents',
    'channels/index.ts contains a function',
    'capabilities/channels/index.ts',
    'capability({ files })\nasync function iconOf(call) {\n  return call\n}',
  ],
  [
    'tables of contents',
    'channels/index.ts contains a function',
    'capabilities/channels/index.ts',
    'capability({ snapshot: [{ observe(viewer) { return {} } }] })',
  ],
  [
    'handlers',
    'capabilities/users/index.ts handles getUser with userOf',
    'capabilities/users/index.ts',
    "import { query } from '../../platform/capability.ts'\ncapability({ routes: [query(contract.getUser, userOf)] })",
  ],
  [
    'handlers',
    'users/index.ts handles sendMessage with send',
    'capabilities/users/index.ts',
    "import { direct } from '../../platform/capability.ts'\nconst routes = [direct(\n  sendMessage,\n  actions.send,\n)]",
  ],
  [
    'handlers',
    'users/queries.ts handles getUser with an unnamed function',
    'capabilities/users/queries.ts',
    "import { open } from '../../platform/capability.ts'\nconst routes = [open(contract.getUser, async () => 1)]",
  ],
  [
    'handlers',
    'users/index.ts handles getUser with an unnamed function',
    'capabilities/users/index.ts',
    "import { command } from '../../platform/capability.ts'\nconst routes = [command(contract.getUser, getUser(1))]",
  ],
  [
    'handlers',
    'users/index.ts handles getUser with act',
    'capabilities/users/index.ts',
    "import { command } from '../../platform/capability.ts'\nconst routes = [command(contract.getUser, act, { prepare })]",
  ],
  [
    'glossary',
    'ERRORS is declared in kernel/refusal.ts and platform/a.ts',
    'platform/a.ts',
    'export const ERRORS = {}',
  ],
  ['glossary', 'ERROR is declared in no file', '../../docs/glossary.md', '| `ERROR` | codes | `kernel/a.ts` |'],
  ['glossary', 'platform/a.ts has a name with lane: write batch writer', 'platform/a.ts', 'const openLanes = 1'],
  ['glossary', 'platform/a.ts has a name with heard: write received', 'platform/a.ts', 'this.#heardAt = 1'],
  ['glossary', 'platform/a.ts has a name with told: write', 'platform/a.ts', 'const MAX_TOLD = 1'],
  ['typeNames', 'platform/a.ts has a type named Told', 'platform/a.ts', 'export interface Told {}'],
  ['typeNames', 'platform/a.ts has a type named Found', 'platform/a.ts', 'type Found = number'],
  ['typeNames', 'platform/a.ts has a function named parsed', 'platform/a.ts', 'export async function parsed() {}'],
  [
    'statementNames',
    '2 statements are named own',
    'platform/a.ts',
    "db.rows('own', OWN)\ndb.rows<A>(\n  'own',\n  `x`,",
  ],
  ['words', 'kernel/utils.ts has a vague name', 'kernel/utils.ts', ''],
  ['words', 'platform/helpers/a.ts has a vague name', 'platform/helpers/a.ts', ''],
  ['words', 'session-manager.ts has a vague name', 'platform/http/session-manager.ts', ''],
]

describe('seeded violations', () => {
  it('finds no violation in a valid source tree', () => {
    expect(Object.values(rules).flatMap(({ violations }) => violations(files(VALID_TREE)))).toEqual([])
  })

  it.each(SEEDED_VIOLATIONS)('detects a violation of %s: %s', (rule, caught, path, text) => {
    expect(rules[rule].violations(files({ ...VALID_TREE, [path]: text }))).toContainEqual(
      expect.stringContaining(caught),
    )
  })
})
