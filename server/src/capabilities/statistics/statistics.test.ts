import { describe, expect, it } from 'vitest'
import type { ResponseTo } from '../../testing/contract-types.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { createPeople, makeBot } from '../bots/testing/bots.ts'
import { countMessagePage } from './actions.ts'
import { STATISTICS_LIMIT } from './contract.ts'
import { dueCounts } from './queries.ts'

const server = useTestServer()

const DAY_SECONDS = 86_400

async function countMessages({ id }: Pick<TestOrganization, 'id'>): Promise<void> {
  const log = await server().parley.logs.of(id)
  while (await log.write(countMessagePage));
}

async function channelId({ owner }: TestOrganization, name: string): Promise<number> {
  return (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

describe('statistics', () => {
  it('counts messages per day and channel, direct messages per day, and people who sent messages', async () => {
    const organization = await server().organization()
    const { owner, ada, mia, bob } = await createPeople(organization)
    await owner.subscribe(['news', 'empty'], { principals: [owner.id, mia.id, bob.id] })
    await owner.subscribe(['secret'], { invite_only: true })
    const bot = await makeBot(mia)
    const before = await owner.call('GET', '/statistics', { days: 2 })
    expect(before['channels']).toEqual([])
    const [news, secret] = [await channelId(organization, 'news'), await channelId(organization, 'secret')]
    // First counts the notices about new channels, which are messages, too.
    await countMessages(organization)
    const known = await owner.call('GET', '/statistics', { days: 2 })
    const numbers = ({ days }: ResponseTo<'GET', '/statistics'>): number[] => days.map((day) => day.channel_messages)
    const directs = ({ days }: ResponseTo<'GET', '/statistics'>): number[] => days.map((day) => day.direct_messages)
    for (const text of ['One', 'Two']) await mia.send('news', 'a', text)
    await owner.send('secret', 'b', 'Three')
    await mia.sendTo([bob.id], 'Psst')
    await bot.sendTo([mia.id], 'Beep')
    await countMessages(organization)
    const after = await owner.call('GET', '/statistics', { days: 2 })
    expect(numbers(after)).toEqual([0, (numbers(known)[1] ?? 0) + 3])
    expect(directs(after)).toEqual([0, (directs(known)[1] ?? 0) + 2])
    expect(after['days'].map(({ people }) => people)).toEqual([0, 2])
    expect(after['people']).toBe(2)
    expect(after['time_zone']).toBe('UTC')
    const dates = after['days'].map(({ date }) => date)
    expect(dates[1]).toBe(new Date().toISOString().slice(0, 10))
    const of = (id: number): unknown => after['channels'].find(({ stream_id }) => stream_id === id)?.['messages']
    const earlierCount = (id: number): number =>
      known['channels'].find(({ stream_id }) => stream_id === id)?.['messages'] ?? 0
    expect([of(news), of(secret)]).toEqual([earlierCount(news) + 2, earlierCount(secret) + 1])
    // Administrators can see private channels, but not their messages.
    expect(await ada.call('GET', '/statistics', { days: 2 })).toEqual(after)
    // Messages and their senders are not counted twice.
    await countMessages(organization)
    expect(await owner.call('GET', '/statistics', { days: 2 })).toEqual(after)
    await mia.send('news', 'a', 'Four')
    await countMessages(organization)
    const last = await owner.call('GET', '/statistics', { days: 2 })
    expect([numbers(last)[1], last['people']]).toEqual([(numbers(after)[1] ?? 0) + 1, 2])
    expect(last['days'][1]?.['people']).toBe(2)
  })

  it('counts messages of past days and deletes counts older than the limit', async () => {
    const organization = await server().organization()
    const { owner } = organization
    await owner.subscribe(['news'])
    await countMessages(organization)
    const { pool } = server().parley.database
    const today = Math.floor(Date.now() / 1000 / DAY_SECONDS)
    const ids: number[] = []
    for (const text of ['Old', 'Yesterday']) ids.push(await owner.send('news', 'a', text))
    const at = [STATISTICS_LIMIT.most + 1, 1].map((days) => (today - days) * DAY_SECONDS + 5)
    for (const [index, id] of ids.entries()) {
      await pool.query('update messages set date_sent = $3 where organization_id = $1 and id = $2', [
        organization.id,
        id,
        at[index],
      ])
    }
    await countMessages(organization)
    const { days } = await owner.call('GET', '/statistics', { days: STATISTICS_LIMIT.most })
    const counted = days.map(({ channel_messages, people }) => [channel_messages, people])
    expect(counted).toHaveLength(STATISTICS_LIMIT.most)
    expect(counted.at(-2)).toEqual([1, 1])
    expect(counted.slice(0, -2).every(([messages]) => messages === 0)).toBe(true)
    const tables = ['daily_totals', 'daily_channels', 'last_written_days']
    for (const table of tables) {
      await pool.query(`update ${table} set day = day - $2 where organization_id = $1`, [
        organization.id,
        STATISTICS_LIMIT.most,
      ])
    }
    await countMessages(organization)
    const left = await pool.query(
      tables.map((table) => `select 1 from ${table} where organization_id = $1`).join(' union all '),
      [organization.id],
    )
    expect(left.rows).toEqual([])
  })

  it('schedules a message count for an hour after new activity', async () => {
    const organization = await server().organization()
    const { reads, pool } = server().parley.database
    await pool.query(
      'insert into counted_messages select id, 0, 1000000000, 4000000000 from organizations where id <> $1 on conflict (organization_id) do update set due_at = 4000000000',
      [organization.id],
    )
    const now = Math.floor(Date.now() / 1000)
    const due = async (at: number): Promise<boolean> =>
      (await dueCounts(reads, at)).some(({ organizationId }) => organizationId === organization.id)
    await countMessages(organization)
    expect(await due(now)).toBe(false)
    expect(await due(now + 3_600)).toBe(false)
    await organization.owner.sendTo([organization.owner.id], 'A note')
    expect(await due(now)).toBe(false)
    expect(await due(now + 3_600)).toBe(true)
  })

  it('shows statistics only to administrators of the organization', async () => {
    const organization = await server().organization()
    const { owner, ada, mia } = await createPeople(organization)
    await mia.sendTo([owner.id], 'Hello')
    await countMessages(organization)
    const elsewhere = await server().organization('Elsewhere')
    await countMessages(elsewhere)
    expect((await ada.call('GET', '/statistics'))['people']).toBe(1)
    expect((await elsewhere.owner.call('GET', '/statistics'))['people']).toBe(0)
    const guest = await organization.user('Gus', { role: 600 })
    const moderator = await organization.user('Mo', { role: 300 })
    for (const one of [mia, guest, moderator, await makeBot(mia)]) {
      const { status, body } = await one.try('GET', '/statistics')
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Must be an organization administrator'])
      expect(body['days']).toBeUndefined()
    }
    for (const days of [0, 401, 'x', -1]) expect((await owner.try('GET', '/statistics', { days })).status).toBe(400)
  })
})
