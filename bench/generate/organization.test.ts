import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { objectsIn } from '../../server/src/testing/json.ts'
import { connectToDatabase, startProduct, type Product } from '../parts/product.js'
import { createApi, generateOrganization, type Api } from './organization.js'
import { RARE_WORD } from './words.js'
import type { Landmarks } from './write.js'

const SIZE = { users: 60, channels: 12, messages: 1_500, longTopic: 200, seed: 5 }

const data = mkdtempSync(join(tmpdir(), 'parley-generated-'))
let product: Product
let landmarks: Landmarks
let active: Api

beforeAll(async () => {
  ;({ landmarks } = await generateOrganization(data, SIZE))
  product = await startProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } })
  active = createApi(product.url, landmarks.active.email, landmarks.active.key)
}, 120_000)

afterAll(async () => {
  await product.stop()
  rmSync(data, { recursive: true, force: true })
})

const listedMessages = z.array(
  z.object({ id: z.number(), content: z.string(), sender_id: z.number(), flags: z.array(z.string()) }),
)

async function messages(narrow: readonly object[], parameters: Record<string, string> = {}) {
  const answer = await active('GET', '/messages', {
    anchor: 'newest',
    num_before: '5000',
    num_after: '0',
    narrow: JSON.stringify(narrow),
    ...parameters,
  })
  return listedMessages.parse(answer['messages'])
}

describe('server with a generated organization', () => {
  it('returns all generated people and channels, and the unread count', async () => {
    const state = await active('POST', '/register', { include_subscribers: 'true' })
    // The product itself created the owner and the two samples.
    expect(state['realm_users']).toHaveLength(SIZE.users + 2)
    const channels = [state['subscriptions'], state['never_subscribed']].flatMap(objectsIn)
    expect(channels.length).toBeGreaterThanOrEqual(SIZE.channels)
    expect(state['unread_msgs']).toMatchObject({ count: landmarks.unread })
    expect(state['max_message_id']).toBe(landmarks.position)
  })

  it('reports exactly the messages without the read flag as unread', async () => {
    const all = await messages([])
    expect(all.filter(({ flags }) => !flags.includes('read'))).toHaveLength(landmarks.unread)
    expect(await messages([{ operator: 'is', operand: 'unread' }])).toHaveLength(landmarks.unread)
  })

  it('finds messages by topic, sender, mention, star, and word', async () => {
    const topic = [
      { operator: 'channel', operand: landmarks.channelId },
      { operator: 'topic', operand: landmarks.shortTopic.name },
    ]
    const inTopic = await messages(topic)
    expect(inTopic).toHaveLength(landmarks.shortTopic.messages)
    expect(inTopic.at(-1)?.id).toBe(landmarks.shortTopic.newest)
    expect(await messages([topic[0] ?? {}, { operator: 'topic', operand: landmarks.longTopic?.name }])).toHaveLength(
      SIZE.longTopic,
    )
    const bySender = await messages([{ operator: 'sender', operand: landmarks.sender }])
    expect(bySender.length).toBeGreaterThan(50)
    expect(new Set(bySender.map((message) => message.sender_id))).toEqual(new Set([landmarks.sender]))
    const mentioning = await messages([{ operator: 'is', operand: 'mentioned' }])
    expect(mentioning.length).toBeGreaterThan(50)
    for (const { content } of mentioning) expect(content).toContain(`data-user-id="${landmarks.active.id}"`)
    expect((await messages([{ operator: 'is', operand: 'starred' }])).length).toBeGreaterThan(10)
    const rare = await messages([{ operator: 'search', operand: RARE_WORD }])
    expect(rare.length).toBeGreaterThan(5)
    for (const { content } of rare) expect(content).toContain(RARE_WORD)
  })

  it('stores generated messages with the HTML that the server would render', async () => {
    const [sample] = await messages([], { apply_markdown: 'false', num_before: '1' })
    const [shown] = await messages([], { num_before: '1' })
    const { rendered } = await active('POST', '/messages/render', { content: sample?.content ?? '' })
    expect(shown?.content).toBe(rendered)
  })

  it('gives a new message a higher ID than all generated messages', async () => {
    const { id } = await active('POST', '/messages', {
      type: 'stream',
      to: landmarks.channel,
      topic: landmarks.shortTopic.name,
      content: 'One more',
    })
    expect(Number(id)).toBeGreaterThan(landmarks.position)
    const [newest] = await messages([], { num_before: '1' })
    expect(newest).toMatchObject({ id, content: '<p>One more</p>' })
  })

  it('stores topics and conversations that match the generated messages', async () => {
    const client = await connectToDatabase(data)
    try {
      const { rows } = await client.query(
        `select t.id from topics t
         left join lateral (select min(id) as first, max(id) as last from messages m
           where m.organization_id = t.organization_id and m.topic_id = t.id) m on true
         where m.last is distinct from nullif(t.max_id, case when t.channel_id is null then t.first_id end)
            or (t.channel_id is not null and m.first is distinct from t.first_id)
         union all
         select m.id from messages m left join conversations c
           on c.organization_id = m.organization_id and c.topic_id = m.topic_id
         where m.channel_id is null and not coalesce(m.sender_id = any(c.member_ids), false)`,
      )
      expect(rows).toEqual([])
    } finally {
      await client.end()
    }
  })
})
