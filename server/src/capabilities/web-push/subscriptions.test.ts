import { describe, expect, it } from 'vitest'
import { browserOf, createLoginLink, signIn } from '../../testing/browser.ts'
import { anyNumber } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type Answer, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { PUSH_SUBSCRIPTION_LIMIT } from './contract.ts'
import {
  listDevices,
  waitForPushes,
  startTestPushService,
  createFixtureOn,
  POLL_OPTIONS,
  subscribeDevice,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const refusal = ({ status, body }: Answer): unknown[] => [status, body['code'], body['msg']]

describe('push subscriptions', () => {
  it('lists push devices only for their owner, without endpoints, and sends no events about them', async () => {
    const { owner, ann, device, deviceId } = await createFixtureOn(server())
    const look = await watch({ owner, ann })
    const second = (await startTestPushService()).device()
    const secondId = await subscribeDevice(ann, second)
    const list = await ann.call('GET', '/push_subscriptions')
    const made = anyNumber
    const one = { id: deviceId, device: 'ParleyTest', created_at: made, is_current: false, failure: null }
    expect(list).toMatchObject({
      push_subscriptions: [{ ...one, id: secondId }, one],
      quiet_hours: null,
      shows_content: true,
    })
    // Endpoints are secret and not returned, even to the user who registered them.
    expect(JSON.stringify(list)).not.toContain(device.subscription.endpoint)
    const others = await owner.call('GET', '/push_subscriptions')
    expect(others['push_subscriptions']).toEqual([])
    expect(others['application_server_key']).toBe(list['application_server_key'])
    expect(Buffer.from(list['application_server_key'], 'base64url').length).toBe(65)
    const elsewhere = await createFixtureOn(server())
    const { application_server_key } = await elsewhere.ann.call('GET', '/push_subscriptions')
    expect(application_server_key).not.toBe(list['application_server_key'])
    await ann.call('DELETE', `/push_subscriptions/${deviceId}`)
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([secondId])
    expect(await look()).toEqual({ owner: [], ann: [] })
  })

  it('creates one server key for concurrent requests', async () => {
    const { owner } = await server().organization()
    const keys = await Promise.all(
      Array.from({ length: 5 }, async () => (await owner.call('GET', '/push_subscriptions'))['application_server_key']),
    )
    expect(new Set(keys).size).toBe(1)
  })

  it('moves a device to the person who last subscribed it', async () => {
    const { ann, bob, device, deviceId } = await createFixtureOn(server())
    const again = await subscribeDevice(ann, device)
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([again])
    expect(again).not.toBe(deviceId)
    await subscribeDevice(bob, device)
    expect(await listDevices(ann)).toEqual([])
    expect(await listDevices(bob)).toHaveLength(1)
  })

  it('replaces the oldest device if a person registers more than 20', async () => {
    const { ann, deviceId, service } = await createFixtureOn(server())
    const ids = [deviceId]
    while (ids.length < PUSH_SUBSCRIPTION_LIMIT.most) ids.push(await subscribeDevice(ann, service.device()))
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual(ids.toReversed())
    const last = await subscribeDevice(ann, service.device())
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([last, ...ids.slice(1).toReversed()])
  })

  it.each<[string, Body, string]>([
    ['a malformed endpoint', { endpoint: 'push' }, 'endpoint is not valid: the address is malformed'],
    [
      'an endpoint of another scheme',
      { endpoint: 'file:///etc/passwd' },
      'endpoint is not valid: the address does not start with http:// or https://',
    ],
    [
      'an endpoint with a password',
      { endpoint: 'https://a:b@push.example/' },
      'endpoint is not valid: the address contains a user name or a password',
    ],
    ['a key that is too short', { p256dh: 'BAAA' }, 'p256dh is not a valid key'],
    ['a key off the curve', { p256dh: `B${'A'.repeat(86)}` }, 'p256dh is not a valid key'],
    ['a malformed key', { p256dh: '!' }, 'p256dh is not a valid key'],
    ['a secret that is too short', { auth: 'AAAA' }, 'auth is not a valid secret'],
    ['a secret that is too long', { auth: 'A'.repeat(24) }, 'auth is not a valid secret'],
  ])('rejects a device with %s without changes', async (_, wrong, message) => {
    const { ann, service, deviceId } = await createFixtureOn(server())
    const answer = await ann.try('POST', '/push_subscriptions', { ...service.device().subscription, ...wrong })
    expect(refusal(answer)).toEqual([400, 'BAD_REQUEST', message])
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([deviceId])
  })

  it("refuses push device requests that come from bots, lack credentials, or name other people's devices", async () => {
    const { owner, ann, bob, host, user, service, device, deviceId } = await createFixtureOn(server())
    const bot = await user('Bot', { bot: { ownerId: owner.id } })
    const none = [400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.']
    expect(refusal(await bot.try('POST', '/push_subscriptions', service.device().subscription))).toEqual(none)
    expect(refusal(await bot.try('GET', '/push_subscriptions'))).toEqual(none)
    expect(refusal(await bot.try('PATCH', '/push_settings', { shows_content: false }))).toEqual(none)
    const stranger = await callApi(owner.url, host, 'POST', '/push_subscriptions', service.device().subscription)
    expect(stranger.body['code']).toBe('UNAUTHENTICATED_USER')
    for (const [method, path] of [
      ['DELETE', `/push_subscriptions/${deviceId}`],
      ['POST', `/push_subscriptions/${deviceId}/test`],
    ] as const) {
      const hidden = refusal(await bob.try(method, path))
      expect(hidden).toEqual([400, 'BAD_REQUEST', 'Invalid push subscription ID'])
      expect(refusal(await bob.try(method, path.replace(String(deviceId), '999999')))).toEqual(hidden)
    }
    expect(await listDevices(ann)).toHaveLength(1)
    expect(device.pushes()).toEqual([])
  })

  it('sends a test push to a device on request', async () => {
    const { ann, device, deviceId } = await createFixtureOn(server())
    await ann.call('POST', `/push_subscriptions/${deviceId}/test`)
    expect(await waitForPushes(device, 1)).toEqual([{ type: 'test', language: 'en' }])
  })
})

describe('ends of push subscriptions', () => {
  it('removes a device when its browser signs out', async () => {
    const { ann, service, deviceId } = await createFixtureOn(server())
    const [first, second] = [await signIn(ann), await signIn(ann)]
    const [, kept] = [await subscribeDevice(first, service.device()), await subscribeDevice(second, service.device())]
    expect((await listDevices(second)).map(({ is_current }) => is_current)).toEqual([true, false, false])
    await first.call('POST', '/logout')
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([kept, deviceId])
    await ann.call('DELETE', `/sessions/${await second.session()}`)
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([deviceId])
  })

  it('removes a device when its browser signs in again', async () => {
    const { ann, service, deviceId } = await createFixtureOn(server())
    const browser = await signIn(ann)
    await subscribeDevice(browser, service.device())
    const token = await createLoginLink(ann)
    browserOf(ann, await browser.sends(browser.headers, 'POST', '/login_link', { token }))
    expect((await listDevices(ann)).map(({ id }) => id)).toEqual([deviceId])
  })

  it('removes a device when its API key is replaced', async () => {
    const { ann } = await createFixtureOn(server())
    const browser = await signIn(ann)
    await browser.call('POST', '/users/me/api_key/regenerate')
    expect(await listDevices(browser)).toEqual([])
  })

  it('removes devices on deactivation and does not restore them on reactivation', async () => {
    const { owner, ann, bob, device } = await createFixtureOn(server())
    await owner.call('DELETE', `/users/${ann.id}`)
    await owner.call('POST', `/users/${ann.id}/reactivate`)
    await ann.fetchApiKey()
    expect(await listDevices(ann)).toEqual([])
    await bob.sendTo([ann.id], 'Are you there?')
    const [own, ofBob] = [await startTestPushService(), await startTestPushService()].map((one) => one.device())
    if (own === undefined || ofBob === undefined) throw new Error('there are two')
    await subscribeDevice(ann, own)
    await bob.sendTo([ann.id], 'And now?')
    expect(await waitForPushes(own, 1)).toMatchObject([{ content: 'And now?' }])
    expect(device.pushes()).toEqual([])
  })

  it.each([404, 410])('removes a device whose push service answers with status %i', async (status) => {
    const { ann, bob, service, device } = await createFixtureOn(server())
    service.answer((response) => response.writeHead(status).end())
    await bob.sendTo([ann.id], 'Are you there?')
    await expect.poll(async () => listDevices(ann), POLL_OPTIONS).toEqual([])
    expect([service.attempts(), device.pushes().length]).toEqual([1, 0])
  })
})
