import { describe, expect, it } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { blockWriter } from '../../testing/hold.ts'
import { startTestServerOn, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { openStream } from '../../testing/stream.ts'
import { callApi, TestUser, type Answer } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { dueScheduledMessages } from '../scheduled-messages/queries.ts'
import { deactivateOrganization, reactivateOrganization } from './actions/index.ts'
import { findOrganization } from './queries/index.ts'

const server = useTestServer({ PARLEY_HEARTBEAT_SECONDS: '3600', PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const DEACTIVATED_RESPONSE = {
  result: 'error',
  code: 'REALM_DEACTIVATED',
  msg: 'This organization has been deactivated',
}

async function reactivate({ id }: Pick<TestOrganization, 'id'>): Promise<void> {
  await (await server().parley.logs.of(id)).write(reactivateOrganization)
}

async function parkPoll(user: TestUser, queueId: string): Promise<{ answer: Promise<Answer> }> {
  const before = server().parley.queues.count().parked
  const answer = user.try('GET', '/events', { queue_id: queueId, last_event_id: -1 })
  await expect.poll(() => server().parley.queues.count().parked).toBe(before + 1)
  return { answer }
}

describe('organization deactivation', () => {
  it("sends the organization's deactivation to every queue as the queue's last event", async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [mia, gus] = [await user('Mia'), await user('Gus', { role: 600 })]
    const browser = await signIn(gus)
    const [own, mias, quiet, others] = [
      await owner.register(),
      await mia.register(),
      await mia.register({ event_types: ['message'] }),
      await browser.register(),
    ]
    const stream = await openStream(owner, { queue_id: own.id, last_event_id: -1 }).begun()
    const polls = [await parkPoll(mia, mias.id), await parkPoll(browser, others.id)]
    const untold = await parkPoll(mia, quiet.id)
    expect((await owner.call('POST', '/realm/deactivate'))['result']).toBe('success')
    const event = { type: 'realm', op: 'deactivated', realm_id: organization.id }
    for (const { answer } of polls) {
      expect(await answer).toMatchObject({ status: 200, body: { events: [event] } })
    }
    expect((await untold.answer).body).toEqual(DEACTIVATED_RESPONSE)
    await stream.ended()
    expect(stream.events).toMatchObject([event])
    expect(stream.named.at(-1)).toEqual({ name: 'error', data: DEACTIVATED_RESPONSE })
  })

  it('ends queues and sessions of a deactivated organization but keeps its data until reactivation', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const mia = await user('Mia')
    await owner.subscribe(['general'], { principals: [owner.id, mia.id] })
    const id = await mia.send('general', 'hello', 'Still there')
    const [queue, browser] = [await mia.register(), await signIn(mia)]
    await owner.call('POST', '/realm/deactivate')
    await reactivate(organization)
    expect((await mia.call('GET', `/messages/${id}`))['message']).toMatchObject({ id })
    expect((await mia.try('GET', '/events', { queue_id: queue.id, last_event_id: -1 })).body['code']).toBe(
      'BAD_EVENT_QUEUE_ID',
    )
    expect((await browser.try('GET', '/users/me')).body['code']).toBe('UNAUTHENTICATED_USER')
    expect((await mia.register()).state['realm_name']).toBe('Test')
    expect(await mia.send('general', 'hello', 'Back')).toBeGreaterThan(id)
    const { entries } = await owner.call('GET', '/audit_log', { limit: 2 })
    expect(entries).toMatchObject([
      { acting_user_id: null, kind: 'settings', changes: [{ property: 'deactivated', from: true, to: false }] },
      { acting_user_id: owner.id, kind: 'settings', action: 'deactivated' },
    ])
  })

  it('lets only owners deactivate the organization', async () => {
    const { owner, user } = await server().organization()
    const look = await watch({ owner })
    for (const role of [200, 300, 400, 600] as const) {
      const somebody = await user(`Role ${role}`, { role })
      await look()
      const { status, body } = await somebody.try('POST', '/realm/deactivate')
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Must be an organization owner'])
      expect(await look()).toEqual({ owner: [] })
    }
    const stranger = await callApi(owner.url, owner.host, 'POST', '/realm/deactivate', {})
    expect(stranger.body['code']).toBe('UNAUTHENTICATED_USER')
    expect((await owner.call('GET', '/users/me'))['user_id']).toBe(owner.id)
  })
})

describe('deactivated organizations', () => {
  it('refuses every request to a deactivated organization, whatever the credentials', async () => {
    const { owner, user } = await server().organization('Test', { password: 'correct horse' })
    const mia = await user('Mia')
    const elsewhere = await server().organization('Elsewhere')
    const browser = await signIn(mia)
    const { avatar_url: avatar } = await mia.call('GET', '/users/me', { client_external_avatar: false })
    const path = new URL(avatar, mia.url).pathname
    expect((await browser.fetches(path)).status).toBe(200)
    await owner.call('POST', '/realm/deactivate')
    const wrong = new TestUser(mia.url, mia.host, mia.email, 'wrong', mia.id)
    const { email, apiKey, id } = elsewhere.owner
    const foreign = new TestUser(owner.url, owner.host, email, apiKey, id)
    const stranger = async (method: string, at: string, parameters = {}): Promise<Answer> =>
      callApi(owner.url, owner.host, method, at, parameters)
    const login = { username: owner.email, password: 'correct horse' }
    const answers = await Promise.all([
      owner.try('GET', '/users/me'),
      owner.try('POST', '/realm/deactivate'),
      owner.try('POST', '/messages', { type: 'direct', to: [mia.id], content: 'Hello?' }),
      mia.try('POST', '/register'),
      mia.try('GET', '/events', { queue_id: 'any', last_event_id: -1 }),
      wrong.try('GET', '/users/me'),
      foreign.try('GET', '/users/me'),
      browser.try('GET', '/users/me'),
      stranger('GET', '/server_settings'),
      stranger('POST', '/fetch_api_key', login),
      stranger('POST', '/dev_fetch_api_key', login),
      stranger('POST', '/login', login),
      stranger('POST', '/login_link', { token: 'any' }),
      stranger('POST', '/register'),
    ])
    for (const { status, body } of answers) expect([status, body]).toEqual([401, DEACTIVATED_RESPONSE])
    expect((await browser.fetches(path)).status).toBe(401)
    expect((await elsewhere.owner.call('GET', '/users/me'))['user_id']).toBe(elsewhere.owner.id)
  })

  it("refuses changes that were queued behind the organization's deactivation", async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const mia = await user('Mia')
    await owner.subscribe(['general'], { principals: [owner.id, mia.id] })
    const release = await blockWriter(server().parley, organization)
    const ending = owner.try('POST', '/realm/deactivate')
    // Once a later request has been answered, the deactivation is waiting for the lock, ahead of later changes.
    await owner.call('GET', '/users/me')
    const late = [
      mia.try('POST', '/saved_snippets', { title: 'Late', content: 'x' }),
      mia.try('PATCH', '/settings', { enter_sends: true }),
    ]
    await mia.call('GET', '/users/me')
    release()
    expect((await ending).status).toBe(200)
    for (const answer of late) expect((await answer).body).toEqual(DEACTIVATED_RESPONSE)
    await reactivate(organization)
    expect((await mia.call('GET', '/saved_snippets'))['saved_snippets']).toEqual([])
  })

  it("refuses a message and a star that arrive during the organization's deactivation", async () => {
    const organization = await server().organization()
    const { owner } = organization
    await owner.subscribe(['general'])
    const id = await owner.send('general', 'hello', 'A star?')
    const log = await server().parley.logs.of(organization.id)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let ending: Promise<void> | undefined
    await new Promise<void>((begun) => {
      ending = log.write(async (tx) => {
        await deactivateOrganization(tx)
        begun()
        await held
      })
    })
    const sending = owner.try('POST', '/messages', { type: 'stream', to: 'general', topic: 'late', content: 'Late' })
    const starring = owner.try('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    // The server accepts requests until the commit.
    await owner.call('GET', '/users/me')
    release()
    await ending
    expect((await sending).body).toEqual(DEACTIVATED_RESPONSE)
    expect((await starring).body).toEqual(DEACTIVATED_RESPONSE)
    await reactivate(organization)
    const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
    expect(messages).toEqual([expect.objectContaining({ id, flags: [] })])
  })

  it('deactivates an organization on every running server, and on servers that start later', async () => {
    const organization = await server().organization()
    const { owner, host } = organization
    const second = await startTestServerOn(server().database, {}, { shared: true })
    const there = new TestUser(second.parley.url, host, owner.email, owner.apiKey, owner.id)
    await there.call('GET', '/users/me')
    await owner.call('POST', '/realm/deactivate')
    await expect.poll(async () => (await there.try('GET', '/users/me')).body).toEqual(DEACTIVATED_RESPONSE)
    await second.close()
    const third = await startTestServerOn(server().database, {}, { shared: true })
    const later = new TestUser(third.parley.url, host, owner.email, owner.apiKey, owner.id)
    expect((await later.try('GET', '/users/me')).body).toEqual(DEACTIVATED_RESPONSE)
    await third.close()
    expect(await findOrganization(server().parley.database.kysely, host.split('.')[0] ?? '')).toMatchObject({
      id: organization.id,
    })
  })

  it('holds scheduled messages of a deactivated organization until reactivation', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const { pool, reads } = server().parley.database
    await owner.call('POST', '/scheduled_messages', {
      type: 'direct',
      to: [owner.id],
      content: 'Later',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
    })
    await owner.call('POST', '/realm/deactivate')
    await pool.query('update scheduled_messages set delivery_at = 0 where organization_id = $1', [organization.id])
    const due = await dueScheduledMessages(reads, Math.floor(Date.now() / 1000))
    expect(due.filter(({ organizationId }) => organizationId === organization.id)).toEqual([])
    await reactivate(organization)
    await expect
      .poll(async () => (await owner.call('GET', '/scheduled_messages'))['scheduled_messages'], { timeout: 5_000 })
      .toEqual([])
  })
})
