import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../server/src/capabilities/users/actions/accounts.ts'
import { ROLE } from '../../server/src/kernel/actor.ts'
import { effort, someOf } from '../../server/src/testing/effort.ts'
import { statementsDuring } from '../../server/src/testing/statements.ts'
import { useTestServer, type TestOrganization } from '../../server/src/testing/server.ts'
import { basic } from '../../server/src/testing/user.ts'
import { requireOrganizationInStatements } from '../../server/src/testing/whose-rows.ts'
import { createRequester, type Reply } from '../parts/asking.js'
import type { Document } from './declared.js'
import { fillOrganizationToLimits } from './fill.js'
import { worstInputs, ENDPOINT_INDEPENDENT_REQUESTS } from './inputs.js'
import type { Inputs } from './known.js'
import { formRequest, type Request } from './requests.js'

/*
 * Checks the cost of the most expensive known request of each endpoint, as far as it can be measured without a clock.
 * The figure `worst` of `npm run bench` measures the time.
 */

/** Half of the memory that one request may use. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
/** Number of sequential round trips. Covers requests that reorder 200 objects. */
const MAX_STATEMENTS = 250
/** Endpoints that need more statements, with the reason. */
const MORE_STATEMENTS: Readonly<Record<string, { readonly most: number; readonly reason: string }>> = {
  subscribe: { most: 2_100, reason: 'two for each of 1,000 new channels' },
}

const PEOPLE = effort(300)
const CHANNELS = effort(60)
const LONG_TOPIC = effort(300)
/** Share of the limits. Filling the organization takes most of the time. */
const SHARE_OF_LIMITS = (effort(100) / 100) ** 2

// Busy machines take longer, and this test does not measure time.
const server = useTestServer({ PARLEY_REQUEST_DEADLINE_SECONDS: '120' })
requireOrganizationInStatements(server)
let organization: TestOrganization
let asking: ReturnType<typeof createRequester>
let inputs: Inputs

beforeAll(async () => {
  organization = await server().organization()
  const { owner } = organization
  await addPeople(organization)
  await owner.subscribe(Array.from({ length: CHANNELS }, (_, index) => `channel ${index}`))
  await owner.subscribe(['general'])
  const channel = (await owner.call('GET', '/get_stream_id', { stream: 'general' }))['stream_id']
  let newest = 0
  for (let index = 0; index < LONG_TOPIC; index += 1) newest = await owner.send(channel, 'long', `Message ${index}`)
  asking = createRequester(owner.url, { host: owner.host, authorization: basic(owner.email, owner.apiKey) })
  const known = await fillOrganizationToLimits(succeed, { channel, name: 'long', newest }, SHARE_OF_LIMITS)
  inputs = worstInputs(known, (await succeed(formRequest('', 'GET /openapi.json'))) as unknown as Document)
}, 600_000)

afterAll(() => asking.close())

async function addPeople({ id }: TestOrganization): Promise<void> {
  const log = await server().parley.logs.of(id)
  await log.write(async (tx) => {
    for (let index = 0; index < PEOPLE; index += 1) {
      const account = { email: `person${index}@example.com`, fullName: `Person ${index}`, role: ROLE.member }
      await createAccount(tx, account, null)
    }
  })
}

async function succeed(request: Request): Promise<Record<string, unknown>> {
  const reply = await asking.ask(request)
  if (reply.status !== 200) throw new Error(`${request.method} ${request.path}: ${JSON.stringify(reply.body())}`)
  return reply.body()
}

it("limits the response size and the database statements of each endpoint's worst-case request", async () => {
  const problems: string[] = []
  const all = [['any', ENDPOINT_INDEPENDENT_REQUESTS] as const, ...Object.entries(inputs)].flatMap(
    ([endpoint, some]) => (typeof some === 'string' ? [] : some.map((request) => [endpoint, request] as const)),
  )
  for (const [endpoint, request] of someOf(all)) {
    let reply: Reply = { status: 0, bytes: 0, body: () => ({}) }
    const statements = await statementsDuring(server().database, async () => {
      reply = await asking.ask(request)
    })
    const most = MORE_STATEMENTS[endpoint]?.most ?? MAX_STATEMENTS
    const seen = `${endpoint}, ${request.what}: ${reply.status}, ${reply.bytes} bytes, ${statements.length} statements`
    const isGood = reply.status < 500 && reply.bytes <= MAX_ANSWER_BYTES && statements.length <= most
    if (!isGood) problems.push(seen)
  }
  expect(problems).toEqual([])
}, 600_000)
