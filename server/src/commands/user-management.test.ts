import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { expect, it } from 'vitest'
import { browserOf } from '../testing/browser.ts'
import {
  OWNER_ENVIRONMENT,
  runHere,
  useCommandLine,
  type CommandLine,
  type CommandLineHere,
  type CommandRun,
} from '../testing/command-line.ts'
import { expectDocumented } from '../testing/documented.ts'
import { listWith, textLike, textWith } from '../testing/expected.ts'
import { parseObject } from '../testing/json.ts'
import { callApi, TestUser, type Body } from '../testing/user.ts'
import { watch, type EventReader } from '../testing/watch.ts'

const commandLine = useCommandLine()

async function createUser(
  parley: CommandLine,
  server: CommandRun,
  name: string,
  more: readonly string[] = [],
): Promise<TestUser> {
  const email = `${name.toLowerCase()}@example.com`
  const { stdout } = await parley.run(['user', 'create', email, '--name', name, ...more])
  return loadUser(server.user(email, /API key +(\w+)/.exec(stdout)?.[1] ?? ''))
}

async function loadUser(user: TestUser): Promise<TestUser> {
  await expect.poll(async () => (await user.try('GET', '/users/me')).status).toBe(200)
  const { user_id: id } = await user.call('GET', '/users/me')
  return new TestUser(user.url, user.host, user.email, user.apiKey, id)
}

async function withKey(parley: CommandLine, server: CommandRun, email: string): Promise<TestUser> {
  const { stdout } = await parley.run(['user', 'api-key', email])
  return loadUser(server.user(email, stdout.trim()))
}

async function fetchOwner(parley: CommandLine, server: CommandRun): Promise<TestUser> {
  return withKey(parley, server, 'owner@localhost')
}

async function changePassword(parley: CommandLine, { email }: TestUser): Promise<string> {
  return (await parley.run(['user', 'password', email])).stdout.trim()
}

function authenticatorCode(secret: unknown): string {
  return new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate()
}

/** Returns the events since the last call, once the server has applied all commits. */
async function collectEvents<Name extends string>(
  look: EventReader<Name>,
  owner: TestUser,
): Promise<Record<Name, Body[]>> {
  // Registering waits until the server has caught up with the database.
  await owner.register({ event_types: [] })
  return look()
}

function withIdAsZero(user: TestUser, told: unknown): unknown {
  return JSON.parse(JSON.stringify(told).replaceAll(new RegExp(`\\b${user.id}\\b`, 'g'), '0'))
}

async function auditEntries(owner: TestUser, { id }: TestUser): Promise<Body[]> {
  const answer = await owner.call('GET', '/audit_log', { user_id: id })
  return answer.entries
    .filter((entry) => entry.target?.id === id && entry.action === 'changed')
    .toReversed()
    .map(({ acting_user_id: by, is_by_operator: isByOperator, changes }) => ({ by, isByOperator, changes }))
}

it('changes a role with the same events and audit entry as the API', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const owner = await fetchOwner(parley, server)
  const [ada, bob, mia] = [
    await createUser(parley, server, 'Ada'),
    await createUser(parley, server, 'Bob'),
    await createUser(parley, server, 'Mia'),
  ]
  const look = await watch({ owner, mia })
  const [lookAda, lookBob] = [await watch({ self: ada }), await watch({ self: bob })]
  expect(await parley.run(['user', 'role', 'ada@example.com', 'moderator'])).toEqual({
    code: 0,
    stdout: 'Changed the role of ada@example.com to moderator.\n',
    stderr: '',
  })
  const byCommand = { ...(await collectEvents(look, owner)), ...(await collectEvents(lookAda, owner)) }
  await owner.call('PATCH', `/users/${bob.id}`, { role: 300 })
  await collectEvents(lookBob, owner)
  const byApi = { ...(await collectEvents(look, owner)), ...(await collectEvents(lookAda, owner)) }
  expect(byCommand.mia).toContainEqual({ type: 'realm_user', op: 'update', person: { user_id: ada.id, role: 300 } })
  expect(withIdAsZero(ada, { owner: byCommand.owner, mia: byCommand.mia })).toEqual(
    withIdAsZero(bob, { owner: byApi.owner, mia: byApi.mia }),
  )
  const changes = [{ property: 'role', from: 400, to: 300 }]
  expect(await auditEntries(owner, ada)).toEqual([{ by: null, isByOperator: true, changes }])
  expect(await auditEntries(owner, bob)).toEqual([{ by: owner.id, isByOperator: undefined, changes }])

  for (const [args, complaint] of [
    [['ada@example.com', 'moderator'], 'ada@example.com already has the role moderator.'],
    [['nobody@example.com', 'guest'], 'No user has the email nobody@example.com.'],
    [['notification-bot@parley.invalid', 'owner'], 'No user has the email notification-bot@parley.invalid.'],
    [['owner@localhost', 'member'], 'The owner permission cannot be removed from the only organization owner.'],
  ] as const) {
    const { code, stdout, stderr } = await parley.run(['user', 'role', ...args])
    expect([code, stdout, stderr]).toEqual([1, '', `parley: ${complaint}\n`])
  }
  expect(await collectEvents(look, owner)).toEqual({ owner: [], mia: [] })
})

it('bans a person, which deactivates the account and its bots, ends its sessions, and reactivates the account', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const owner = await fetchOwner(parley, server)
  const mia = await createUser(parley, server, 'Mia')
  const { email } = await createUser(parley, server, 'Ada')
  await parley.run(['user', 'password', email, '--password-stdin'], { input: 'seven purple elephants\n' })
  const ada = await withKey(parley, server, email)
  const bot = await createUser(parley, server, 'Bert', ['--bot', '--owner', ada.email])
  const signedIn = { username: ada.email, password: 'seven purple elephants' }
  const page = { headers: { 'sec-fetch-site': 'same-origin' } }
  const browser = browserOf(ada, await callApi(ada.url, ada.host, 'POST', '/login', signedIn, page))
  expect((await browser.try('GET', '/users/me')).status).toBe(200)
  const queue = await ada.register({ event_types: ['realm_user'] })
  const parked = ada.try('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
  const look = await watch({ owner, mia }, { event_types: ['realm_user'] })

  const refused = await parley.run(['user', 'deactivate', bot.email, '--ban', 'Spam'])
  expect(refused.stderr).toBe('parley: Only people can be banned.\n')
  const deactivated = await parley.run(['user', 'deactivate', ada.email, '--ban', 'Spam'])
  expect([deactivated.code, deactivated.stdout]).toEqual([0, `Deactivated ${ada.email}.\nDeactivated ${bot.email}.\n`])
  expect((await parked).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id })
  const ended = [ada, bot].map(({ id }) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: id, is_active: false },
  }))
  expect(await collectEvents(look, owner)).toEqual({ owner: ended, mia: ended })
  for (const one of [ada, bot]) expect((await one.try('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED')
  expect((await browser.try('GET', '/users/me')).status).toBe(401)
  expect((await callApi(ada.url, ada.host, 'POST', '/login', signedIn, page)).body).toMatchObject({
    code: 'USER_DEACTIVATED',
    msg: 'You are banned. Reason: Spam',
  })

  const expectRejected = async (args: readonly string[], complaint: string): Promise<void> => {
    const { code, stdout, stderr } = await parley.run(['user', ...args])
    expect([code, stdout, stderr]).toEqual([1, '', `parley: ${complaint}\n`])
  }
  await expectRejected(['deactivate', ada.email], `${ada.email} is already deactivated.`)
  await expectRejected(['deactivate', owner.email], 'Cannot deactivate the only organization owner.')
  await expectRejected(['reactivate', mia.email], `${mia.email} is not deactivated.`)
  const orphaned = `The owner of ${bot.email} is deactivated. Choose a new owner with --owner, or reactivate the owner first.`
  await expectRejected(['reactivate', bot.email], orphaned)
  await expectRejected(['reactivate', bot.email, '--owner', ada.email], `${ada.email} cannot own a bot.`)
  const useless = `${ada.email} is deactivated. It cannot be used until you run \`parley user reactivate ${ada.email}\`.`
  await expectRejected(['api-key', ada.email], useless)
  expect(await collectEvents(look, owner)).toEqual({ owner: [], mia: [] })

  expect((await parley.run(['user', 'reactivate', bot.email, '--owner', mia.email])).stdout).toBe(
    `Reactivated ${bot.email}.\n`,
  )
  const given = { type: 'realm_user', op: 'update', person: { user_id: bot.id, bot_owner_id: mia.id } }
  const reactivationEvent = ({ id }: TestUser): Body => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: id, is_active: true },
  })
  expect((await collectEvents(look, owner)).owner).toEqual([given, reactivationEvent(bot)])
  expect((await bot.try('GET', '/users/me')).status).toBe(401)
  expect((await parley.run(['user', 'reactivate', ada.email])).stdout).toBe(`Reactivated ${ada.email}.\n`)
  expect(await collectEvents(look, owner)).toMatchObject({
    owner: [reactivationEvent(ada)],
    mia: listWith([reactivationEvent(ada)]),
  })
  expect((await ada.try('GET', '/users/me')).status).toBe(401)
  expect((await (await withKey(parley, server, ada.email)).try('GET', '/users/me')).status).toBe(200)
  expect((await browser.try('GET', '/users/me')).status).toBe(401)
  const activity = (from: boolean): Body => ({
    by: null,
    isByOperator: true,
    changes: [{ property: 'is_active', from, to: !from }],
  })
  const noted = (await auditEntries(owner, ada)).filter(({ changes }) => JSON.stringify(changes).includes('is_active'))
  expect(noted).toEqual([activity(true), activity(false)])
})

it('warns that a changed account is deactivated, and explains how to reactivate it', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const made = await createUser(parley, server, 'Ada')
  const password = await changePassword(parley, made)
  const ada = await withKey(parley, server, made.email)
  const { secret } = await ada.call('POST', '/second_factor', { password })
  await ada.call('POST', '/second_factor/confirm', { code: authenticatorCode(secret) })
  await parley.run(['user', 'deactivate', ada.email])
  const warning = `${ada.email} is deactivated. It cannot be used until you run \`parley user reactivate ${ada.email}\`.\n`
  const given = { input: 'seven purple elephants\n' }
  expect(await parley.run(['user', 'password', ada.email, '--password-stdin'], given)).toEqual({
    code: 0,
    stdout: `Changed the password of ${ada.email}.\n`,
    stderr: `${warning}Replaced the API key.\n`,
  })
  for (const args of [
    ['role', ada.email, 'moderator'],
    ['remove-second-factor', ada.email],
    ['password', ada.email, '--json'],
  ]) {
    expect(await parley.run(['user', ...args])).toMatchObject({ code: 0, stderr: warning })
  }
  await parley.run(['user', 'password', ada.email, '--password-stdin'], given)
  await parley.run(['user', 'reactivate', ada.email])
  const login = { username: ada.email, password: 'seven purple elephants' }
  await expect.poll(async () => (await ada.try('POST', '/fetch_api_key', login)).status).toBe(200)
  expect(await (await withKey(parley, server, ada.email)).call('GET', '/users/me')).toMatchObject({ role: 300 })
  await parley.run(['organization', 'deactivate'])
  const ended =
    'My organization is deactivated. Its accounts cannot be used until you run `parley organization reactivate`.\n'
  for (const args of [
    ['role', ada.email, 'member'],
    ['api-key', ada.email],
    ['create', 'new@example.com', '--name', 'New'],
  ]) {
    expect(await parley.run(['user', ...args])).toMatchObject({ code: 0, stderr: ended })
  }
})

it('finishes a command after Ctrl-C and prints a notice', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const owner = await fetchOwner(parley, server)
  const ada = await createUser(parley, server, 'Ada')
  const stopping = new AbortController()
  const outcome = await whileLocked(parley, 'users', async (reached) => {
    const args = ['user', 'role', ada.email, 'moderator']
    const ended = runHere(args, parley.settings, { stopped: stopping.signal })
    await reached()
    stopping.abort()
    return { ended }
  })
  expect(await outcome.ended).toEqual({
    code: 0,
    stdout: textWith('moderator'),
    stderr: 'Finishing. Press Ctrl-C again to abort.\n',
  })
  await expect.poll(async () => (await owner.call('GET', `/users/${ada.id}`))['user']).toMatchObject({ role: 300 })
})

const BLOCKED_SESSIONS = `select from pg_locks where not granted
  and database = (select oid from pg_database where datname = current_database())`

/** Locks a table against all other sessions. @param use receives a function that waits until a session is blocked */
async function whileLocked<Result>(
  { database }: CommandLineHere,
  table: string,
  use: (reached: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`lock table ${table} in access exclusive mode`)
    return await use(async () => {
      await expect.poll(async () => (await client.query(BLOCKED_SESSIONS)).rowCount ?? 0).toBeGreaterThan(0)
    })
  } finally {
    await client.end()
  }
}

it('lists accounts and prints the documented JSON', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const ada = await createUser(parley, server, 'Ada', ['--role', 'administrator'])
  const bot = await createUser(parley, server, 'Bert', ['--bot', '--owner', ada.email])
  await parley.run(['user', 'deactivate', bot.email])
  const today = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\d/g, 'today')
  const rows = [
    'owner@localhost   owner          active       today  person  Owner',
    'ada@example.com   administrator  active       today  person  Ada',
    'bert@example.com  member         deactivated  today  bot     Bert',
    '',
  ]
  expect(today((await parley.run(['user', 'list'])).stdout)).toBe(rows.join('\n'))
  const some = await parley.run(['user', 'list', '--role', 'administrator'])
  expect(today(some.stdout)).toBe('ada@example.com  administrator  active  today  person  Ada\n')
  await server.stop()
  const runJson = async (...args: string[]): Promise<Body> => {
    const { code, stdout, stderr } = await parley.run([...args, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    const answer = parseObject(stdout)
    expectDocumented(args.slice(0, 2).join(' '), answer)
    return answer
  }
  expect((await runJson('user', 'list'))['users']).toMatchObject([
    { email: 'owner@localhost', role: 'owner', is_active: true, is_bot: false, bot_owner: null },
    { id: ada.id, email: ada.email, full_name: 'Ada', role: 'administrator' },
    { id: bot.id, email: bot.email, is_active: false, is_bot: true, bot_owner: ada.email },
  ])
  expect(await runJson('user', 'role', ada.email, 'owner')).toMatchObject({ user: { id: ada.id, role: 'owner' } })
  expect(await runJson('user', 'reactivate', bot.email)).toMatchObject({ user: { id: bot.id, is_active: true } })
  expect((await runJson('user', 'deactivate', ada.email))['users']).toMatchObject([
    { id: ada.id, is_active: false },
    { id: bot.id, is_active: false },
  ])
  expect(await runJson('user', 'password', 'owner@localhost')).toMatchObject({
    user: { email: 'owner@localhost' },
    password: textLike(/^\w{5}(-\w{5}){3}$/),
  })
  const list = { organizations: [{ subdomain: '', name: 'My organization', is_deactivated: false }] }
  expect(await runJson('organization', 'list')).toMatchObject(list)
  expect(await runJson('organization', 'deactivate')).toMatchObject({ organization: { is_deactivated: true } })
  expect(await runJson('organization', 'reactivate')).toMatchObject({ organization: { is_deactivated: false } })
})
