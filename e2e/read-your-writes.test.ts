/*
 * Several servers on one database, each busy with the sends of others. What was done at one of them holds at the other ones when
 * the answer is there: new accounts with their keys, and channels; and rights that were taken away, with nothing that says so in the
 * requests of who had them. They hear of each other by the database, and by a NATS server.
 */
import { describe, expect, it } from 'vitest'
import { signIn, TestBrowser } from '../server/src/testing/browser.ts'
import { effort } from '../server/src/testing/effort.ts'
import { NatsServer, hasNatsServer } from '../server/src/testing/nats-server.ts'
import { Random } from '../server/src/testing/random.ts'
import { startTestServer, type TestServer } from '../server/src/testing/server.ts'
import { basic, callApi, TestUser, type Answer, type Body } from '../server/src/testing/user.ts'
import { persist } from './crash/requests.ts'
import { ServerProcess, urlOf } from './crash/server-process.ts'

const ROUNDS = effort(30)
const FREEZES = effort(3)
const SENDERS = 4
const HEADER = 'parley-position'
const TIMEOUT_MILLISECONDS = 900_000
/** Nobody waits for a frozen server for longer. */
const MAX_WAIT_MILLISECONDS = 3_000
/** Nor is one that has been frozen for that long waited for again. */
const MAX_WAIT_AGAIN_MILLISECONDS = 1_500
const METRICS_TOKEN = 'a-token-of-the-metrics'

/** Three servers, one of them in this process. */
interface Trio {
  readonly here: TestServer
  readonly owner: TestUser
  readonly user: (name: string) => Promise<TestUser>
  readonly nodes: readonly ServerProcess[]
  /** Somebody who asks each of the others. */
  readonly elsewhere: (user: TestUser) => readonly TestUser[]
  readonly nats: NatsServer | undefined
}

/** Does something with three servers, while others send. */
async function withTrio(isNats: boolean, work: (trio: Trio) => Promise<void>): Promise<void> {
  const nats = isNats ? await NatsServer.start() : undefined
  const bus: Record<string, string> = nats === undefined ? {} : { BUS_URL: nats.url }
  const environment = { PARLEY_LOG_LEVEL: 'silent', ...bus }
  // Where the database is, is told to the servers of tests in another way.
  const own = { ...environment, DATABASE_URL: 'postgres:///', PARLEY_METRICS_TOKEN: METRICS_TOKEN }
  const here = await startTestServer(own, { shared: true })
  const { owner, user } = await here.organization('Shared', { stringId: '' })
  const nodes: ServerProcess[] = []
  const ending = new AbortController()
  try {
    await owner.subscribe(['general'])
    const there = { ...environment, DATABASE_URL: urlOf(here.database) }
    for (let count = 0; count < 2; count += 1) nodes.push(await ServerProcess.start(there))
    const elsewhere = ({ host, email, apiKey, id }: TestUser): readonly TestUser[] =>
      nodes.map(({ url }) => new TestUser(url, host, email, apiKey, id))
    for (const through of elsewhere(owner))
      await persist(through, 'GET', '/users/me', {}, { random: new Random(1), over: ending.signal })
    const senders = [owner, ...elsewhere(owner)]
    const sending = Array.from({ length: SENDERS }, async (_, sender) => {
      // One that froze takes its time.
      const through = senders[sender % senders.length] ?? owner
      while (!ending.signal.aborted) await through.try('POST', '/messages', message(`From ${sender}`))
    })
    await work({ here, owner, user: async (name) => user(name, { role: 200 }), nodes, elsewhere, nats })
    ending.abort()
    await Promise.all(sending)
  } finally {
    ending.abort()
    for (const node of nodes) await node.close()
    await here.close()
    await nats?.kill()
  }
  expect(nodes.flatMap(({ accidents }) => accidents)).toEqual([])
}

function message(content: string): Readonly<Record<string, unknown>> {
  return { type: 'stream', to: 'general', topic: 'busy', content }
}

function status({ status: code }: Answer): number {
  return code
}

/** Counts what somebody was answered that had been made otherwise. */
class Wrongs {
  readonly counted: Record<string, number> = {}
  readonly asked: Record<string, number> = {}
  readonly #took: number[] = []

  /** @param areWrong of the answers of all other servers */
  note(what: string, areWrong: readonly boolean[]): void {
    this.asked[what] = (this.asked[what] ?? 0) + areWrong.length
    this.counted[what] = (this.counted[what] ?? 0) + areWrong.filter(Boolean).length
  }

  async timed(taking: Promise<unknown>): Promise<void> {
    const began = performance.now()
    await taking
    this.#took.push(performance.now() - began)
  }

  get text(): string {
    const took = this.#took.toSorted((a, b) => a - b).map(Math.round)
    const times = took.length === 0 ? '' : `; taking took ${took[took.length >> 1]} ms, at most ${took.at(-1)} ms`
    return `of ${JSON.stringify(this.asked)}, wrong: ${JSON.stringify(this.counted)}${times}`
  }
}

describe.each([['the database', false] as const, ['a NATS server', true] as const])('by %s', (name, isNats) => {
  it.skipIf(isNats && !hasNatsServer)(
    'knows at one server what was done at another',
    async () =>
      withTrio(isNats, async ({ owner, user, elsewhere }) => {
        const wrongs = new Wrongs()
        const [there = owner] = elsewhere(owner)
        const saying = async (told: Answer, path: string, parameters = {}): Promise<Answer> => {
          const headers = { authorization: basic(owner.email, owner.apiKey), [HEADER]: String(told.headers[HEADER]) }
          return callApi(there.url, owner.host, 'GET', path, parameters, { headers })
        }
        for (let round = 0; round < ROUNDS; round += 1) {
          const somebody = await user(`Somebody ${round}`)
          const known = await Promise.all(elsewhere(somebody).map(async (at) => at.try('GET', '/users/me')))
          wrongs.note(
            'key',
            known.map((answer) => status(answer) !== 200),
          )
          const named = await owner.try('PATCH', `/users/${somebody.id}`, { full_name: `Renamed ${round}` })
          const shown = await saying(named, `/users/${somebody.id}`)
          wrongs.note('user', [JSON.stringify(shown.body).includes(`Somebody ${round}`)])
          const subscriptions = JSON.stringify([{ name: `Channel ${round}` }])
          const made = await owner.try('POST', '/users/me/subscriptions', { subscriptions })
          wrongs.note('channel', [status(await saying(made, '/get_stream_id', { stream: `Channel ${round}` })) !== 200])
        }
        process.stdout.write(`read your writes by ${name}: ${wrongs.text}\n`)
        expect(wrongs.counted).toEqual({ key: 0, user: 0, channel: 0 })
      }),
    TIMEOUT_MILLISECONDS,
  )

  it.skipIf(isNats && !hasNatsServer)(
    'lets nobody do at another server what they may not do any more',
    async () =>
      withTrio(isNats, async ({ owner, user, elsewhere }) => {
        const wrongs = new Wrongs()
        for (let round = 0; round < ROUNDS; round += 1) await takeAll(round, { owner, user, elsewhere }, wrongs)
        process.stdout.write(`rights taken away, by ${name}: ${wrongs.text}\n`)
        expect(wrongs.counted).toEqual({ role: 0, channel: 0, session: 0, key: 0, account: 0 })
      }),
    TIMEOUT_MILLISECONDS,
  )

  it.skipIf(isNats && !hasNatsServer)(
    'waits three seconds at most for a server that froze, which then answers nobody by what it knew before',
    async () =>
      withTrio(isNats, async (trio) => {
        const waits: number[] = []
        const before = await lateOnes(trio)
        for (let freeze = 0; freeze < FREEZES; freeze += 1) {
          const somebody = await trio.user(`Frozen ${freeze}`)
          const [first, second] = trio.elsewhere(somebody)
          for (const at of [first, second]) expect(await at?.try('GET', '/users/me')).toMatchObject({ status: 200 })
          trio.nodes[0]?.signal('SIGSTOP')
          try {
            const began = performance.now()
            await trio.owner.call('DELETE', `/users/${somebody.id}`)
            waits.push(Math.round(performance.now() - began))
            const next = await trio.user(`Frozen still ${freeze}`)
            const again = performance.now()
            await trio.owner.call('DELETE', `/users/${next.id}`)
            expect(performance.now() - again).toBeLessThan(MAX_WAIT_AGAIN_MILLISECONDS)
            // It is there when the server thaws.
            const asked = first?.try('GET', '/users/me')
            expect(await second?.try('GET', '/users/me')).toMatchObject({ status: 401 })
            trio.nodes[0]?.signal('SIGCONT')
            expect(await asked).toMatchObject({ status: 401 })
          } finally {
            trio.nodes[0]?.signal('SIGCONT')
          }
        }
        process.stdout.write(`a frozen server, by ${name}: was waited for ${waits.join(', ')} ms\n`)
        expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MILLISECONDS)
        expect(await lateOnes(trio)).toBe(before + 2 * FREEZES)
      }),
    TIMEOUT_MILLISECONDS,
  )
})

it.skipIf(!hasNatsServer)(
  'lets nobody do what they may not do any more while the bus is away, and waits for the look of each second',
  async () =>
    withTrio(true, async ({ here, owner, user, elsewhere, nats }) => {
      await nats?.kill()
      await expect.poll(() => here.parley.logs.bus.isConnected).toBe(false)
      const waits: number[] = []
      for (let round = 0; round < FREEZES; round += 1) {
        const somebody = await user(`Unheard ${round}`)
        const there = elsewhere(somebody)
        for (const at of there) expect(await at.try('GET', '/users/me')).toMatchObject({ status: 200 })
        const began = performance.now()
        await owner.call('DELETE', `/users/${somebody.id}`)
        waits.push(Math.round(performance.now() - began))
        const answers = await Promise.all(there.map(async (at) => at.try('GET', '/users/me')))
        expect(answers.map(status)).toEqual([401, 401])
      }
      process.stdout.write(`rights taken away without a bus: after ${waits.join(', ')} ms\n`)
      expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MILLISECONDS)
    }),
  TIMEOUT_MILLISECONDS,
)

/** Takes from somebody one thing after the other, and has them use it at the other servers at once. */
async function takeAll(
  round: number,
  { owner, user, elsewhere }: Pick<Trio, 'owner' | 'user' | 'elsewhere'>,
  wrongs: Wrongs,
): Promise<void> {
  const somebody = await user(`Somebody ${round}`)
  const everywhere = async (ask: (at: TestUser) => Promise<boolean>, who = somebody): Promise<boolean[]> =>
    Promise.all(elsewhere(who).map(ask))
  const isLetIn = async (at: TestUser): Promise<boolean> => status(await at.try('GET', '/users/me')) === 200
  /** What somebody is given may come a moment later. */
  const had = async (ask: (at: TestUser) => Promise<boolean>, who = somebody): Promise<void> => {
    await expect.poll(async () => everywhere(ask, who)).toEqual([true, true])
  }

  const isAdministrator = async (at: TestUser): Promise<boolean> =>
    status(await at.try('GET', '/server_health')) === 200
  await had(isAdministrator)
  await wrongs.timed(owner.call('PATCH', `/users/${somebody.id}`, { role: 400 }))
  wrongs.note('role', await everywhere(isAdministrator))

  const channel = `Private ${round}`
  const both = { principals: [owner.id, somebody.id], invite_only: true, history_public_to_subscribers: true }
  await owner.subscribe([channel], both)
  await owner.send(channel, 'secret', 'What only members read')
  const narrow = JSON.stringify([{ operator: 'channel', operand: channel }])
  const reads = async (at: TestUser): Promise<boolean> => {
    const { body } = await at.try('GET', '/messages', { narrow, anchor: 'newest', num_before: 10, num_after: 0 })
    return ((body['messages'] ?? []) as Body[]).length > 0
  }
  await had(reads)
  const leaving = { subscriptions: [channel], principals: [somebody.id] }
  await wrongs.timed(owner.call('DELETE', '/users/me/subscriptions', leaving))
  wrongs.note('channel', await everywhere(reads))

  const browser = await signIn(somebody)
  const isSignedIn = async (at: TestUser): Promise<boolean> => isLetIn(new TestBrowser(at, browser.cookie))
  await had(isSignedIn)
  await wrongs.timed(browser.call('DELETE', `/sessions/${await browser.session()}`))
  wrongs.note('session', await everywhere(isSignedIn))

  await had(isLetIn)
  let renewed = somebody
  await wrongs.timed(
    somebody.call('POST', '/users/me/api_key/regenerate').then(({ api_key: key }) => {
      renewed = new TestUser(somebody.url, somebody.host, somebody.email, String(key), somebody.id)
    }),
  )
  wrongs.note('key', await everywhere(isLetIn))

  await had(isLetIn, renewed)
  await wrongs.timed(owner.call('DELETE', `/users/${somebody.id}`))
  wrongs.note('account', await everywhere(isLetIn, renewed))
}

/** How often the server of this process has answered without having heard from all others. */
async function lateOnes({ here }: Trio): Promise<number> {
  const answer = await fetch(`${here.parley.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const [, count] = /^parley_rights_taken_total\{outcome="late"\} (\d+)$/m.exec(await answer.text()) ?? []
  if (count === undefined) throw new Error(`the metrics do not say it: ${answer.status}`)
  return Number(count)
}
