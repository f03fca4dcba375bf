import { describe, expect, it } from 'vitest'
import { MULTIPART, multipart } from '../../testing/requests.ts'
import { useTestServer } from '../../testing/server.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { INTEGRATIONS } from './contract/catalog.ts'
import { loadIntegration } from './queries.ts'
import { serviceRequest } from './rules/requests.ts'
import { BASE_PAYLOAD, issue, pull_request } from './testing/forge-payloads.ts'
import { SAMPLES } from './testing/payloads.ts'
import { readWebhook } from './testing/reading.ts'
import { messagesIn, sendAs } from './testing/sending.ts'

const server = useTestServer()

describe('webhook payloads', () => {
  it.each(SAMPLES.map((sample) => [sample.service, sample.what, sample] as const))(
    'turns a payload of %s into a message: %s',
    async (service, _what, { topic, content, ...request }) => {
      expect(await readWebhook(service, request)).toEqual({ topic, content })
    },
  )

  it.each(INTEGRATIONS.map(({ name }) => name))('posts a payload of %s as the bot', async (service) => {
    const [sample] = SAMPLES.filter((one) => one.service === service)
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    expect(await sendAs(bot, service, sample ?? {}, { stream: 'news' })).toMatchObject({
      status: 200,
      body: { result: 'success' },
    })
    const seen = messagesIn(await queue.events())
    expect(seen.map(({ subject, content, sender_id }) => ({ subject, content, sender_id }))).toEqual([
      { subject: sample?.topic, content: sample?.content, sender_id: bot.id },
    ])
  })

  it('has a sample payload for each listed event of every service', async () => {
    for (const listed of INTEGRATIONS) {
      const { name, displayName, eventTypes } = listed
      const integration = await loadIntegration(listed)
      const samples = SAMPLES.filter(({ service }) => service === name)
      const events = samples.map(async ({ headers = {}, body }) => {
        const request = await serviceRequest({ headers, body: Buffer.from(JSON.stringify(body)) }, displayName)
        return integration.read(request)?.event
      })
      expect([name, new Set(await Promise.all(events))]).toEqual([name, new Set(eventTypes ?? [undefined])])
    }
  })

  it.each(INTEGRATIONS.map((one) => [one.name, one] as const))(
    'returns a sample request for %s that posts a message, signed if a secret is given',
    async (service, { signs }) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
      const queue = await owner.register({ event_types: ['message'] })
      const path = `/integrations/${service}/sample_request` as const
      for (const secret of signs ? [undefined, 'a secret'] : [undefined]) {
        const more = secret === undefined ? {} : { secret }
        const sent = await owner.call('POST', path, more)
        expect(await sendAs(bot, service, sent, { stream: 'news', ...more })).toMatchObject({
          status: 200,
          body: { result: 'success' },
        })
        const [message, ...others] = messagesIn(await queue.events())
        expect(message).toMatchObject({ sender_id: bot.id })
        expect(others).toEqual([])
      }
      if (signs) return
      const { status, body } = await owner.try('POST', path, { secret: 'a secret' })
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    },
  )

  it('rejects a sample request for an unknown service', async () => {
    const { owner } = await server().organization()
    for (const name of ['unknown', 'constructor']) {
      const { status, body } = await owner.try('POST', `/integrations/${name}/sample_request`)
      expect([status, body['code']]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it.each([
    [
      'Jira sends a comment without its issue',
      'jira',
      {},
      { webhookEvent: 'comment_created', comment: { author: { displayName: 'Ann' }, body: 'Hm' } },
    ],
    [
      'GitHub sends a review without text',
      'github',
      { 'x-github-event': 'pull_request_review' },
      {
        ...BASE_PAYLOAD,
        action: 'submitted',
        pull_request,
        review: { state: 'commented', html_url: 'https://forge.example/rv', body: null },
      },
    ],
  ])('posts nothing if %s', async (_what, service, headers, body) => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'] })
    expect((await sendAs(bot, service, { headers, body }, { stream: 'news' })).status).toBe(200)
    expect(messagesIn(await queue.events())).toEqual([])
  })

  it.each([
    ['gitlab', { 'x-gitlab-event': 'Issue Hook' }, 'user', 'Someone opened issue'],
    ['gitlab', { 'x-gitlab-event': 'Issue Hook' }, 'project', 'Ann A\\. opened issue'],
    ['gitea', { 'x-gitea-event': 'issues' }, 'sender', 'Someone opened issue'],
  ])('posts a payload of %s, sent with %j, whose field %s is null', async (service, headers, field, words) => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const sample = SAMPLES.find((one) => one.service === service && one.content.includes('opened issue'))
    const body = { ...sample?.body, [field]: null }
    expect((await sendAs(bot, service, { headers, body }, { stream: 'news' })).status).toBe(200)
    const [message] = messagesIn(await queue.events())
    expect(message?.['content']).toContain(words)
    expect(message?.['subject']).toMatch(/^[^/]/)
  })

  it('accepts form-encoded and multipart payloads', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const body = new URLSearchParams({ payload: JSON.stringify({ text: 'from a form', channel: 'x' }) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await sendAs(bot, 'slack_incoming', { headers, body }, { stream: 'news' })).status).toBe(200)
    expect(messagesIn(await queue.events())).toMatchObject([{ subject: 'x', content: 'from a form' }])
    const json = '\uFEFF{"text":"after a byte order mark"}'
    const marked = new URLSearchParams({ payload: json }).toString()
    for (const sent of [{ body: json }, { headers, body: marked }, { headers, body: `\uFEFF${marked}` }]) {
      expect((await sendAs(bot, 'slack_incoming', sent, { stream: 'news' })).status).toBe(200)
      expect(messagesIn(await queue.events())).toMatchObject([{ content: 'after a byte order mark' }])
    }
    const notice = { heartbeat: null, monitor: null, msg: 'From a form' }
    const parts = {
      headers: { 'content-type': MULTIPART },
      body: multipart({ other: 'x', data: JSON.stringify(notice) }),
    }
    expect((await sendAs(bot, 'uptimekuma', parts, { stream: 'news' })).status).toBe(200)
    expect(messagesIn(await queue.events())).toMatchObject([{ subject: 'Uptime Kuma', content: 'From a form' }])
  })

  it.each([
    ['without a closing boundary', multipart({ data: '{"msg":"x"}' }, ''), 'BAD_REQUEST'],
    ['without JSON', multipart({ other: 'x' }), 'ANOMALOUS_WEBHOOK_PAYLOAD'],
    ['with JSON of another type', multipart({ data: '[]' }), 'ANOMALOUS_WEBHOOK_PAYLOAD'],
    ['that is malformed', 'x', 'BAD_REQUEST'],
  ])('rejects a multipart payload %s', async (_what, body, code) => {
    const { owner } = await server().organization()
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const answer = await sendAs(bot, 'uptimekuma', { headers: { 'content-type': MULTIPART }, body })
    expect([answer.status, answer.body['code']]).toEqual([400, code])
  })
})

describe('HTML comments in issue text', () => {
  it.each([
    [
      'strips an HTML comment',
      '<!-- Thanks!\nRead *first*. -->\n\n## Steps\n\n1. Fuel it <!-- how? -->\n',
      '## Steps\n\n1. Fuel it',
    ],
    ['strips adjacent HTML comments', 'a<!-- b --><!-- c --->d<!-->e<!--->f', 'adef'],
    [
      'keeps an HTML comment in a code span',
      '`` <!-- ` `` a `<!--` b `-->` <!-- c -->d',
      '`` <!-- ` `` a `<!--` b `-->` d',
    ],
    [
      'keeps an HTML comment in a code block',
      '~~~ html\n<!-- a -->\n```\n~~~~\n<!-- b -->c',
      '~~~ html\n<!-- a -->\n```\n~~~~\nc',
    ],
    [
      'keeps an HTML comment in a code block of a list item',
      '* ```\n  <!-- a -->\n\n  ```\n* <!-- b -->c',
      '* ```\n  <!-- a -->\n\n  ```\n* c',
    ],
    ['keeps an HTML comment in an unterminated code block', '```\n<!-- a -->\n~~~', '```\n<!-- a -->\n~~~'],
    ['does not treat text in an HTML comment as code', '<!--\n```\n~~~ ` -->\na\n<!-- ` -->\nb', 'a\n\nb'],
    [
      'does not extend apparent code into an HTML comment',
      'It`s\n<!-- ` -->\nhot`\n\n<!-- b -->c',
      'It`s\n\nhot`\n\nc',
    ],
    ['keeps an unterminated HTML comment', 'a <!-- b\n\nc', 'a <!-- b\n\nc'],
    ['escapes a mention that stripping an HTML comment creates', '@<!-- a -->**all**', '\\@**all**'],
  ])('%s', async (_what, body, shown) => {
    expect(await quotedTextOf(body)).toBe(shown)
  })

  it("strips an HTML comment that has the maximum length of a service's text", async () => {
    expect(await quotedTextOf(`<!--${'x'.repeat(65_500)}-->a`)).toBe('a')
  })

  it('strips HTML comments from adversarial text in linear time', async () => {
    for (const text of ['<!--', '` `` <!--', '<!--\n``` -', '\n<!--']) {
      const shown = await quotedTextOf(text.repeat(150_000))
      expect(shown.startsWith(text.trim())).toBe(true)
      // Truncation drops a space before the ellipsis.
      expect([1_999, 2_000]).toContain(Array.from(shown).length)
    }
  })

  async function quotedTextOf(text: string): Promise<string> {
    const headers = { 'x-github-event': 'issues' }
    const body = { ...BASE_PAYLOAD, action: 'opened', issue: { ...issue, body: text } }
    const message = await readWebhook('github', { headers, body })
    return /\n\n(`+)quote\n([^]*)\n\1$/.exec(message?.content ?? '')?.[2] ?? ''
  }
})
