import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { INTEGRATIONS } from './rules/index.ts'
import { base, issue, pull_request } from './testing/forge-payloads.ts'
import { SAMPLES } from './testing/payloads.ts'
import type { Sample } from './testing/sample.ts'
import { messagesIn, sendAs } from './testing/sending.ts'

const server = useTestServer()

describe('what a service tells', () => {
  it.each(SAMPLES.map((sample) => [sample.service, sample.what, sample] as const))(
    'of %s becomes a message: %s',
    async (service, _what, sample) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
      const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
      expect(await sendAs(bot, service, sample, { stream: 'news' })).toMatchObject({
        status: 200,
        body: { result: 'success' },
      })
      const seen = messagesIn(await queue.events())
      expect(seen.map(({ subject, content, sender_id }) => ({ subject, content, sender_id }))).toEqual([
        { subject: sample.topic, content: sample.content, sender_id: bot.id },
      ])
    },
  )

  it('is tried for each service, and for each of the events that are listed', async () => {
    for (const { name, displayName, eventTypes, load } of INTEGRATIONS) {
      const integration = await load()
      const events = SAMPLES.filter(({ service }) => service === name).map(({ headers = {}, body }) => {
        const request = { headers, body: Buffer.from(JSON.stringify(body)), displayName }
        return integration.read(request)?.event
      })
      expect([name, new Set(events)]).toEqual([name, new Set(eventTypes ?? [undefined])])
    }
  })

  it.each(INTEGRATIONS.map((one) => [one.name, one] as const))(
    'of %s is tried by a request as the service sends it, signed where the address has a secret',
    async (service, { signs }) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
      const queue = await owner.register({ event_types: ['message'] })
      const path = `/integrations/${service}/sample_request`
      for (const secret of signs ? [undefined, 'a secret'] : [undefined]) {
        const more = secret === undefined ? {} : { secret }
        const { headers, body } = await owner.call('POST', path, more)
        const sent = { headers: headers as Record<string, string>, body: String(body) }
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

  it('is not made up for a service that is unknown', async () => {
    const { owner } = await server().organization()
    for (const name of ['unknown', 'constructor']) {
      const { status, body } = await owner.try('POST', `/integrations/${name}/sample_request`)
      expect([status, body['code']]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it.each([
    [
      'a Jira server says of a comment without its issue what it says of the issue as well',
      'jira',
      {},
      { webhookEvent: 'comment_created', comment: { author: { displayName: 'Ann' }, body: 'Hm' } },
    ],
    [
      'GitHub says of a review what its comments say, which come as events of their own',
      'github',
      { 'x-github-event': 'pull_request_review' },
      {
        ...base,
        action: 'submitted',
        pull_request,
        review: { state: 'commented', html_url: 'https://forge.example/rv', body: null },
      },
    ],
  ])('becomes no message where %s', async (_what, service, headers, body) => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'] })
    expect((await sendAs(bot, service, { headers, body }, { stream: 'news' })).status).toBe(200)
    expect(messagesIn(await queue.events())).toEqual([])
  })

  it('comes in a form as well', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const body = new URLSearchParams({ payload: JSON.stringify({ text: 'from a form', channel: 'x' }) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await sendAs(bot, 'slack_incoming', { headers, body }, { stream: 'news' })).status).toBe(200)
    expect(messagesIn(await queue.events())).toMatchObject([{ subject: 'x', content: 'from a form' }])
  })
})

describe('a comment in the text of an issue', () => {
  it.each([
    [
      'is not shown',
      '<!-- Thanks!\nRead *first*. -->\n\n## Steps\n\n1. Fuel it <!-- how? -->\n',
      '## Steps\n\n1. Fuel it',
    ],
    ['is not shown beside another', 'a<!-- b --><!-- c --->d<!-->e<!--->f', 'adef'],
    ['stays in a code span', '`` <!-- ` `` a `<!--` b `-->` <!-- c -->d', '`` <!-- ` `` a `<!--` b `-->` d'],
    ['stays in a block of code', '~~~ html\n<!-- a -->\n```\n~~~~\n<!-- b -->c', '~~~ html\n<!-- a -->\n```\n~~~~\nc'],
    [
      'stays in a block of code of an item',
      '* ```\n  <!-- a -->\n\n  ```\n* <!-- b -->c',
      '* ```\n  <!-- a -->\n\n  ```\n* c',
    ],
    ['stays in a block of code without an end', '```\n<!-- a -->\n~~~', '```\n<!-- a -->\n~~~'],
    ['begins no code', '<!--\n```\n~~~ ` -->\na\n<!-- ` -->\nb', 'a\n\nb'],
    ['ends what looks like code before it', 'It`s\n<!-- ` -->\nhot`\n\n<!-- b -->c', 'It`s\n\nhot`\n\nc'],
    ['is shown where it does not end', 'a <!-- b\n\nc', 'a <!-- b\n\nc'],
    ['mentions nobody without it', '@<!-- a -->**all**', '\\@**all**'],
  ])('%s', async (_what, body, shown) => {
    expect(await quotedOf(body)).toBe(shown)
  })

  it('may be as long as the longest text of a service', async () => {
    expect(await quotedOf(`<!--${'x'.repeat(65_500)}-->a`)).toBe('a')
  })

  it('is looked for in long texts that are made to be gone through again and again', async () => {
    for (const text of ['<!--', '` `` <!--', '<!--\n``` -', '\n<!--']) {
      const shown = await quotedOf(text.repeat(150_000))
      expect([shown.startsWith(text.trim()), Array.from(shown).length]).toEqual([true, 2_000])
    }
  })

  /** What is shown of the text of an issue. */
  async function quotedOf(text: string): Promise<string> {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const headers = { 'x-github-event': 'issues' }
    const body = { ...base, action: 'opened', issue: { ...issue, body: text } }
    expect((await sendAs(bot, 'github', { headers, body }, { stream: 'news' })).status).toBe(200)
    const [message] = messagesIn(await queue.events())
    return /\n\n(`+)quote\n([^]*)\n\1$/.exec(String(message?.['content']))?.[2] ?? ''
  }
})

const HOSTILE = [
  '@**all** @**Olivia Owner** @_**Olivia Owner** @*crew* #**secret**',
  '```\n@**all**\n````\n@**Olivia Owner**\n~~~\n> a\n# b\n- c',
  '](javascript:alert(1)) [a](javascript:alert(1)) <script>alert(1)</script> <img src=x onerror=alert(1)>',
  '`@**all**` ``` @**Olivia Owner** ```quote ** * _ ~~',
  '\u202e\u0000\ud83d\n\r\n\t' + 'x'.repeat(12_000),
  '\u115f\u034f\ufe0f\u200d\u2800\ufff9\ufdd0\u0000',
]

/** Each text of a payload replaced, one at a time; what says which event it is then says nothing, which is refused. */
function* spoiled(value: unknown, hostile: string): Generator {
  if (typeof value === 'string') {
    yield hostile
    // A link stays one, with something behind it.
    if (value.startsWith('http')) yield `${value}/${hostile}`
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const bad of spoiled(item, hostile)) yield value.with(index, bad)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      for (const bad of spoiled(item, hostile)) yield { ...value, [name]: bad }
    }
  }
}

describe('a payload', () => {
  it.each(INTEGRATIONS.map(({ name }) => name))(
    'of %s mentions nobody, links no channel, and breaks out of nothing, whatever its texts are',
    async (service) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      await owner.subscribe(['secret'], { invite_only: true })
      await owner.call('POST', '/user_groups/create', { name: 'crew', description: '', members: [owner.id] })
      const bot = await makeBot(owner, 'Hook Bot')
      await owner.subscribe(['secret', 'news'], { principals: [bot.id] })
      const queue = await owner.register({ event_types: ['message'] })
      const codes = new Set<unknown>()
      for (const sample of firstOfEachKind(SAMPLES.filter((one) => one.service === service))) {
        for (const hostile of HOSTILE) {
          for (const body of spoiled(sample.body, hostile)) {
            const sent = { ...(sample.headers === undefined ? {} : { headers: sample.headers }), body: body as object }
            const answer = await sendAs(bot, service, sent, { stream: 'news' })
            codes.add(answer.status === 200 ? (answer.body['code'] ?? 'success') : answer.body['code'])
          }
        }
      }
      for (const code of codes) {
        expect(['success', 'ANOMALOUS_WEBHOOK_PAYLOAD', 'UNSUPPORTED_WEBHOOK_EVENT_TYPE']).toContain(code)
      }
      const events = await queue.events()
      expect(events.length).toBeGreaterThan(5)
      for (const event of events) {
        const html = String((event['message'] as Body)['content'])
        expect(html).not.toMatch(/user-mention|user-group-mention|class="stream|href="javascript|<script|<img/)
        expect(event['flags']).toEqual([])
      }
    },
  )
})

/** Of samples that differ in a detail, one. */
function firstOfEachKind(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ what }, index) => samples.findIndex((other) => other.what === what) === index)
}
