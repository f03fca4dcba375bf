/*
 * A primary database dies while two servers send messages, and its synchronous standby takes over. No acknowledged
 * message is lost or duplicated, queues continue, and requests that fail before it does get a 503. When the old primary
 * returns, no server writes to it.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Random } from '../server/src/testing/random.ts'
import type { ResponseTo } from '../server/src/testing/contract-types.ts'
import type { Answer, Body, TestQueue, TestUser } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { OWNER, ServerProcess } from './crash/server-process.ts'
import { DATABASE, startPrimaryAndStandby, databasePairUrl } from './failover/pair.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Hosts of the first and a second organization. */
const FIRST_HOST = { host: 'parley.test' }
const SECOND_HOST = { host: 'new.parley.test' }
const SENDERS = 6
/** Messages that the standby lacks when it takes over. */
const LOST_MESSAGES = 20
/** Number of messages acknowledged before the primary dies, and again after the takeover. */
const MESSAGES = 150
/** Retry delay of clients. */
const RETRY_MILLISECONDS = 50
const TIMEOUT_MILLISECONDS = 300_000

/** Counts response statuses. */
class Answers {
  readonly statuses = new Map<number, number>()
  readonly wrong: unknown[] = []

  /** @returns whether the request succeeded; otherwise it must be retried */
  note({ status, headers, body }: Answer): boolean {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status !== 200 && (status !== 503 || headers['retry-after'] === undefined)) this.wrong.push([status, body])
    return status === 200
  }
}

function retryUntilSuccess<Method extends string = string, Path extends string = string>(
  answers: Answers,
  user: TestUser,
  method: Method,
  path: Path,
  parameters: Body,
): Promise<ResponseTo<Method, Path>>
// The server checks its answers against the declarations in tests.
async function retryUntilSuccess(
  answers: Answers,
  user: TestUser,
  method: string,
  path: string,
  parameters: Body,
): Promise<unknown> {
  for (;;) {
    const answer = await user.try(method, path, parameters)
    if (answers.note(answer)) return answer.body
    await sleep(RETRY_MILLISECONDS)
  }
}

/** Sends messages one after another until aborted, each with the same local ID until acknowledged. */
async function send(answers: Answers, user: TestUser, sender: number, acknowledged: string[], ending: AbortSignal) {
  const { queue_id: queueId } = await retryUntilSuccess(answers, user, 'POST', '/register', {
    event_types: ['message'],
  })
  for (let turn = 0; !ending.aborted; turn += 1) {
    const content = `${sender} ${turn}`
    const local = { queue_id: queueId, local_id: content }
    await retryUntilSuccess(answers, user, 'POST', '/messages', { type: 'direct', to: [user.id], content, ...local })
    acknowledged.push(content)
  }
}

/** Polls a queue until sending has ended and all acknowledged messages have arrived. */
async function follow(
  answers: Answers,
  { user, id: queueId, lastEventId }: TestQueue,
  acknowledged: readonly string[],
  ending: AbortSignal,
): Promise<string[]> {
  const heard: string[] = []
  let last = lastEventId
  while (!ending.aborted || heard.length < acknowledged.length) {
    const { events } = await retryUntilSuccess(answers, user, 'GET', '/events', {
      queue_id: queueId,
      last_event_id: last,
    })
    for (const { id, type, message } of events) {
      if (id <= last) answers.wrong.push(`event ${id} after ${last}`)
      last = id
      if (type === 'message' && message !== undefined) heard.push(message.content)
    }
  }
  return heard
}

it(
  'keeps every acknowledged message and every queue in a synchronous failover',
  async () => {
    const [first, second] = await startPrimaryAndStandby()
    const url = databasePairUrl([first, second])
    const environment = { DATABASE_URL: url, PARLEY_LOG_LEVEL: 'silent' }
    const over = new AbortController()
    const nodes = [await ServerProcess.start(environment)]
    try {
      const patience = { random: new Random(1), over: over.signal }
      const owner = await logIn(nodes[0]?.url ?? '', patience)
      nodes.push(await ServerProcess.start(environment))
      const through = await Promise.all(nodes.map(async (node) => logIn(node.url, patience)))
      const answers = new Answers()
      const acknowledged: string[] = []
      const of = (index: number): TestUser => through[index % through.length] ?? owner
      const queues = await Promise.all(
        through.map(async (user) => user.register({ event_types: ['message'], apply_markdown: false })),
      )
      const sent = new AbortController()
      const following = queues.map(async (queue) => follow(answers, queue, acknowledged, sent.signal))
      const sending = Array.from({ length: SENDERS }, async (_, sender) =>
        send(answers, of(sender), sender, acknowledged, over.signal),
      )
      const more = async (): Promise<void> => {
        const before = acknowledged.length
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before + MESSAGES)
      }
      await more()
      await first.end('SIGKILL')
      const atEnd = acknowledged.length
      await expect.poll(() => answers.statuses.get(503) ?? 0).toBeGreaterThan(0)
      const began = performance.now()
      await second.ask('select pg_promote()')
      await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(atEnd)
      const took = Math.round(performance.now() - began)
      await more()

      // The old primary returns as if nothing had happened, and the servers must choose again.
      await first.begin()
      await second.ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${DATABASE}'`)
      await more()
      over.abort()
      await Promise.all(sending)
      sent.abort()
      const heard = await Promise.all(following)

      const count = `select content from messages where content ~ '^\\d+ \\d+$'`
      const stored = (await second.ask<{ content: string }>(count, DATABASE)).map(({ content }) => content)
      const astray = (await first.ask<{ content: string }>(count, DATABASE)).length
      const kept = new Set(stored)
      const lost = acknowledged.filter((content) => !kept.has(content))
      const doubled = stored.length - kept.size
      const skipped = heard.map((contents) => acknowledged.filter((content) => !contents.includes(content)).length)
      const repeated = heard.map((contents) => contents.length - new Set(contents).size)
      process.stdout.write(
        `failover: ${acknowledged.length} acknowledged, ${lost.length} lost, ${doubled} doubled; events skipped ${skipped.join(', ')}, ` +
          `repeated ${repeated.join(', ')}; answers ${JSON.stringify([...answers.statuses])}; ${took} ms from the promotion to the next acknowledged\n`,
      )
      expect([lost, doubled, skipped, repeated]).toEqual([[], 0, [0, 0], [0, 0]])
      expect(answers.wrong).toEqual([])
      // The old primary has only the messages from before it was killed.
      expect(astray).toBeLessThanOrEqual(atEnd + SENDERS)
    } finally {
      over.abort()
      for (const node of nodes) await node.close()
      await first.close()
      await second.close()
    }
    expect(nodes.flatMap(({ accidents }) => accidents)).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

it(
  'reuses no ID and serves no lost data after failover to a lagging standby',
  async () => {
    const [first, second] = await startPrimaryAndStandby('async')
    const url = databasePairUrl([first, second])
    const environment = { DATABASE_URL: url, PARLEY_LOG_LEVEL: 'silent', PARLEY_ROOT_DOMAIN: FIRST_HOST.host }
    const over = new AbortController()
    const patience = { random: new Random(1), over: over.signal }
    const ahead = await ServerProcess.start(environment)
    const nodes = [ahead]
    try {
      const teller = await logIn(ahead.url, patience, OWNER.email, FIRST_HOST)
      const behind = await ServerProcess.start(environment)
      nodes.push(behind)
      const user = await logIn(behind.url, patience, OWNER.email, FIRST_HOST)
      const [queue, staying] = [await teller.register({ event_types: ['message'] }), await user.register()]
      const [written] = await first.ask<{ at: string }>('select pg_current_wal_lsn()::text as at')
      const has = `select pg_last_wal_replay_lsn() >= '${written?.at ?? ''}' as has`
      await expect.poll(async () => second.ask(has)).toEqual([{ has: true }])
      // The standby misses all later changes.
      await second.end('SIGKILL')
      createOrganization({ ...environment, PARLEY_DATA_DIR: ahead.dataDirectory })
      const newcomer = await logIn(behind.url, patience, OWNER.email, SECOND_HOST)
      expect((await newcomer.try('GET', '/users/me')).status).toBe(200)
      // Only one of the two servers applies the following messages.
      behind.signal('SIGSTOP')
      const lost: number[] = []
      for (let turn = 0; turn < LOST_MESSAGES; turn += 1) lost.push(await teller.sendTo([teller.id], `Lost ${turn}`))
      expect(await queue.events()).toHaveLength(LOST_MESSAGES)
      ahead.signal('SIGSTOP')
      await first.end('SIGKILL')
      await second.begin()
      await second.ask('select pg_promote()')
      behind.signal('SIGCONT')

      const answers = new Answers()
      const message = { type: 'direct', to: [user.id], content: 'After' }
      const { id } = await retryUntilSuccess(answers, user, 'POST', '/messages', message)
      const statuses = new Set<number>()
      const ask = async (): Promise<number> => {
        const { status } = await newcomer.try('GET', '/users/me')
        statuses.add(status)
        return status
      }
      await expect.poll(ask).toBe(404)
      const seen = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
      const ghost = (await user.try('GET', '/events', seen)).body
      const stayed = (await staying.events()).map(({ type }) => type)
      ahead.signal('SIGCONT')
      const read = await teller.try('GET', `/messages/${lost[0] ?? 0}`).catch(() => undefined)
      await expect.poll(() => ahead.accidents).toHaveLength(1)
      process.stdout.write(
        `failover to a standby that was behind: ${LOST_MESSAGES} lost up to ${Math.max(...lost)}, the next is ${id}; ` +
          `answers ${JSON.stringify([...answers.statuses])}, about lost data ${JSON.stringify([...statuses])}\n`,
      )
      expect(id).toBeGreaterThan(Math.max(...lost))
      expect(statuses).not.toContain(200)
      expect(ghost['code']).toBe('BAD_EVENT_QUEUE_ID')
      expect(stayed).toContain('message')
      expect(read?.status).not.toBe(200)
      expect(answers.wrong).toEqual([])
      expect(ahead.accidents[0]).toContain('The database lost acknowledged changes')
      expect(behind.accidents).toEqual([])
    } finally {
      over.abort()
      for (const node of nodes) node.signal('SIGCONT')
      for (const node of nodes) await node.close()
      await first.close()
      await second.close()
    }
  },
  TIMEOUT_MILLISECONDS,
)

/** Creates the second organization, with the same owner as the first. */
function createOrganization(environment: Readonly<Record<string, string>>): void {
  const owner = ['--name', 'New', '--owner-email', OWNER.email, '--owner-name', OWNER.name, '--password-stdin']
  const subdomain = SECOND_HOST.host.split('.')[0] ?? ''
  execFileSync(process.execPath, ['bin/parley.js', 'organization', 'create', subdomain, ...owner], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...environment },
    input: OWNER.password,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}
