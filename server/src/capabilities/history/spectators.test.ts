import { describe, expect, it } from 'vitest'
import { SPECTATOR } from '../../kernel/actor.ts'
import { withState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import { readerOf } from '../../platform/request.ts'
import { askDatabase, createDatabase } from '../../testing/databases.ts'
import { fetchUnauthenticated, PIXEL, upload } from '../../testing/files.ts'
import { objectsIn } from '../../testing/json.ts'
import { startTestServer, startTestServerOn, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, TestSpectator, TestUser, type Answer, type Body, type Parameters } from '../../testing/user.ts'
import { channelsProjection } from '../channels/queries/index.ts'
import { getMessages } from './contract.ts'
import { MAX_ANCHOR } from './queries/finding.ts'
import { findWindow, prepareNarrow, type MessageWindow } from './queries/narrow.ts'
import { getMessages as readMessages } from './queries/reading.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const REFUSED = [401, 'UNAUTHENTICATED_USER']
const ABSENT_ID = 4_000_000
const QUIETLY = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

const codeOf = ({ status, body }: Answer): unknown[] => [status, body['code']]

interface Scene extends TestOrganization {
  readonly spectator: TestSpectator
  readonly channelId: number
}

/** Creates an organization with a web-public channel. */
async function openScene(): Promise<Scene> {
  const organization = await server().organization()
  const { owner } = organization
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const { id } = await owner.call('POST', '/channels/create', {
    name: 'Open',
    subscribers: [owner.id],
    is_web_public: true,
  })
  return { ...organization, spectator: new TestSpectator(owner), channelId: id }
}

function windowOf(narrow: readonly unknown[] = [], more: Parameters = {}): Parameters {
  const all = [['channels', 'web-public'], ...narrow]
  return { anchor: 'newest', num_before: 100, num_after: 0, narrow: all, allow_empty_topic_name: true, ...more }
}

async function read({ spectator }: Scene, narrow?: readonly unknown[], more?: Parameters): Promise<Body[]> {
  const { messages } = await spectator.call('GET', '/messages', windowOf(narrow, more))
  return objectsIn(messages)
}

async function readIds(scene: Scene, narrow?: readonly unknown[], more?: Parameters): Promise<unknown[]> {
  return (await read(scene, narrow, more)).map((message) => message['id'])
}

describe('messages for spectators', () => {
  it('shows a message without email addresses, devices, and earlier states', async () => {
    const scene = await openScene()
    const { owner, spectator, channelId, user } = scene
    const ann = await user('Ann Author')
    await owner.subscribe(['Open'], { principals: [ann.id] })
    const id = await ann.send('Open', 'first topic', 'first **text**')
    await ann.call('PATCH', `/messages/${id}`, { content: 'second **text**' })
    await owner.call('PATCH', `/messages/${id}`, { topic: 'second topic', ...QUIETLY })
    await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })

    const { message, raw_content } = await spectator.call('GET', `/messages/${id}`)
    expect(raw_content).toBe('second **text**')
    expect(message).toEqual({
      id,
      type: 'stream',
      sender_id: ann.id,
      sender_email: expect.stringMatching(new RegExp(String.raw`^user${ann.id}@.*\.invalid$`)) as string,
      sender_full_name: 'Ann Author',
      sender_realm_str: expect.any(String) as string,
      avatar_url: expect.stringMatching(`^/avatar/${ann.id}`) as string,
      client: '',
      content: '<p>second <strong>text</strong></p>',
      content_type: 'text/html',
      display_recipient: 'Open',
      recipient_id: channelId,
      stream_id: channelId,
      subject: 'second topic',
      is_me_message: false,
      timestamp: expect.any(Number) as number,
      last_edit_timestamp: expect.any(Number) as number,
      reactions: [{ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: owner.id }],
      submessages: [],
      topic_links: [],
      flags: ['read', 'historical'],
    })
    const listed = await read(scene, [['topic', 'second topic']], { client_external_avatar: true })
    expect(listed).toEqual([message])
    const { topics } = await spectator.call('GET', `/users/me/${channelId}/topics`)
    expect(topics.find(({ name }) => name === 'second topic')).toEqual({ name: 'second topic', max_id: id })
    const { headers } = await spectator.try('GET', `/messages/${id}`)
    expect(Object.keys(headers).filter((name) => /position/i.test(name))).toEqual([])
  })

  it('shows only what was said since the channel became web-public', async () => {
    const scene = await openScene()
    const { owner, spectator } = scene
    await owner.subscribe(['Later'])
    const { stream_id: laterId } = await owner.call('GET', '/get_stream_id', { stream: 'Later' })
    const [before, old] = [await owner.send('Later', 'talk', 'not for all'), await owner.send('Later', 'old', 'old')]
    const change = async (isWebPublic: boolean): Promise<unknown> =>
      owner.call('PATCH', `/streams/${laterId}`, { is_web_public: isWebPublic })
    await change(true)
    const first = await owner.send('Later', 'talk', 'for all')
    await owner.call('PATCH', `/messages/${old}`, { content: 'old, edited' })
    const inTalk = [
      ['channel', 'Later'],
      ['topic', 'talk'],
    ]
    expect(await readIds(scene, inTalk)).toEqual([first])
    expect(
      await readIds(scene, [{ operator: 'channel', operand: laterId }], { anchor: 'oldest', num_after: 100 }),
    ).not.toContain(before)
    const { topics } = await spectator.call('GET', `/users/me/${laterId}/topics`)
    expect(topics.map(({ name }) => name)).not.toContain('old')
    expect(codeOf(await spectator.try('GET', `/messages/${before}`))).toEqual(REFUSED)
    const byId = { narrow: [['channels', 'web-public']], message_ids: [first] }
    expect(codeOf(await spectator.try('GET', '/messages', byId))).toEqual(REFUSED)

    await change(false)
    expect(await readIds(scene, inTalk.slice(1))).toEqual([])
    expect(codeOf(await spectator.try('GET', `/messages/${first}`))).toEqual(REFUSED)
    const between = await owner.send('Later', 'talk', 'for members again')
    await change(true)
    const second = await owner.send('Later', 'talk', 'for all again')
    expect(await readIds(scene, inTalk)).toEqual([second])
    expect(codeOf(await spectator.try('GET', `/messages/${between}`))).toEqual(REFUSED)
    const { streams } = await spectator.call('POST', '/register', { fetch_event_types: ['stream'] })
    const shown = { first_message_id: null, subscriber_count: 0, stream_weekly_traffic: null }
    expect(streams.map((one) => one.name)).toEqual(['Open', 'Later'])
    for (const one of streams) expect(one).toMatchObject(shown)
  })

  it('answers about hidden, deleted, moved, and absent objects alike', async () => {
    const scene = await openScene()
    const { owner, spectator, user } = scene
    const ann = await user('Ann')
    await owner.subscribe(['Cabinet'], { invite_only: true })
    await owner.subscribe(['Plaza'])
    const idOf = async (stream: string): Promise<number> =>
      (await owner.call('GET', '/get_stream_id', { stream })).stream_id
    const [cabinet, plaza] = [await idOf('Cabinet'), await idOf('Plaza')]
    const deleted = await owner.send('Open', 'talk', 'deleted')
    await owner.call('DELETE', `/messages/${deleted}`)
    const moved = await owner.send('Open', 'talk', 'moved')
    const hidden = [
      await owner.send('Cabinet', 'talk', 'private'),
      await owner.send('Plaza', 'talk', 'for members'),
      await owner.sendTo([ann.id], 'direct'),
      deleted,
      moved,
    ]
    await owner.call('PATCH', `/messages/${moved}`, { stream_id: cabinet, ...QUIETLY })
    const said = async (path: string, parameters: Parameters = {}): Promise<unknown[]> => {
      const { status, body } = await spectator.try('GET', path, parameters)
      return [status, body]
    }
    for (const id of hidden) {
      expect(await said(`/messages/${id}`)).toEqual(await said(`/messages/${ABSENT_ID}`))
      expect(await said('/messages', windowOf([['id', id]]))).toEqual(
        await said('/messages', windowOf([['id', ABSENT_ID]])),
      )
    }
    for (const id of [cabinet, plaza]) {
      expect(await said(`/users/me/${id}/topics`)).toEqual(await said(`/users/me/${ABSENT_ID}/topics`))
      for (const operand of [id, id === cabinet ? 'Cabinet' : 'Plaza']) {
        const absent = await said('/messages', windowOf([{ operator: 'channel', operand: ABSENT_ID }]))
        expect(await said('/messages', windowOf([{ operator: 'channel', operand }]))).toEqual(absent)
      }
    }
    expect(await readIds(scene, [['topic', 'talk']])).toEqual([])
    const back = await owner.send('Cabinet', 'talk', 'published by moving it')
    await owner.call('PATCH', `/messages/${back}`, { stream_id: scene.channelId, ...QUIETLY })
    const [shown] = await read(scene, [['topic', 'talk']])
    expect(shown).toMatchObject({ id: back })
    expect(Object.keys(shown ?? {})).not.toContain('edit_history')
    expect(Object.keys(shown ?? {})).not.toContain('last_moved_timestamp')
  })

  it('finds words of messages that spectators can read by their beginning', async () => {
    const scene = await openScene()
    const { owner } = scene
    await owner.subscribe(['Plaza'])
    await owner.send('Plaza', 'talk', 'redeployment for members')
    const id = await owner.send('Open', 'talk', 'The **Redeployment** of 天气预报 on Müllerstraße failed')
    const search = async (text: string): Promise<unknown[]> => readIds(scene, [['search', text]])
    for (const text of ['redeploy', 'REDEPLOYMENT failed', 'muller', '天气', '"redeployment of"'])
      expect([text, await search(text)]).toEqual([text, [id]])
    for (const text of ['members', 'redeploiment', '"deployment of"', ''])
      expect([text, await search(text)]).toEqual([text, []])
    const [found] = await read(scene, [['search', 'redeploy']])
    expect(found?.['match_content']).toContain('<span class="highlight">Redeployment</span>')
    expect(await readIds(scene, [{ operator: 'search', operand: 'failed', negated: true }])).not.toContain(id)
  })

  it('says that a search is incomplete while messages are not in the index', async () => {
    const { owner, spectator } = await openScene()
    const id = await owner.send('Open', 'talk', 'redeployment')
    const search = async () => spectator.call('GET', '/messages', windowOf([['search', 'redeploy']]))
    await askDatabase(server().database, `update messages set terms = null where id = ${id}`)
    expect(await search()).toMatchObject({ messages: [], search_incomplete: true })
    await expect.poll(async () => (await search()).search_incomplete).toBeUndefined()
  })

  it('searches in other turns than it reads', async () => {
    const { owner } = await openScene()
    const { reads } = server().parley.database
    const turns: string[] = []
    await server().parley.useLogAt(owner.host, async (log) => {
      if (log === undefined) throw new Error('the organization is missing')
      const aside = (account: string): Db => {
        turns.push(account)
        return reads
      }
      const reader = readerOf({ log, actor: SPECTATOR, reads: { ...reads, aside } })
      for (const narrow of [[], [['search', 'word']]])
        await readMessages(reader, getMessages.input.parse(windowOf(narrow)))
    })
    expect(new Set(turns).size).toBe(2)
  })

  it('stops a search after many messages, and says where to go on', async () => {
    const { owner } = await openScene()
    const id = await owner.send('Open', 'talk', 'needle')
    await server().parley.useLogAt(owner.host, async (log) => {
      if (log === undefined) throw new Error('the organization is missing')
      const { reads } = server().parley.database
      const reader = readerOf({ log, actor: SPECTATOR, reads })
      const channels = reader.organization.of(channelsProjection)
      const grown = {
        ...withState(reader.organization, channelsProjection, channels),
        position: reader.organization.position + 230_000,
      }
      const terms = [
        { operator: 'channels', operand: 'web-public', negated: false },
        { operator: 'search', operand: 'needle', negated: false },
      ]
      const conditions = await prepareNarrow(reader, terms)
      const windows: MessageWindow[] = []
      for (let anchor: number | undefined = MAX_ANCHOR; anchor !== undefined; anchor = windows.at(-1)?.range.from) {
        const asked = { anchor: String(anchor), include_anchor: false, num_before: 10, num_after: 0 }
        windows.push(await findWindow({ ...reader, organization: grown }, conditions, asked))
      }
      expect(windows.length).toBeGreaterThan(3)
      expect(windows.flatMap(({ ids }) => ids)).toEqual([id])
      expect(windows.map(({ foundOldest }) => foundOldest)).toEqual(windows.map((one) => one === windows.at(-1)))
    })
  })

  it.each([
    ['has', 'link'],
    ['has', 'attachment'],
    ['has', 'image'],
    ['has', 'reaction'],
    ['search', 'word'],
  ])('reads only web-public channels for %s:%s', async (operator, operand) => {
    const { owner } = await openScene()
    const { reads } = server().parley.database
    const texts: string[] = []
    await server().parley.useLogAt(owner.host, async (log) => {
      if (log === undefined) throw new Error('the organization is missing')
      const rows: Db['rows'] = async (name, text, values) => {
        texts.push(text)
        return reads.rows(name, text, values)
      }
      const reader = readerOf({ log, actor: SPECTATOR, reads: { rows, aside: () => ({ rows }) } })
      const terms = [
        { operator: 'channels', operand: 'web-public', negated: false },
        { operator, operand, negated: false },
      ]
      const range = { anchor: 'newest', include_anchor: true, num_before: 10, num_after: 0 }
      await findWindow(reader, await prepareNarrow(reader, terms), range)
    })
    expect(texts.filter((text) => text.includes('messages m'))).toHaveLength(1)
    expect(texts.join('').match(/m\.channel_id = p\.channel_id and/g)).toHaveLength(3)
  })

  it('shows the files of messages that spectators can read', async () => {
    const { owner } = await openScene()
    await owner.subscribe(['Plaza'])
    const [seen, unseen] = [await upload(owner, 'seen.png', PIXEL), await upload(owner, 'unseen.txt', 'unseen')]
    const fetched = async (path: string): Promise<number> => (await fetchUnauthenticated(owner, path)).status
    expect(await fetched(seen)).toBe(401)
    const id = await owner.send('Open', 'talk', `[seen](${seen})`)
    await owner.send('Plaza', 'talk', `[unseen](${unseen})`)
    const thumbnail = `${seen.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
    expect([await fetched(seen), await fetched(thumbnail)]).toEqual([200, 200])
    const [hidden, absent] = [
      await fetchUnauthenticated(owner, unseen),
      await fetchUnauthenticated(owner, `${unseen}x`),
    ]
    expect([hidden.status, hidden.bytes]).toEqual([401, absent.bytes])
    await owner.call('DELETE', `/messages/${id}`)
    expect([await fetched(seen), await fetched(thumbnail)]).toEqual([401, 401])
  })
})

it('publishes nothing sent before a server of the previous version published a channel', async () => {
  const environment = { PARLEY_WEB_PUBLIC_CHANNELS: '1' }
  const database = await createDatabase()
  const first = await startTestServerOn(database, environment)
  const { owner } = await first.organization()
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const channel = { name: 'Open', subscribers: [owner.id], is_web_public: true }
  const { id: channelId } = await owner.call('POST', '/channels/create', channel)
  const before = await owner.send('Open', 'talk', 'before')
  await first.close()
  const changes = [false, true].map((isWebPublic) => `update channels set is_web_public = ${isWebPublic}`)
  await askDatabase(database, ...changes)

  const second = await startTestServerOn(database, environment)
  const sameOwner = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
  const spectator = new TestSpectator(sameOwner)
  expect(codeOf(await spectator.try('GET', `/messages/${before}`))).toEqual(REFUSED)
  await sameOwner.call('PATCH', `/streams/${channelId}`, { description: 'For all' })
  const after = await sameOwner.send('Open', 'talk', 'after')
  expect((await spectator.try('GET', `/messages/${after}`)).status).toBe(200)
  expect(codeOf(await spectator.try('GET', `/messages/${before}`))).toEqual(REFUSED)
  await second.close()
})

it("counts spectators' requests apart from those of signed-out and signed-in people", async () => {
  const limited = await startTestServer({
    PARLEY_WEB_PUBLIC_CHANNELS: '1',
    PARLEY_RATE_LIMITS: 'on',
    PARLEY_RATE_LIMIT_ADDRESS: '1/60',
  })
  const { owner } = await limited.organization()
  const ask = async (): Promise<Answer> => callApi(owner.url, owner.host, 'GET', '/messages', windowOf())
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  expect(codeOf(await ask())).toEqual(REFUSED)
  expect(codeOf(await ask())).toEqual([429, 'RATE_LIMIT_HIT'])
  await owner.call('POST', '/channels/create', { name: 'Open', subscribers: [owner.id], is_web_public: true })
  const [first, second] = [await ask(), await ask()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect([first, second].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['299', '298'])
  await limited.close()
})
