/* Uses a primary and two replicas. Statement statistics show which server was read: responses never reveal it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PostgresServer } from '../../testing/postgres-server.ts'
import { startTestServerOn, type TestServer } from '../../testing/server.ts'
import { namedStatementsDuring } from '../../testing/statements.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { checkReplicas } from '../health/checkup.ts'
import { openReplicas, tryReplica, type Replicas } from './replicas.ts'

const DATABASE = 'replicated'
const METRICS_TOKEN = 'a-token-of-the-metrics'
const ROUNDS = 60
const OTHER_PRIMARY_REASON = 'it is not a replica of the primary, or has not replayed the promotion of this primary'
/** Allows for a loaded machine. */
const MAX_WAIT_MILLISECONDS = 4_000

let primary: PostgresServer
let standbys: PostgresServer[] = []
let server: TestServer

beforeAll(async () => {
  primary = await PostgresServer.start()
  standbys = await primary.standbys('one', 'two')
  await primary.ask(`create database ${DATABASE}`)
  const urls = standbys.map((standby) => standby.urlOf(DATABASE)).join(', ')
  const metrics = { PARLEY_METRICS_TOKEN: METRICS_TOKEN }
  const settings = { ...metrics, DATABASE_URL: primary.urlOf(DATABASE), DATABASE_REPLICA_URLS: urls }
  server = await startTestServerOn({ ...primary.connection, database: DATABASE }, settings, { shared: true })
})

afterAll(async () => {
  await server.close()
  await Promise.all([primary, ...standbys].map(async (one) => one.close()))
})

function replicas(): Replicas {
  if (server.parley.replicas === undefined) throw new Error('replicas are configured')
  return server.parley.replicas
}

async function metricsOf({ parley: { url } }: TestServer): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return answer.text()
}

async function waitUntilAllAnswer(): Promise<void> {
  await expect.poll(() => replicas().reports.map(({ reason }) => reason)).toEqual(standbys.map(() => undefined))
}

async function runAtReplicas(statement: string): Promise<void> {
  for (const standby of standbys) await standby.ask(statement, DATABASE)
}

const NEWEST_MESSAGES = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false }

async function contentsFor(user: TestUser, more: Body = {}): Promise<unknown[]> {
  const { messages } = await user.call('GET', '/messages', { ...NEWEST_MESSAGES, ...more })
  return messages.map(({ content }) => content)
}

async function sentDuring(
  action: () => Promise<unknown>,
): Promise<Record<'toPrimary' | 'toReplicas', (string | undefined)[]>> {
  const statements = await namedStatementsDuring({ database: DATABASE }, action)
  const namesOf = (isTo: (port: number) => boolean): (string | undefined)[] =>
    statements.filter(({ port }) => isTo(port)).map(({ name }) => name)
  return { toPrimary: namesOf((port) => port === primary.port), toReplicas: namesOf((port) => port !== primary.port) }
}

/** Retries, because earlier writes may not have reached the replicas yet. */
async function expectAtReplicas(action: () => Promise<unknown>): Promise<void> {
  await expect.poll(async () => (await sentDuring(action)).toPrimary).toEqual([])
}

it('reads history from a replica and never from the primary', async () => {
  const { owner } = await server.organization()
  await owner.subscribe(['news'])
  const id = await owner.send('news', 'harvest', 'The apples are ripe')
  const { stream_id: channelId } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const searchAndCompare = async (): Promise<void> => {
    const found = await contentsFor(owner, { narrow: [{ operator: 'search', operand: 'apple' }] })
    expect(found).toEqual(['The apples are ripe'])
    await owner.call('GET', `/messages/${id}`)
    await owner.call('GET', `/messages/${id}/history`)
    await owner.call('GET', '/messages/matches_narrow', { msg_ids: [id], narrow: [] })
    await owner.call('GET', `/users/me/${channelId}/topics`)
  }
  const before = replicas().counts.answered
  await expectAtReplicas(searchAndCompare)
  expect(replicas().counts.answered).toBeGreaterThan(before)
  const { toReplicas } = await sentDuring(searchAndCompare)
  expect(toReplicas).toContain('messages_with_terms')
})

it('reflects a sent, edited, or deleted message in every later read', async () => {
  const { owner } = await server.organization()
  await owner.subscribe(['news'])
  const before = replicas().counts.answered
  let stale = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await owner.send('news', 'busy', `word${round} sent`)
    if (!(await contentsFor(owner)).includes(`word${round} sent`)) stale += 1
    const narrow = [{ operator: 'search', operand: `word${round}` }]
    if ((await contentsFor(owner, { narrow })).length !== 1) stale += 1
    await owner.call('PATCH', `/messages/${id}`, { content: `word${round} edited` })
    const { message } = await owner.call('GET', `/messages/${id}`, { apply_markdown: false })
    if (message.content !== `word${round} edited`) stale += 1
    await owner.call('DELETE', `/messages/${id}`)
    if ((await owner.try('GET', `/messages/${id}`)).status === 200) stale += 1
  }
  const answered = replicas().counts.answered - before
  process.stdout.write(`${ROUNDS * 4} reads after writes, ${answered} of them at replicas: ${stale} stale\n`)
  expect(stale).toBe(0)
  expect(answered).toBeGreaterThan(0)
})

it('skips replicas that lag, so that a removed subscriber reads no more messages', async () => {
  const { owner, user } = await server.organization()
  const quiet = await server.organization()
  const ann = await user('Ann')
  await owner.subscribe(['secrets'], { principals: [owner.id, ann.id], invite_only: true })
  await owner.send('secrets', 'plans', 'For Ann, too')
  await quiet.owner.sendTo([quiet.owner.id], 'Nothing new')
  await expectAtReplicas(async () => contentsFor(quiet.owner))
  await runAtReplicas('select pg_wal_replay_pause()')
  try {
    let stale = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      await owner.send('secrets', 'plans', `Paused ${round}`)
      if (!(await contentsFor(ann)).includes(`Paused ${round}`)) stale += 1
    }
    process.stdout.write(`${ROUNDS} reads beside paused replicas: ${stale} stale\n`)
    expect(stale).toBe(0)
    const id = await owner.send('secrets', 'plans', 'Not for you')
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secrets'], principals: [ann.id] })
    expect(await contentsFor(ann)).toEqual([])
    expect((await ann.try('GET', `/messages/${id}`)).body['msg']).toBe('Invalid message(s)')
    expect(replicas().reports.map(({ reason }) => reason)).toContain('it has not replayed the requested position')
    await expectAtReplicas(async () => contentsFor(quiet.owner))
  } finally {
    await runAtReplicas('select pg_wal_replay_resume()')
  }
  await waitUntilAllAnswer()
  await expectAtReplicas(async () => contentsFor(owner))
})

it('hides a replicated message until the message is visible on the primary', async () => {
  const { owner, user } = await server.organization()
  const ann = await user('Ann')
  await owner.sendTo([ann.id], 'There')
  const names = (list: string) => [`alter system set synchronous_standby_names = '${list}'`, 'select pg_reload_conf()']
  // Commits wait for a standby that does not exist, while existing standbys replay them.
  for (const statement of names('missing')) await primary.ask(statement)
  let sent: Promise<number> | undefined
  let probing: Promise<unknown> | undefined
  let stored: Promise<unknown> | undefined
  try {
    // The setting takes effect when the checkpointer reads the file, which only a blocked commit shows.
    await expect
      .poll(async () => {
        probing ??= primary
          .ask(`select pg_logical_emit_message(true, 'probe', '')`)
          .finally(() => (probing = undefined))
        return primary.ask(`select exists (select from pg_stat_activity where wait_event = 'SyncRep') as waits`)
      })
      .toEqual([{ waits: true }])
    sent = owner.sendTo([ann.id], 'Waited for')
    const count = `select count(*)::int as count from messages where content = 'Waited for'`
    await expect.poll(async () => standbys[0]?.ask(count, DATABASE)).toEqual([{ count: 1 }])
    expect(await primary.ask(count, DATABASE)).toEqual([{ count: 0 }])
    // The server's own background write also blocks, but reads do not wait for that write.
    stored = server.parley.consumers.saveCursors()
    for (let round = 0; round < 10; round += 1) expect(await contentsFor(ann)).toEqual(['There'])
  } finally {
    for (const statement of names('')) await primary.ask(statement)
  }
  await Promise.all([sent, probing, stored])
  expect(await contentsFor(ann)).toEqual(['There', 'Waited for'])
})

it('keeps serving while replicas stop, freeze, and return', async () => {
  await waitUntilAllAnswer()
  const { owner } = await server.organization()
  await owner.sendTo([owner.id], 'Always there')
  let longest = 0
  const read = async (): Promise<void> => {
    const began = performance.now()
    expect(await contentsFor(owner)).toEqual(['Always there'])
    longest = Math.max(longest, performance.now() - began)
  }
  const [one, two] = standbys
  await one?.end('SIGKILL')
  for (let round = 0; round < ROUNDS; round += 1) await read()
  await expect.poll(() => replicas().reports[0]?.reason).toBeDefined()
  await two?.signalAll('SIGSTOP')
  for (let round = 0; round < ROUNDS; round += 1) await read()
  await expect.poll(() => replicas().reports[1]?.reason).toBeDefined()
  const { toPrimary } = await sentDuring(read)
  const metrics = await metricsOf(server)
  const lookedAt = checkReplicas(replicas().reports)
  await two?.signalAll('SIGCONT')
  await one?.begin()
  await waitUntilAllAnswer()
  process.stdout.write(
    `${2 * ROUNDS} reads beside replicas that ended and froze: the longest took ${Math.round(longest)} ms\n`,
  )
  expect(toPrimary).toContain('reader_flags')
  for (const standby of standbys)
    expect(metrics).toContain(`parley_replica_answers{replica="127.0.0.1:${standby.port}"} 0`)
  expect(metrics).toMatch(/parley_replica_reads_total\{outcome="answered"\} [1-9]/)
  expect(lookedAt).toMatchObject({ state: 'wrong', trouble: 'replicas_left_out', value: 2 })
  expect(checkReplicas(replicas().reports)?.state).toBe('ok')
  expect(longest).toBeLessThan(MAX_WAIT_MILLISECONDS)
  await expectAtReplicas(read)
})

it('retries a slow replica read at the primary and keeps using replicas', async () => {
  await waitUntilAllAnswer()
  const { owner, id } = await server.organization()
  await owner.sendTo([owner.id], 'Fast')
  const before = replicas().counts.refused
  const slow = async (db: Db): Promise<unknown> => db.rows('too_slow', 'select pg_sleep(10)', [])
  expect(await replicas().read({ id, position: 0 }, slow, async (): Promise<unknown> => 'at the primary')).toBe(
    'at the primary',
  )
  expect(replicas().counts.refused).toBeGreaterThan(before)
  expect(replicas().reports.map(({ reason }) => reason)).toEqual(standbys.map(() => undefined))
  await expectAtReplicas(async () => contentsFor(owner))
})

it('closes all replica connections even while a replica is frozen', { timeout: 20_000 }, async () => {
  const [one] = standbys
  const [{ place } = { place: '' }] = await primary.ask<{ place: string }>('select place from database_place', DATABASE)
  const [url] = [one?.urlOf(DATABASE) ?? '']
  const own = openReplicas({ urls: [url], place: () => place, onLeftOut: () => undefined, onBack: () => undefined })
  const read = async (): Promise<unknown> =>
    own.read(
      { id: 0, position: -1 },
      async (db) => db.rows('one', 'select 1 as one', []),
      async (): Promise<unknown> => 'at the primary',
    )
  await expect.poll(read).toEqual([{ one: 1 }])
  await one?.signalAll('SIGSTOP')
  try {
    await own.close()
  } finally {
    await one?.signalAll('SIGCONT')
  }
})

it('explains why a server cannot be used as a replica of the primary', async () => {
  const [one] = standbys
  const url = one?.urlOf(DATABASE) ?? ''
  const [{ place } = { place: '' }] = await primary.ask<{ place: string }>('select place from database_place', DATABASE)
  expect((await tryReplica(url, place)).reason).toBeUndefined()
  expect((await tryReplica(url, 'elsewhere')).reason).toBe(OTHER_PRIMARY_REASON)
  const absent = await tryReplica(`postgres://parley:secret@127.0.0.1:1/${DATABASE}`, place)
  expect(absent).toEqual({ name: '127.0.0.1:1', reason: 'connect ECONNREFUSED 127.0.0.1:1' })
})

it('ignores a replica of another primary', async () => {
  const [{ place } = { place: '' }] = await primary.ask<{ place: string }>('select place from database_place', DATABASE)
  await primary.ask(`update database_place set place = 'elsewhere'`, DATABASE)
  await expect
    .poll(() => replicas().reports.map(({ reason }) => reason))
    .toEqual([OTHER_PRIMARY_REASON, OTHER_PRIMARY_REASON])
  await primary.ask(`update database_place set place = '${place}'`, DATABASE)
  await waitUntilAllAnswer()
})
