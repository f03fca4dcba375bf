import { describe, expect, it } from 'vitest'
import type { RenderResult } from '../../platform/markdown/job.ts'
import { renderMessage } from '../../platform/markdown/render.ts'
import { authorContext, GROUPS, USERS } from '../../platform/markdown/testing/context.ts'
import { someOf } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { INTEGRATIONS } from './contract/catalog.ts'
import { SAMPLES } from './testing/payloads.ts'
import { tryRead } from './testing/reading.ts'
import type { Sample } from './testing/sample.ts'
import { messagesIn, sendAs, type WebhookRequest } from './testing/sending.ts'

const server = useTestServer()

const MENTIONS_AND_CHANNEL_LINK = '@**all** @**Olivia Owner** @_**Olivia Owner** @*crew* #**secret**'

const HOSTILE_TEXTS = [
  MENTIONS_AND_CHANNEL_LINK,
  '```\n@**all**\n````\n@**Olivia Owner**\n~~~\n> a\n# b\n- c',
  '](javascript:alert(1)) [a](javascript:alert(1)) <script>alert(1)</script> <img src=x onerror=alert(1)>',
  '`@**all**` ``` @**Olivia Owner** ```quote ** * _ ~~',
  '\u202e\u0000\ud83d\n\r\n\t' + 'x'.repeat(12_000),
  '\u115f\u034f\ufe0f\u200d\u2800\ufff9\ufdd0\u0000',
]

/** An author who can see a user, group, or channel with each hostile name. */
const author = authorContext({
  userByName: (name) => (name === 'Olivia Owner' ? USERS[0] : undefined),
  groupByName: (name) => (name === 'crew' ? GROUPS[0] : undefined),
  channelByName: (name) => (name === 'secret' ? { id: 5, name } : undefined),
})

/** Yields copies of the value with one text replaced. A copy with an unknown event name is rejected. */
function* variantsOf(value: unknown, hostile: string): Generator {
  if (typeof value === 'string') {
    yield hostile
    // Appends the text to a URL, so that the URL still becomes a link.
    if (value.startsWith('http')) yield `${value}/${hostile}`
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const bad of variantsOf(item, hostile)) yield value.with(index, bad)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      for (const bad of variantsOf(item, hostile)) yield { ...value, [name]: bad }
    }
  }
}

function hostileRequests({ headers, body }: Sample, hostile: string): WebhookRequest[] {
  return [...variantsOf(body, hostile)].map((bad) => ({
    ...(headers === undefined ? {} : { headers }),
    body: bad,
  }))
}

function firstSampleOfEachEvent(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ what }, index) => samples.findIndex((other) => other.what === what) === index)
}

const INJECTED_HTML = /user-mention|user-group-mention|class="stream|href="javascript|<script|<img/

function injectionFaults({ html, mentionedUserIds, mentionedGroupIds, ...rendered }: RenderResult): unknown[] {
  const { mentionsChannelWildcard, mentionsTopicWildcard } = rendered
  const mentions = [...mentionedUserIds, ...mentionedGroupIds]
  return [...(INJECTED_HTML.exec(html) ?? []), ...mentions].concat(
    mentionsChannelWildcard || mentionsTopicWildcard ? ['wildcard'] : [],
  )
}

const LEAKED_EMPTY_VALUE = /\b(?:null|undefined|NaN)\b/

const ABSENT = Symbol('absent')
const EMPTY_VALUES: readonly unknown[] = ['', [], {}, 0, false]

function* payloadsWithEmptyField(
  value: unknown,
  empty: unknown,
  path = '',
): Generator<readonly [path: string, body: unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    const put = (given: unknown): unknown =>
      Array.isArray(value)
        ? value.toSpliced(Number(name), 1, ...(given === ABSENT ? [] : [given]))
        : { ...value, [name]: given === ABSENT ? undefined : given }
    yield [`${path}/${name}`, put(empty)]
    for (const [inner, body] of payloadsWithEmptyField(item, empty, `${path}/${name}`)) yield [inner, put(body)]
  }
}

/** Fields without which a payload does not describe its event. */
const EVENT_FIELDS =
  'blocks commit_status data event fork object_attributes pullrequest push sprint type version webhookEvent'.split(' ')

describe('empty values in webhook payloads', () => {
  it.each(INTEGRATIONS.map(({ name }) => name))(
    'accepts payloads of %s with null, missing, or empty fields, and posts no values such as "null"',
    async (service) => {
      const faults: unknown[] = []
      for (const { headers = {}, body, what } of SAMPLES.filter((one) => one.service === service)) {
        const nulls = [...payloadsWithEmptyField(body, null)]
        const others = someOf(EMPTY_VALUES.flatMap((empty) => [...payloadsWithEmptyField(body, empty)]))
        const absent = [...payloadsWithEmptyField(body, ABSENT)].filter(
          ([path]) => !EVENT_FIELDS.includes(path.slice(1)),
        )
        for (const [path, bad] of [...nulls, ...absent, ...others]) {
          const message = await tryRead(service, { headers, body: bad })
          if (typeof message === 'string' && message !== 'UNSUPPORTED_WEBHOOK_EVENT_TYPE') faults.push([what, path])
          // Skips samples that already contain a word such as `null`, and JSON payloads, which are posted unchanged.
          if (typeof message !== 'object' || service === 'json' || LEAKED_EMPTY_VALUE.test(JSON.stringify(body)))
            continue
          if (LEAKED_EMPTY_VALUE.test(`${message.topic} ${message.content}`)) faults.push([what, path, message])
        }
      }
      expect(faults).toEqual([])
    },
  )
})

describe('hostile text in webhook payloads', () => {
  it('renders mentions and channel links in hostile text that is sent as an ordinary message', async () => {
    const { html, mentionedUserIds, mentionedGroupIds, mentionsChannelWildcard } = await renderMessage(
      MENTIONS_AND_CHANNEL_LINK,
      author,
    )
    expect([mentionedUserIds.length, mentionedGroupIds.length, mentionsChannelWildcard]).toEqual([1, 1, true])
    expect(html).toContain('class="stream"')
  })

  it.each(INTEGRATIONS.map(({ name }) => name))(
    'neutralizes mentions, links, and markup in payloads of %s',
    async (service) => {
      const samples = firstSampleOfEachEvent(SAMPLES.filter((one) => one.service === service))
      const requests = samples.flatMap((sample) => HOSTILE_TEXTS.flatMap((hostile) => hostileRequests(sample, hostile)))
      const refused = new Set<string>()
      let posted = 0
      for (const request of someOf(requests)) {
        const message = await tryRead(service, request)
        if (typeof message === 'string') refused.add(message)
        if (typeof message !== 'object') continue
        posted += 1
        expect(injectionFaults(await renderMessage(message.content, author))).toEqual([])
      }
      expect(posted).toBeGreaterThan(0)
      expect(['ANOMALOUS_WEBHOOK_PAYLOAD', 'UNSUPPORTED_WEBHOOK_EVENT_TYPE']).toEqual(
        expect.arrayContaining([...refused]),
      )
    },
  )

  it.each(INTEGRATIONS.map(({ name }) => name))(
    'posts hostile payloads of %s without notifying anyone',
    async (service) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      await owner.subscribe(['secret'], { invite_only: true })
      await owner.call('POST', '/user_groups/create', { name: 'crew', description: '', members: [owner.id] })
      const bot = await makeBot(owner, 'Hook Bot')
      await owner.subscribe(['secret', 'news'], { principals: [bot.id] })
      const queue = await owner.register({ event_types: ['message'] })
      expect(await sendAs(bot, service, await requestWithHostileNames(service), { stream: 'news' })).toMatchObject({
        status: 200,
        body: { result: 'success' },
      })
      const [event, ...others] = await queue.events()
      expect(others).toEqual([])
      const content = messagesIn(event === undefined ? [] : [event])[0]?.['content']
      expect(content).toContain('Olivia Owner')
      expect(content).not.toMatch(INJECTED_HTML)
      expect(event?.['flags']).toEqual([])
    },
  )
})

/** Returns the first request that puts the hostile names into a message. */
async function requestWithHostileNames(service: string): Promise<WebhookRequest> {
  for (const sample of SAMPLES.filter((one) => one.service === service)) {
    for (const request of hostileRequests(sample, MENTIONS_AND_CHANNEL_LINK)) {
      const message = await tryRead(service, request)
      if (typeof message === 'object' && message.content.includes('Olivia Owner')) return request
    }
  }
  throw new Error(`no text of ${service} becomes part of a message`)
}
