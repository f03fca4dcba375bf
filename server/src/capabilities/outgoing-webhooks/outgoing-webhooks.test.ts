import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { ReceivedRequest } from '../../testing/web-server.ts'
import type { Body } from '../../testing/user.ts'
import { makeBot } from '../bots/testing/bots.ts'
import {
  POLL_OPTIONS,
  waitForMessages,
  messagesIn,
  storedRows,
  respondWith,
  createFixtureOn,
  requestBody,
  waitForDeliveries,
  type ServiceHandler,
  type Fixture,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createFixture = async (answer: ServiceHandler, more?: Body): Promise<Fixture> =>
  createFixtureOn(server(), answer, more)

describe('outgoing webhooks', () => {
  it("notifies a bot's service of messages that mention the bot, and posts the reply in the topic", async () => {
    const { owner, ann, bot, token, service, host } = await createFixture(respondWith({ content: 'Hello **Ann**' }))
    const queue = await ann.register({ event_types: ['message'] })
    const others = await owner.register({ event_types: ['message'] })
    const content = '@**helper Bot** *hi*'
    const id = await ann.send('news', 'lunch', content)
    const [, reply] = await waitForMessages(queue, 2)
    expect(reply).toMatchObject({
      sender_id: bot.id,
      content: '<p>Hello <strong>Ann</strong></p>',
      display_recipient: 'news',
      subject: 'lunch',
      client: 'OutgoingWebhook',
    })
    expect((await waitForMessages(others, 2)).map(({ sender_id }) => sender_id)).toEqual([ann.id, bot.id])
    const [received] = service.received
    expect(received).toMatchObject({ method: 'POST', path: '/hook' })
    expect(received?.headers['content-type']).toBe('application/json; charset=utf-8')
    const [message] = (await ann.call('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 }))['messages']
    const { flags: _, content: rendered_content, ...fields } = message ?? {}
    expect(requestBody(received)).toEqual({
      bot_email: `helper-bot@${host}`,
      bot_full_name: 'helper Bot',
      data: content,
      trigger: 'mention',
      token,
      message: {
        ...fields,
        content,
        content_type: 'text/x-markdown',
        rendered_content,
        avatar_url: `/avatar/${ann.id}?version=1`,
      },
    })
    expect(service.received.length).toBe(1)
  })

  it("notifies a bot's service of direct messages to the bot, and posts the replies to all participants", async () => {
    const { owner, ann, bot, service } = await createFixture(respondWith({ content: 'Yes' }))
    const queue = await owner.register({ event_types: ['message'] })
    await ann.sendTo([bot.id], 'Are you there?')
    await ann.sendTo([bot.id, owner.id], 'And now?')
    const seen = await waitForMessages(queue, 2)
    expect(seen.map(({ sender_id, display_recipient }) => [sender_id, display_recipient.length])).toEqual([
      [ann.id, 3],
      [bot.id, 3],
    ])
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(2)
    expect(service.received.map((one) => [requestBody(one)['trigger'], requestBody(one)['data']])).toEqual([
      ['direct_message', 'Are you there?'],
      ['direct_message', 'And now?'],
    ])
    expect(requestBody(service.received[0])).toMatchObject({ message: { type: 'private' } })
  })

  it('does not send silent mentions, wildcard mentions, or mentions by bots to the service', async () => {
    const place = await createFixture(respondWith({ content: '@**helper Bot** again' }))
    const { owner, ann, bot, service } = place
    const bert = await makeBot(owner)
    for (const text of ['@_**helper Bot** hi', '@**all** hi', '`@**helper Bot**`', '@**Ann** hi', 'helper Bot']) {
      await owner.send('news', 'a', text)
    }
    await bert.send('news', 'a', '@**helper Bot** hi')
    await bert.sendTo([bot.id], 'hi')
    await ann.sendTo([owner.id], '@**helper Bot** hi')
    await ann.send('news', 'a', '@**helper Bot** last')
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBeGreaterThan(0)
    await waitForDeliveries(place)
    expect(service.received.map((one) => requestBody(one)['data'])).toEqual(['@**helper Bot** last'])
  })

  it('sends messages only from channels that the bot can still read', async () => {
    const place = await createFixture(respondWith({}))
    const { owner, ann, bot, service } = place
    await owner.subscribe(['secret'], { principals: [owner.id, ann.id], invite_only: true })
    await ann.send('secret', 'a', '@**helper Bot** hidden')
    await owner.subscribe(['secret'], { principals: [bot.id] })
    await ann.send('secret', 'a', '@**helper Bot** shown')
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(1)
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [bot.id] })
    await ann.send('secret', 'a', '@**helper Bot** hidden again')
    const deleted = await owner.send('news', 'a', 'no mention')
    await owner.call('PATCH', `/messages/${deleted}`, { content: '@**helper Bot** edited' })
    await owner.send('news', 'a', '@**helper Bot** shown too')
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(2)
    await waitForDeliveries(place)
    expect(service.received.map((one) => requestBody(one)['data'])).toEqual([
      '@**helper Bot** shown',
      '@**helper Bot** shown too',
    ])
  })

  it('posts a reply with mentions and a poll', async () => {
    const extra_data = { question: 'Lunch?', options: ['Yes', 'No'] }
    const widget_content = JSON.stringify({ widget_type: 'poll', extra_data })
    // Some frameworks put a byte order mark before JSON.
    const body = `\uFEFF${JSON.stringify({ content: '@**Ann** vote', response_string: null, widget_content })}`
    const { ann } = await createFixture((_, response) => response.end(body))
    const queue = await ann.register({ event_types: ['message'] })
    await ann.send('news', 'a', '@**helper Bot** poll')
    const [, reply] = await waitForMessages(queue, 2)
    expect(reply?.['content']).toContain('class="user-mention"')
    expect(reply?.['submessages']).toMatchObject([{ msg_type: 'widget', content: widget_content }])
  })

  it('holds a reply whose text or poll contains reviewed words', async () => {
    const extra_data = { question: 'A casino?', options: [] }
    const widget_content = JSON.stringify({ widget_type: 'poll', extra_data })
    const place = await createFixture(respondWith({ content: 'Vote', widget_content }))
    const { owner, ann, bot } = place
    await owner.call('PATCH', '/realm', { held_message_patterns: 'casino' })
    const queue = await ann.register({ event_types: ['message'] })
    await ann.send('news', 'lunch', '@**helper Bot** hi')
    const fetchHeld = async () => (await owner.call('GET', '/held_messages/queue')).held_messages
    await expect.poll(async () => (await fetchHeld()).length, POLL_OPTIONS).toBe(1)
    expect((await waitForMessages(queue, 1)).map(({ sender_id }) => sender_id)).toEqual([ann.id])
    const [held] = await fetchHeld()
    expect(held).toMatchObject({ author_id: bot.id, topic: 'lunch', content: 'Vote' })
    await owner.call('POST', `/held_messages/${held?.held_message_id ?? 0}/approve`)
    const [reply] = await waitForMessages(queue, 1)
    expect([reply?.sender_id, reply?.submessages]).toMatchObject([bot.id, [{ content: widget_content }]])
  })

  it('posts nothing if the service has no reply', async () => {
    const nulls = { content: null, response_string: null, response_not_required: null, widget_content: null }
    const unwanted = { content: 'x', response_not_required: true }
    const answers: unknown[] = [{}, { content: '' }, unwanted, { other: 1 }, nulls, null]
    const place = await createFixture((received, response) =>
      respondWith(answers[service(received)])(received, response),
    )
    const { ann, service: at } = place
    const queue = await ann.register({ event_types: ['message'] })
    for (const index of answers.keys()) await ann.send('news', 'a', `@**helper Bot** ${index}`)
    await expect.poll(() => at.received.length, POLL_OPTIONS).toBe(answers.length)
    await waitForDeliveries(place)
    expect(messagesIn(await queue.events()).map(({ sender_id }) => sender_id)).toEqual(answers.map(() => ann.id))
    expect(await storedRows('failures', place)).toEqual([])

    function service(received: ReceivedRequest): number {
      return Number(/(\d+)$/.exec(String(requestBody(received)['data']))?.[1])
    }
  })

  it('sends messages and reads replies in the Slack format on request', async () => {
    const { ann, bot, token, service } = await createFixture(
      respondWith({ text: '*Hi* <https://a.example/x|there> &amp; <@U1>' }),
      {
        interface_type: 2,
      },
    )
    const queue = await ann.register({ event_types: ['message'] })
    await ann.send('news', 'lunch', '@**helper Bot** hi')
    await ann.sendTo([bot.id], 'hello')
    const seen = await waitForMessages(queue, 4)
    const replies = seen.filter(({ sender_id }) => sender_id === bot.id)
    for (const { content } of replies) {
      expect(content).toBe('<p><strong>Hi</strong> <a href="https://a.example/x">there</a> &amp; @U1</p>')
    }
    expect(replies.length).toBe(2)
    const [channel, direct] = service.received.map((one) => Object.fromEntries(new URLSearchParams(one.body)))
    expect(service.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(channel).toMatchObject({
      token,
      channel_name: 'news',
      topic: 'lunch',
      user_id: `U${ann.id}`,
      user_name: 'Ann',
      text: '@**helper Bot** hi',
      service_id: String(bot.id),
    })
    expect(channel?.['channel_id']).toMatch(/^C\d+$/)
    expect(direct).toMatchObject({ channel_name: 'directmessage', text: 'hello' })
  })
})
