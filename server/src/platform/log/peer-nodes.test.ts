import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeSettings } from '../../capabilities/organizations/testing/settings.ts'
import { signIn } from '../../testing/browser.ts'
import { startTestServer, startTestServerOn, type TestOrganization, type TestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { processCounts } from '../metrics/counts.ts'

function countAsking({ parley }: TestServer): () => number {
  const { reads } = parley.database
  const read = reads.rows.bind(reads)
  let count = 0
  reads.rows = async <Row>(name: string, text: string, parameters: readonly unknown[]): Promise<Row[]> => {
    if (name === 'members') count += 1
    return read<Row>(name, text, parameters)
  }
  return () => count
}

interface Scene extends TestOrganization {
  readonly server: TestServer
  readonly member: TestUser
  readonly channelId: number
  readonly groupId: number
}

async function createScene(server: TestServer): Promise<Scene> {
  const organization = await server.organization('Test', { password: 'correct horse battery' })
  const { owner, user } = organization
  const member = await user('Mia Member')
  await owner.subscribe(['plans'], { principals: [owner.id, member.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'plans' })
  const group = { name: 'writers', description: '', members: [owner.id, member.id] }
  await owner.call('POST', '/user_groups/create', group)
  const { user_groups: groups } = await owner.call('GET', '/user_groups')
  const { id: groupId } = groups.find(({ name }) => name === 'writers') ?? {}
  return { ...organization, server, member, channelId: stream_id, groupId: Number(groupId) }
}

type MemberOperation = readonly [what: string, doing: (scene: Scene) => Promise<unknown>]

const REVOKING_OPERATIONS: readonly MemberOperation[] = [
  ['deactivates a user', async ({ owner, member }) => owner.call('DELETE', `/users/${member.id}`)],
  ['lowers the role of a user', async ({ owner, member }) => owner.call('PATCH', `/users/${member.id}`, { role: 600 })],
  ['renews an API key', async ({ member }) => member.call('POST', '/users/me/api_key/regenerate')],
  ['hides an email address', async ({ member }) => member.call('PATCH', '/settings', { email_address_visibility: 3 })],
  [
    'unsubscribes a user',
    async ({ owner, member }) =>
      owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['plans'], principals: [member.id] }),
  ],
  [
    'makes a channel private',
    async ({ owner, channelId }) => owner.call('PATCH', `/streams/${channelId}`, { is_private: true }),
  ],
  [
    'restricts who can send to a channel',
    async ({ owner, channelId, groupId }) =>
      owner.call('PATCH', `/streams/${channelId}`, {
        can_send_message_group: { new: groupId },
      }),
  ],
  ['archives a channel', async ({ owner, channelId }) => owner.call('DELETE', `/streams/${channelId}`)],
  [
    'removes a group member',
    async ({ owner, member, groupId }) =>
      owner.call('POST', `/user_groups/${groupId}/members`, { delete: [member.id] }),
  ],
  [
    'changes an organization setting',
    async ({ server, id }) => changeSettings(server.parley, id, { message_content_edit_limit_seconds: 60 }),
  ],
]

const OTHER_OPERATIONS: readonly MemberOperation[] = [
  ['sends a message', async ({ owner }) => owner.send('plans', 'hello', 'Hello')],
  [
    'reacts to, stars, and edits a message',
    async ({ owner }) => {
      const id = await owner.send('plans', 'hello', 'Hello')
      await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' })
      await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
      await owner.call('PATCH', `/messages/${id}`, { content: 'Edited' })
    },
  ],
  ['raises the role of a user', async ({ owner, member }) => owner.call('PATCH', `/users/${member.id}`, { role: 300 })],
  [
    'renames a user',
    async ({ owner, member }) => owner.call('PATCH', `/users/${member.id}`, { full_name: 'Mia Renamed' }),
  ],
  ['subscribes users', async ({ owner, member }) => owner.subscribe(['news'], { principals: [owner.id, member.id] })],
  [
    'renames a channel',
    async ({ owner, channelId }) => owner.call('PATCH', `/streams/${channelId}`, { new_name: 'other plans' }),
  ],
  ['creates an account', async ({ user }) => user('Nora Newcomer')],
  ['changes a personal setting', async ({ owner }) => owner.call('PATCH', '/settings', { enter_sends: true })],
]

describe('server on a shared database', () => {
  let server: TestServer
  let asked: () => number
  beforeAll(async () => {
    server = await startTestServer({}, { shared: true })
    asked = countAsking(server)
  })
  afterAll(async () => server.close())

  it.each(REVOKING_OPERATIONS)('looks up other nodes of a shared database when an operation %s', async (_, doing) => {
    const scene = await createScene(server)
    const before = asked()
    await doing(scene)
    expect(asked() - before).toBe(1)
  })

  it('looks up other nodes of a shared database when a session ends', async () => {
    const { member } = await createScene(server)
    const browser = await signIn(member)
    const session = await browser.session()
    const before = asked()
    await browser.call('DELETE', `/sessions/${session}`)
    expect(asked() - before).toBe(1)
  })

  it.each(OTHER_OPERATIONS)('looks up no other nodes of a shared database when an operation %s', async (_, doing) => {
    const scene = await createScene(server)
    const before = asked()
    await doing(scene)
    expect(asked() - before).toBe(0)
  })
})

describe('server on its embedded database', () => {
  let server: TestServer
  let asked: () => number
  beforeAll(async () => {
    server = await startTestServer()
    asked = countAsking(server)
  })
  afterAll(async () => server.close())

  it.each(REVOKING_OPERATIONS)(
    'does not look up other nodes when an operation %s on an embedded database',
    async (_, doing) => {
      await doing(await createScene(server))
      expect(asked()).toBe(0)
    },
  )
})

describe('two servers', () => {
  let first: TestServer
  let second: TestServer
  beforeAll(async () => {
    first = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
    second = await startTestServerOn(first.database, { PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  async function nodes(): Promise<number[]> {
    const { rows } = await first.parley.database.pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock'
       and database = (select oid from pg_database where datname = current_database()) order by pid`,
    )
    return rows.map(({ pid }) => pid)
  }

  it('lets a server rejoin after losing its connections, and enforces a deactivation on both servers', async () => {
    const { owner, user } = await first.organization()
    const atSecondServer = (who: TestUser): TestUser =>
      new TestUser(second.parley.url, who.host, who.email, who.apiKey, who.id)
    await atSecondServer(owner).call('GET', '/users/me')
    await expect.poll(() => [first, second].map(({ parley }) => parley.logs.isCurrent)).toEqual([true, true])
    const before = await nodes()
    expect(before).toHaveLength(2)
    for (const pid of before) await first.parley.database.pool.query('select pg_terminate_backend($1)', [pid])
    await expect.poll(() => [first, second].map(({ parley }) => parley.logs.isCurrent)).toContain(false)
    await expect.poll(nodes).toHaveLength(2)
    expect((await nodes()).filter((pid) => before.includes(pid))).toEqual([])
    await expect.poll(() => [first, second].map(({ parley }) => parley.logs.isCurrent)).toEqual([true, true])
    const counted = { ...processCounts.confirmations }
    const leaving = await user('Lea Leaving')
    expect(await atSecondServer(leaving).try('GET', '/users/me')).toMatchObject({ status: 200 })
    await owner.call('DELETE', `/users/${leaving.id}`)
    expect(await atSecondServer(leaving).try('GET', '/users/me')).toMatchObject({ body: { code: 'USER_DEACTIVATED' } })
    expect(processCounts.confirmations).toEqual({ ...counted, applied: counted.applied + 1 })
  })

  it('does not wait for a node that shut down', async () => {
    const third = await startTestServerOn(first.database, { PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
    expect(await nodes()).toHaveLength(3)
    await third.close()
    await expect.poll(nodes).toHaveLength(2)
    const { owner, user } = await first.organization()
    const counted = { ...processCounts.confirmations }
    await owner.call('DELETE', `/users/${(await user('Lea Leaving')).id}`)
    expect(processCounts.confirmations).toEqual({ ...counted, applied: counted.applied + 1 })
  })
})
