import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { anyNumber } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type Answer, type Body, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { CLIENT_DEVICE_LIMIT, MAX_TOKEN_CHARACTERS, PUSH_TOKEN_LIMIT } from './contract.ts'

const server = useTestServer()

const APNS_PATH = '/users/me/apns_device_token'
const FCM_PATH = '/users/me/android_gcm_reg_id'
const APP_ID = 'org.parley.phone'

async function listTokens(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/users/me/push_tokens'))['push_tokens']
}

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code'], body['msg']]
}

describe('phone push tokens', () => {
  it('stores, lists, and removes phone tokens only for their owner, without sending events', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    const look = await watch({ owner, ann })
    await ann.call('POST', APNS_PATH, { token: 'ab01', appid: APP_ID })
    await ann.call('POST', FCM_PATH, { token: 'abc:DEF_-' })
    await owner.call('POST', FCM_PATH, { token: 'other' })
    const apple = { token_kind: 'apns', token: 'ab01', appid: APP_ID, registered_at: anyNumber }
    const google = { ...apple, token_kind: 'fcm', token: 'abc:DEF_-', appid: null }
    expect(await listTokens(ann)).toEqual([google, apple])
    // Registering a token again makes it the newest.
    await ann.call('POST', APNS_PATH, { token: 'ab01', appid: 'org.parley.tablet' })
    expect(await listTokens(ann)).toEqual([{ ...apple, appid: 'org.parley.tablet' }, google])
    expect(await listTokens(owner)).toMatchObject([{ token: 'other' }])
    await ann.call('DELETE', APNS_PATH, { token: 'ab01' })
    await ann.call('DELETE', FCM_PATH, { token: 'abc:DEF_-' })
    expect(await listTokens(ann)).toEqual([])
    expect(await listTokens(owner)).toHaveLength(1)
    expect(await look()).toEqual({ owner: [], ann: [] })
  })

  it.each([
    ['POST', APNS_PATH, { token: '', appid: APP_ID }, 'Empty or invalid length token'],
    [
      'POST',
      APNS_PATH,
      { token: 'a'.repeat(MAX_TOKEN_CHARACTERS + 2), appid: APP_ID },
      'Empty or invalid length token',
    ],
    ['POST', APNS_PATH, { token: 'abc', appid: APP_ID }, 'Invalid APNS token'],
    ['POST', APNS_PATH, { token: 'xy', appid: APP_ID }, 'Invalid APNS token'],
    ['POST', APNS_PATH, { token: 'ab', appid: '' }, 'Invalid app ID'],
    ['POST', APNS_PATH, { token: 'ab', appid: 'org parley' }, 'Invalid app ID'],
    ['POST', APNS_PATH, { token: 'ab', appid: 'a'.repeat(156) }, 'Invalid app ID'],
    ['POST', FCM_PATH, { token: '' }, 'Empty or invalid length token'],
    ['POST', FCM_PATH, { token: 'x'.repeat(MAX_TOKEN_CHARACTERS + 1) }, 'Empty or invalid length token'],
    ['POST', FCM_PATH, { token: 'a b' }, 'Invalid FCM token'],
    ['DELETE', APNS_PATH, { token: 'ab' }, 'Token does not exist'],
    ['DELETE', APNS_PATH, { token: 'x' }, 'Invalid APNS token'],
    ['DELETE', FCM_PATH, { token: 'ab' }, 'Token does not exist'],
  ])('refuses %s %s with invalid parameters: %j', async (method, path, parameters: Parameters, message) => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    // Other users' tokens do not count.
    await ann.call('POST', APNS_PATH, { token: 'ab', appid: APP_ID })
    await ann.call('POST', FCM_PATH, { token: 'ab' })
    expect(refusal(await owner.try(method, path, parameters))).toEqual([400, 'BAD_REQUEST', message])
    expect(await listTokens(owner)).toEqual([])
    expect(await listTokens(ann)).toHaveLength(2)
  })

  it("removes a person's phone tokens when their API key is replaced", async () => {
    const { owner } = await server().organization()
    await owner.call('POST', FCM_PATH, { token: 'abc' })
    owner.apiKey = (await owner.call('POST', '/users/me/api_key/regenerate')).api_key
    expect(await listTokens(owner)).toEqual([])
  })

  it('replaces the oldest push token if a person has more than 50', async () => {
    const { owner } = await server().organization()
    for (let count = 0; count <= PUSH_TOKEN_LIMIT.most; count += 1) {
      await owner.call('POST', FCM_PATH, { token: `token-${count}` })
    }
    const kept = (await listTokens(owner)).map(({ token }) => token)
    expect(kept).toHaveLength(PUSH_TOKEN_LIMIT.most)
    expect([kept[0], kept.at(-1)]).toEqual([`token-${PUSH_TOKEN_LIMIT.most}`, 'token-1'])
  })
})

describe('requests without a push service', () => {
  const PHONE = {
    token_kind: 'fcm',
    push_account_id: 7,
    push_public_key: 'x',
    bouncer_public_key: 'y',
    encrypted_push_registration: 'z',
  }

  it('refuses push requests with specific error codes while no push service is configured', async () => {
    const { owner, user, host } = await server().organization()
    const ann = await user('Ann')
    await ann.call('POST', APNS_PATH, { token: 'ab01', appid: APP_ID })
    const look = await watch({ owner, ann })
    const none = [400, 'PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.']
    const test = async (who: TestUser, parameters: Parameters): Promise<unknown[]> =>
      refusal(await who.try('POST', '/mobile_push/test_notification', parameters))
    expect(await test(ann, { token: 'ab01' })).toEqual(none)
    expect(await test(ann, {})).toEqual(none)
    const unknown = [400, 'INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized']
    expect(await test(ann, { token: 'ab02' })).toEqual(unknown)
    expect(await test(owner, { token: 'ab01' })).toEqual(unknown)
    expect(refusal(await ann.try('POST', '/mobile_push/register', PHONE))).toEqual(none)
    for (const parameters of [{}, { push_account_id: 7 }]) {
      const answer = await ann.try('POST', '/mobile_push/e2ee/test_notification', parameters)
      expect(refusal(answer)).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE', 'No active registered push device'])
    }
    expect((await ann.register()).state).toMatchObject({ push_devices: {}, realm_push_notifications_enabled: false })
    const stranger = await callApi(owner.url, host, 'POST', '/mobile_push/register', PHONE)
    expect(stranger.body['code']).toBe('UNAUTHENTICATED_USER')
    expect(await look()).toEqual({ owner: [], ann: [] })
  })

  it('checks parameters before reporting that no push service is configured', async () => {
    const { owner } = await server().organization()
    for (const name of Object.keys(PHONE)) {
      const parameters = Object.fromEntries(Object.entries(PHONE).filter(([other]) => other !== name))
      const { body } = await owner.try('POST', '/mobile_push/register', parameters)
      expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name })
    }
    for (const wrong of [{ token_kind: 'web' }, { push_account_id: 'seven' }]) {
      expect((await owner.try('POST', '/mobile_push/register', { ...PHONE, ...wrong })).status).toBe(400)
    }
  })
})

describe('client devices', () => {
  const NO_PUSH = {
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  }

  async function devices(user: TestUser): Promise<Body> {
    const { devices: listed } = (await user.register({ fetch_event_types: ['device'] })).state
    return z.looseObject({}).parse(listed)
  }

  async function register(user: TestUser): Promise<number> {
    return (await user.call('POST', '/register_client_device'))['device_id']
  }

  it("registers devices and notifies only their owner's other clients", async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann', { role: 600 })
    const look = await watch({ owner, ann })
    expect(await devices(ann)).toEqual({})
    const [first, second] = [await register(ann), await register(ann)]
    expect(await devices(ann)).toEqual({ [first]: NO_PUSH, [second]: NO_PUSH })
    expect(await devices(owner)).toEqual({})
    const told = [first, second].map((device_id) => ({ type: 'device', op: 'add', device_id }))
    expect(await look()).toEqual({ owner: [], ann: told })
  })

  it('replaces the oldest device if a person registers more than 30', async () => {
    const { owner } = await server().organization()
    const ids: number[] = []
    for (let count = 0; count < CLIENT_DEVICE_LIMIT.most; count += 1) ids.push(await register(owner))
    const queue = await owner.register({ event_types: ['device'] })
    const last = await register(owner)
    expect(await queue.events()).toMatchObject([
      { op: 'remove', device_id: ids[0] },
      { op: 'add', device_id: last },
    ])
    expect(Object.keys(await devices(owner)).map(Number)).toEqual([...ids.slice(1), last])
  })
})
