import { describe, expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, type Answer, type Body, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { INTEGRATIONS } from './contract/catalog.ts'
import { SIGNERS } from './testing/payloads.ts'
import { hmac } from './testing/sample.ts'
import { messagesIn, sendAs, type WebhookRequest } from './testing/sending.ts'
import { sign as signStripe } from './testing/stripe.ts'

const server = useTestServer()

interface Scene extends TestOrganization {
  readonly bot: TestUser
}

async function createScene(more: Body = {}): Promise<Scene> {
  const organization = await server().organization()
  await organization.owner.subscribe(['news'])
  return { ...organization, bot: await makeBot(organization.owner, 'Hook Bot', { bot_type: 2, ...more }) }
}

const HELLO_REQUEST: WebhookRequest = { body: { content: 'Hello', topic: 'greetings' } }

const statusAndCode = ({ status, body }: Answer): unknown[] => [status, body['code']]

describe('webhook requests', () => {
  it("posts a webhook message to a channel by name or ID, in the given topic or the service's topic", async () => {
    const { owner, bot } = await createScene()
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
    const queue = await owner.register({ event_types: ['message'] })
    for (const query of [
      { stream: 'news' },
      { stream: 'NEWS', topic: 'mine' },
      { stream: String(stream_id), topic: '' },
    ]) {
      expect((await sendAs(bot, 'json', HELLO_REQUEST, query)).body).toEqual({ result: 'success', msg: '' })
    }
    const seen = messagesIn(await queue.events())
    expect(seen.map(({ subject }) => subject)).toEqual(['greetings', 'mine', ''])
    for (const message of seen) {
      expect(message).toMatchObject({ content: '<p>Hello</p>', sender_id: bot.id, client: 'JSONWebhook', stream_id })
    }
  })

  it('holds webhook messages with reviewed words, and tells the service that they arrived', async () => {
    const { owner, bot } = await createScene()
    await owner.call('PATCH', '/realm', { held_message_patterns: 'greetings' })
    const queue = await owner.register({ event_types: ['message'] })
    expect((await sendAs(bot, 'json', HELLO_REQUEST, { stream: 'news' })).status).toBe(200)
    expect(messagesIn(await queue.events())).toEqual([])
    const { held_messages: held } = await owner.call('GET', '/held_messages/queue')
    expect(held).toMatchObject([{ author_id: bot.id, topic: 'greetings', content: 'Hello' }])
    await owner.call('POST', `/held_messages/${held[0]?.held_message_id ?? 0}/approve`)
    const seen = messagesIn(await queue.events())
    expect(seen).toMatchObject([{ content: '<p>Hello</p>', sender_id: bot.id, client: 'JSONWebhook' }])
  })

  it("sends a webhook message to the bot's owner if no channel is given, and rejects ownerless bots", async () => {
    const { owner, user, bot } = await createScene()
    const ann = await user('Ann')
    const look = await watch({ owner, ann }, { event_types: ['message'] })
    expect((await sendAs(bot, 'json', HELLO_REQUEST)).status).toBe(200)
    const { owner: told, ann: others } = await look()
    expect(messagesIn(told)).toMatchObject([
      { type: 'private', sender_id: bot.id, content: '<p><strong>greetings</strong></p>\n<p>Hello</p>' },
    ])
    expect(others).toEqual([])
    const ownerless = await user('Alone', { bot: {} })
    expect(statusAndCode(await sendAs(ownerless, 'json', HELLO_REQUEST))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [], ann: [] })
  })

  it('accepts HTTP Basic credentials from bots and people', async () => {
    const { owner, bot } = await createScene()
    const queue = await owner.register({ event_types: ['message'] })
    for (const one of [bot, owner]) {
      const headers = { authorization: basic(one.email, one.apiKey), 'content-type': 'application/json' }
      const path = '/external/json?stream=news'
      const answer = await callApi(
        one.url,
        one.host,
        'POST',
        path,
        {},
        { headers, body: JSON.stringify(HELLO_REQUEST.body) },
      )
      expect(answer.status).toBe(200)
    }
    expect(messagesIn(await queue.events()).map(({ sender_id }) => sender_id)).toEqual([bot.id, owner.id])
  })

  it('rejects webhook requests without the key of an active bot', async () => {
    const { owner, user, bot } = await createScene()
    const elsewhere = await createScene()
    const look = await watch({ owner }, { event_types: ['message'] })
    const by = async (api_key: string | undefined, headers: Record<string, string> = {}): Promise<unknown[]> =>
      statusAndCode(await sendAs(bot, 'json', { ...HELLO_REQUEST, headers }, { stream: 'news', api_key }))
    expect(await by(undefined)).toEqual([401, 'UNAUTHENTICATED_USER'])
    for (const key of ['', 'wrong', elsewhere.bot.apiKey, `${bot.apiKey} `]) {
      expect(await by(key)).toEqual([401, 'INVALID_API_KEY'])
    }
    // A person's key gives full access and must not appear in URLs.
    expect(await by(owner.apiKey)).toEqual([401, 'INVALID_API_KEY'])
    // With a key in the URL, the header is ignored, because services send their own credentials in it.
    expect(await by('wrong', { authorization: basic(owner.email, owner.apiKey) })).toEqual([401, 'INVALID_API_KEY'])
    const ended = await user('Ended', { bot: { ownerId: owner.id } })
    await owner.call('DELETE', `/bots/${ended.id}`)
    expect(await by(ended.apiKey)).toEqual([401, 'USER_DEACTIVATED'])
    const other = await callApi(bot.url, bot.host, 'POST', `/messages?api_key=${bot.apiKey}`, {
      type: 'stream',
      to: 'news',
      topic: 'a',
      content: 'b',
    })
    expect(statusAndCode(other)).toEqual([401, 'UNAUTHENTICATED_USER'])
    expect(await look()).toEqual({ owner: [] })
  })

  it('refuses channels the bot cannot post to and treats hidden channels as missing', async () => {
    const { owner, user, bot } = await createScene()
    const ann = await user('Ann')
    await ann.subscribe(['hidden'], { invite_only: true })
    const { stream_id } = await ann.call('GET', '/get_stream_id', { stream: 'hidden' })
    const look = await watch({ ann, owner }, { event_types: ['message'] })
    const attempt = async (stream: string): Promise<Body> => (await sendAs(bot, 'json', HELLO_REQUEST, { stream })).body
    const withoutName = (body: Body, name: string): string => JSON.stringify(body).replaceAll(name, 'NAME')
    expect(withoutName(await attempt('hidden'), 'hidden')).toBe(withoutName(await attempt('absent'), 'absent'))
    expect(await attempt('absent')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream: 'absent' })
    expect(withoutName(await attempt(String(stream_id)), String(stream_id))).toBe(
      withoutName(await attempt('999999'), '999999'),
    )
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'mine' }] })
    const mine = await owner.call('GET', '/get_stream_id', { stream: 'mine' })
    await owner.call('PATCH', `/streams/${String(mine['stream_id'])}`, {
      can_send_message_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    })
    await look()
    expect(await attempt('mine')).toMatchObject({ code: 'BAD_REQUEST' })
    expect(await look()).toEqual({ ann: [], owner: [] })
  })

  it('rejects unknown services and events, missing headers, and malformed payloads', async () => {
    const { owner, bot } = await createScene()
    const look = await watch({ owner }, { event_types: ['message'] })
    const send = async (service: string, sent: WebhookRequest): Promise<Answer> =>
      sendAs(bot, service, sent, { stream: 'news' })
    for (const service of ['nothing', '__proto__', 'GITHUB', 'json%2F', 'x'.repeat(60)]) {
      expect(statusAndCode(await send(service, HELLO_REQUEST))).toEqual([404, 'NOT_FOUND'])
    }
    for (const service of ['github', 'gitlab', 'gitea', 'sentry']) {
      expect(statusAndCode(await send(service, {}))).toEqual([400, 'MISSING_HTTP_EVENT_HEADER'])
    }
    const anomalous = [400, 'ANOMALOUS_WEBHOOK_PAYLOAD']
    for (const body of ['', 'no JSON', '[]', '5', '"text"', 'null', '{}', '['.repeat(20_000), '\u0000']) {
      expect([body.slice(0, 9), ...statusAndCode(await send('stripe', { body }))]).toEqual([
        body.slice(0, 9),
        ...anomalous,
      ])
      const headers = { 'x-github-event': 'push' }
      expect(statusAndCode(await send('github', { body, headers }))).toEqual(anomalous)
    }
    expect((await send('stripe', { body: '{}' })).body['webhook_name']).toBe('Stripe')
    for (const event of ['unheard', 'constructor', '__proto__', 'toString']) {
      // The status is 200, because services resend failed requests or stop sending.
      const answer = await send('github', { headers: { 'x-github-event': event } })
      expect(answer).toMatchObject({
        status: 200,
        body: { result: 'error', code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE', webhook_name: 'GitHub', event_type: event },
      })
    }
    expect(await look()).toEqual({ owner: [] })
  })

  it('limits the size of a webhook payload', async () => {
    const { owner, bot } = await createScene()
    const queue = await owner.register({ event_types: ['message'] })
    const large = { content: 'Hello', more: 'x'.repeat(1_900_000) }
    expect((await sendAs(bot, 'json', { body: large }, { stream: 'news' })).status).toBe(200)
    expect((await sendAs(bot, 'json', { body: { content: 'x'.repeat(20_000) } }, { stream: 'news' })).status).toBe(200)
    expect(
      (await sendAs(bot, 'json', { body: { ...large, most: 'x'.repeat(200_000) } }, { stream: 'news' })).status,
    ).toBe(400)
    expect(messagesIn(await queue.events()).length).toBe(2)
  })
})

describe('webhook event filters', () => {
  it('posts only events that match the event patterns in the webhook URL', async () => {
    const { owner, bot } = await createScene()
    const queue = await owner.register({ event_types: ['message'] })
    const posts = async (query: Parameters): Promise<string[]> => {
      for (const event of ['customer.created', 'customer.deleted', 'payout.paid', 'invoice.paid']) {
        const body = { type: event, livemode: true, data: { object: { id: event } } }
        expect((await sendAs(bot, 'stripe', { body }, { stream: 'news', topic: 'x', ...query })).body).toEqual({
          result: 'success',
          msg: '',
        })
      }
      const told = messagesIn(await queue.events()).map(({ content }) => /<code>(.*)<\/code>/.exec(content)?.[1])
      return told.map((event) => event ?? '')
    }
    const all = ['customer.created', 'customer.deleted', 'payout.paid', 'invoice.paid']
    expect(await posts({})).toEqual(all)
    expect(await posts({ only_events: ['customer.created'] })).toEqual(['customer.created'])
    expect(await posts({ only_events: ['customer.*', '*.paid'] })).toEqual(all)
    expect(await posts({ exclude_events: ['*.paid'] })).toEqual(['customer.created', 'customer.deleted'])
    expect(await posts({ only_events: ['c*er.*ed'], exclude_events: ['*deleted'] })).toEqual(['customer.created'])
    for (const only_events of [[], ['customer'], ['*.'], ['customer.*.created'], ['payout.paid*paid']]) {
      expect(await posts({ only_events })).toEqual([])
    }
  })

  it('rejects invalid event patterns in the webhook URL', async () => {
    const { bot } = await createScene()
    for (const [query, code] of [
      [{ only_events: 'push' }, 'INVALID_JSON'],
      [{ only_events: [1] }, 'REQUEST_VARIABLE_INVALID'],
      [{ exclude_events: ['x'.repeat(101)] }, 'REQUEST_VARIABLE_INVALID'],
    ] as const) {
      expect((await sendAs(bot, 'json', HELLO_REQUEST, query)).body['code']).toBe(code)
    }
  })
})

describe('webhook secrets', () => {
  const BODY = JSON.stringify({ type: 'payout.paid', livemode: true, data: { object: {} } })
  const ISSUE = { sender: { login: 'ann' }, action: 'opened', issue: { number: 3, title: 'It leaks', body: '' } }
  const SECRET = 'a secret'
  const now = (): number => Math.floor(Date.now() / 1000)

  it.each(['gogs', 'forgejo'])('accepts the headers with which %s signs Gitea payloads', async (name) => {
    const { owner, bot } = await createScene()
    const look = await watch({ owner }, { event_types: ['message'] })
    const body = JSON.stringify({ repository: { full_name: 'acme/rocket', html_url: 'https://git.example' }, ...ISSUE })
    const attempt = async (signature: string): Promise<number> => {
      const headers = { [`x-${name}-event`]: 'issues', [`x-${name}-signature`]: signature }
      return (await sendAs(bot, 'gitea', { headers, body }, { stream: 'news', secret: SECRET })).status
    }
    expect([await attempt(hmac(body, 'other')), await attempt('')]).toEqual([400, 400])
    expect(await look()).toEqual({ owner: [] })
    expect(await attempt(hmac(body, SECRET))).toBe(200)
    expect(messagesIn((await look()).owner ?? [])).toMatchObject([{ subject: 'rocket / issue #3 It leaks' }])
  })

  it('sets `signs` for exactly the services that sign their requests', () => {
    expect(INTEGRATIONS.filter(({ signs }) => signs).map(({ name }) => name)).toEqual(SIGNERS.map(([name]) => name))
  })

  it.each(SIGNERS)('accepts from %s only requests signed with the secret', async (service, sign) => {
    const { owner, bot } = await createScene()
    const look = await watch({ owner }, { event_types: ['message'] })
    const attempt = async (headers: Record<string, string>, body = BODY, secret = SECRET): Promise<unknown> =>
      (await sendAs(bot, service, { headers, body }, { stream: 'news', secret })).body['msg']
    const refused = 'The request is not signed with the secret.'
    expect(await attempt({})).toBe(refused)
    expect(await attempt(sign(BODY, 'a secreu'))).toBe(refused)
    const [[name, right] = ['', '']] = Object.entries(sign(BODY, SECRET))
    expect(await attempt({ [name]: right.slice(0, -1) })).toBe(refused)
    expect(await attempt({ [name]: '' }, BODY, '')).toBe(refused)
    // A signature covers the body; GitLab's token does not.
    expect((await attempt(sign(BODY, SECRET), `${BODY} `)) === refused).toBe(service !== 'gitlab')
    expect(await look()).toEqual({ owner: [] })
    expect(await attempt(sign(BODY, SECRET))).not.toBe(refused)
  })

  it('rejects Stripe requests signed more than five minutes in the past or future', async () => {
    const { bot } = await createScene()
    const at = async (time: number): Promise<number> =>
      (
        await sendAs(
          bot,
          'stripe',
          { headers: signStripe(BODY, SECRET, time), body: BODY },
          { stream: 'news', secret: SECRET },
        )
      ).status
    expect(await at(now() - 200)).toBe(200)
    expect(await at(now() - 400)).toBe(400)
    expect(await at(now() + 400)).toBe(400)
  })

  it('rejects a secret for a service that does not sign requests', async () => {
    const { bot } = await createScene()
    const answer = await sendAs(bot, 'json', HELLO_REQUEST, { secret: 'x' })
    expect(answer).toMatchObject({ status: 400, body: { msg: 'JSON does not sign its requests.' } })
  })
})

it('lists integrations with their events and URL options for clients', async () => {
  const { owner } = await createScene()
  const { realm_incoming_webhook_bots } = await owner.call('POST', '/register', {
    fetch_event_types: ['realm_incoming_webhook_bots'],
  })
  const list = objectsIn(realm_incoming_webhook_bots)
  expect(list.map(({ name }) => name)).toEqual(INTEGRATIONS.map(({ name }) => name))
  expect(list.find(({ name }) => name === 'grafana')).toEqual({
    name: 'grafana',
    display_name: 'Grafana',
    all_event_types: ['firing', 'no_data', 'resolved'],
    config_options: [],
    url_options: [
      { key: 'secret', label: 'Secret with which the service signs its requests', validator: 'check_string' },
    ],
  })
  expect(list.find(({ name }) => name === 'json')).toMatchObject({ all_event_types: null, url_options: [] })
  const { integrations } = await owner.call('GET', '/integrations')
  expect(integrations).toEqual(
    list.map(({ name, display_name, all_event_types, url_options }) => ({
      name,
      display_name,
      event_types: all_event_types ?? [],
      signs: objectsIn(url_options).length > 0,
    })),
  )
})
