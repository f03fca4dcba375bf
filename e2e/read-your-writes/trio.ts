import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, TestBrowser } from '../../server/src/testing/browser.ts'
import { NatsServer } from '../../server/src/testing/nats-server.ts'
import { Random } from '../../server/src/testing/random.ts'
import { startTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { basic, callApi, TestUser, type Answer } from '../../server/src/testing/user.ts'
import { retryUntilSuccess } from '../crash/requests.ts'
import { ServerProcess, databaseUrl } from '../crash/server-process.ts'

const SENDER_COUNT = 4
const POSITION_HEADER = 'parley-position'
/** Maximum time for which a request waits for a frozen server. */
const MAX_WAIT_MILLISECONDS = 3_000
/** The same for a server that has been frozen for a while. */
const MAX_SECOND_WAIT_MILLISECONDS = 1_500
const METRICS_TOKEN = 'a-token-of-the-metrics'
const START_TIMEOUT_MILLISECONDS = 120_000

/** Three busy servers on one database, one of them in this process. */
interface Trio {
  readonly here: TestServer
  readonly owner: TestUser
  readonly user: (name: string) => Promise<TestUser>
  readonly nodes: readonly ServerProcess[]
  /** The same user at each of the other servers. */
  readonly elsewhere: (user: TestUser) => readonly TestUser[]
  readonly nats: NatsServer | undefined
  close(): Promise<void>
}

export function useTrio(bus: 'database' | 'NATS'): () => Trio {
  let trio: Trio | undefined
  beforeAll(async () => {
    trio = await startTrio(bus)
  }, START_TIMEOUT_MILLISECONDS)
  afterAll(async () => trio?.close())
  return () => {
    if (trio === undefined) throw new Error('the servers start in beforeAll')
    return trio
  }
}

async function startTrio(bus: 'database' | 'NATS'): Promise<Trio> {
  const nats = bus === 'NATS' ? await NatsServer.start() : undefined
  const busUrl: Record<string, string> = nats === undefined ? {} : { BUS_URL: nats.url }
  const environment = { PARLEY_LOG_LEVEL: 'silent', ...busUrl }
  // BUS_URL requires DATABASE_URL, whose value test servers ignore.
  const own = { ...environment, DATABASE_URL: 'postgres:///', PARLEY_METRICS_TOKEN: METRICS_TOKEN }
  const here = await startTestServer(own, { shared: true })
  const { owner, user } = await here.organization('Shared', { stringId: '' })
  await owner.subscribe(['general'])
  const there = { ...environment, DATABASE_URL: databaseUrl(here.database) }
  const nodes = [await ServerProcess.start(there), await ServerProcess.start(there)]
  const atOtherServers = ({ host, email, apiKey, id }: TestUser): readonly TestUser[] =>
    nodes.map(({ url }) => new TestUser(url, host, email, apiKey, id))
  const ending = new AbortController()
  for (const through of atOtherServers(owner))
    await retryUntilSuccess(through, 'GET', '/users/me', {}, { random: new Random(1), over: ending.signal })
  const senders = [owner, ...atOtherServers(owner)]
  const sending = Promise.allSettled(
    Array.from({ length: SENDER_COUNT }, async (_, sender) => {
      // Requests to a frozen server take a long time.
      const through = senders[sender % senders.length] ?? owner
      while (!ending.signal.aborted) await through.try('POST', '/messages', messageParameters(`From ${sender}`))
    }),
  )
  return {
    here,
    owner,
    user: async (name) => user(name, { role: 200 }),
    nodes,
    elsewhere: atOtherServers,
    nats,
    async close() {
      ending.abort()
      const sent = await sending
      for (const node of nodes) await node.close()
      await here.close()
      await nats?.kill()
      expect(sent.filter(({ status: outcome }) => outcome === 'rejected')).toEqual([])
      expect(nodes.flatMap(({ accidents }) => accidents)).toEqual([])
    },
  }
}

function messageParameters(content: string): Readonly<Record<string, unknown>> {
  return { type: 'stream', to: 'general', topic: 'busy', content }
}

function httpStatus({ status: code }: Answer): number {
  return code
}

/** Counts responses that do not reflect an earlier change. */
class StaleResponseCounts {
  readonly counted: Record<string, number> = {}
  readonly asked: Record<string, number> = {}
  readonly #took: number[] = []

  /** @param areWrong one item for each of the other servers */
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

/** Tests that the other servers reflect a change that one server has acknowledged. */
export function testReadYourWrites(trio: () => Trio, rounds: number): void {
  it('makes a change acknowledged by one server visible at the other servers', async () => {
    const { owner, user, elsewhere } = trio()
    const wrongs = new StaleResponseCounts()
    const [there = owner] = elsewhere(owner)
    const requestWithPosition = async (told: Answer, path: string, parameters = {}): Promise<Answer> => {
      const headers = {
        authorization: basic(owner.email, owner.apiKey),
        [POSITION_HEADER]: String(told.headers[POSITION_HEADER]),
      }
      return callApi(there.url, owner.host, 'GET', path, parameters, { headers })
    }
    for (let round = 0; round < rounds; round += 1) {
      const somebody = await user(`Somebody ${round}`)
      const known = await Promise.all(elsewhere(somebody).map(async (at) => at.try('GET', '/users/me')))
      wrongs.note(
        'key',
        known.map((answer) => httpStatus(answer) !== 200),
      )
      const named = await owner.try('PATCH', `/users/${somebody.id}`, { full_name: `Renamed ${round}` })
      const shown = await requestWithPosition(named, `/users/${somebody.id}`)
      wrongs.note('user', [JSON.stringify(shown.body).includes(`Somebody ${round}`)])
      const subscriptions = JSON.stringify([{ name: `Channel ${round}` }])
      const made = await owner.try('POST', '/users/me/subscriptions', { subscriptions })
      wrongs.note('channel', [
        httpStatus(await requestWithPosition(made, '/get_stream_id', { stream: `Channel ${round}` })) !== 200,
      ])
    }
    process.stdout.write(`read your writes: ${wrongs.text}\n`)
    expect(wrongs.counted).toEqual({ key: 0, user: 0, channel: 0 })
  })

  it('applies revoked permissions at every server', async () => {
    const { owner, user, elsewhere } = trio()
    const wrongs = new StaleResponseCounts()
    for (let round = 0; round < rounds; round += 1)
      await revokeEachPermission(round, { owner, user, elsewhere }, wrongs)
    process.stdout.write(`rights taken away: ${wrongs.text}\n`)
    expect(wrongs.counted).toEqual({ role: 0, channel: 0, session: 0, key: 0, account: 0 })
  })
}

/** Freezes a server while another server revokes permissions. */
export function testFrozenServer(trio: () => Trio, freezes: number): void {
  it('waits at most 3 s for a frozen server, which revokes the permissions when it thaws', async () => {
    const current = trio()
    const waits: number[] = []
    const before = await countLateRevocations(current)
    for (let freeze = 0; freeze < freezes; freeze += 1) {
      const somebody = await current.user(`Frozen ${freeze}`)
      const [first, second] = current.elsewhere(somebody)
      for (const at of [first, second]) expect(await at?.try('GET', '/users/me')).toMatchObject({ status: 200 })
      current.nodes[0]?.signal('SIGSTOP')
      try {
        const began = performance.now()
        await current.owner.call('DELETE', `/users/${somebody.id}`)
        waits.push(Math.round(performance.now() - began))
        const next = await current.user(`Frozen still ${freeze}`)
        const again = performance.now()
        await current.owner.call('DELETE', `/users/${next.id}`)
        expect(performance.now() - again).toBeLessThan(MAX_SECOND_WAIT_MILLISECONDS)
        // The request is waiting when the server thaws.
        const asked = first?.try('GET', '/users/me')
        expect(await second?.try('GET', '/users/me')).toMatchObject({ status: 401 })
        current.nodes[0]?.signal('SIGCONT')
        expect(await asked).toMatchObject({ status: 401 })
      } finally {
        current.nodes[0]?.signal('SIGCONT')
      }
    }
    process.stdout.write(`a frozen server: was waited for ${waits.join(', ')} ms\n`)
    expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MILLISECONDS)
    expect(await countLateRevocations(current)).toBe(before + 2 * freezes)
  })
}

/** Revokes permissions while the bus is down. */
export function testLostBus(trio: () => Trio, rounds: number): void {
  it('enforces revoked permissions without a bus within three seconds', async () => {
    const { here, owner, user, elsewhere, nats } = trio()
    await nats?.kill()
    await expect.poll(() => here.parley.logs.bus.isConnected).toBe(false)
    const waits: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const somebody = await user(`Unheard ${round}`)
      const there = elsewhere(somebody)
      for (const at of there) expect(await at.try('GET', '/users/me')).toMatchObject({ status: 200 })
      const began = performance.now()
      await owner.call('DELETE', `/users/${somebody.id}`)
      waits.push(Math.round(performance.now() - began))
      const answers = await Promise.all(there.map(async (at) => at.try('GET', '/users/me')))
      expect(answers.map(httpStatus)).toEqual([401, 401])
    }
    process.stdout.write(`rights taken away without a bus: after ${waits.join(', ')} ms\n`)
    expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MILLISECONDS)
  })
}

/** Revokes a user's permissions one by one, and immediately tries to use each at the other servers. */
async function revokeEachPermission(
  round: number,
  { owner, user, elsewhere }: Pick<Trio, 'owner' | 'user' | 'elsewhere'>,
  wrongs: StaleResponseCounts,
): Promise<void> {
  const somebody = await user(`Somebody ${round}`)
  const askAllServers = async (ask: (at: TestUser) => Promise<boolean>, who = somebody): Promise<boolean[]> =>
    Promise.all(elsewhere(who).map(ask))
  const isAuthenticated = async (at: TestUser): Promise<boolean> => httpStatus(await at.try('GET', '/users/me')) === 200
  /** Newly granted permissions can arrive with a delay. */
  const had = async (ask: (at: TestUser) => Promise<boolean>, who = somebody): Promise<void> => {
    await expect.poll(async () => askAllServers(ask, who)).toEqual([true, true])
  }

  const isAdministrator = async (at: TestUser): Promise<boolean> =>
    httpStatus(await at.try('GET', '/server_health')) === 200
  await had(isAdministrator)
  await wrongs.timed(owner.call('PATCH', `/users/${somebody.id}`, { role: 400 }))
  wrongs.note('role', await askAllServers(isAdministrator))

  const channel = `Private ${round}`
  const both = { principals: [owner.id, somebody.id], invite_only: true, history_public_to_subscribers: true }
  await owner.subscribe([channel], both)
  await owner.send(channel, 'secret', 'What only members read')
  const narrow = JSON.stringify([{ operator: 'channel', operand: channel }])
  const reads = async (at: TestUser): Promise<boolean> => {
    const { body } = await at.try('GET', '/messages', { narrow, anchor: 'newest', num_before: 10, num_after: 0 })
    return (body['messages'] ?? []).length > 0
  }
  await had(reads)
  const leaving = { subscriptions: [channel], principals: [somebody.id] }
  await wrongs.timed(owner.call('DELETE', '/users/me/subscriptions', leaving))
  wrongs.note('channel', await askAllServers(reads))

  const browser = await signIn(somebody)
  const isSignedIn = async (at: TestUser): Promise<boolean> => isAuthenticated(new TestBrowser(at, browser.cookie))
  await had(isSignedIn)
  await wrongs.timed(browser.call('DELETE', `/sessions/${await browser.session()}`))
  wrongs.note('session', await askAllServers(isSignedIn))

  await had(isAuthenticated)
  let renewed = somebody
  await wrongs.timed(
    somebody.call('POST', '/users/me/api_key/regenerate').then(({ api_key: key }) => {
      renewed = new TestUser(somebody.url, somebody.host, somebody.email, key, somebody.id)
    }),
  )
  wrongs.note('key', await askAllServers(isAuthenticated))

  await had(isAuthenticated, renewed)
  await wrongs.timed(owner.call('DELETE', `/users/${somebody.id}`))
  wrongs.note('account', await askAllServers(isAuthenticated, renewed))
}

/** Counts responses that this process's server gave before all other servers had confirmed the change. */
async function countLateRevocations({ here }: Trio): Promise<number> {
  const answer = await fetch(`${here.parley.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const [, count] = /^parley_rights_taken_total\{outcome="late"\} (\d+)$/m.exec(await answer.text()) ?? []
  if (count === undefined) throw new Error(`the metric is missing: ${answer.status}`)
  return Number(count)
}
