import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { fetchUnauthenticated } from '../../testing/files.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestSpectator, type Parameters, type TestUser } from '../../testing/user.ts'

/*
 * Two organizations go through the same public history. In one of them, things happen that spectators cannot see. The
 * answers to a spectator must be equal, once IDs are numbered by their first appearance and times are left out.
 */

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const TOPICS = ['apples', 'pears', 'plums'] as const
const QUIETLY = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

interface Scene extends TestOrganization {
  readonly ann: TestUser
  readonly spectator: TestSpectator
  readonly openId: number
  readonly cabinetId: number
  /** Public messages, oldest first. */
  readonly sent: number[]
  readonly hidden: number[]
}

type Step = (scene: Scene, pick: number, turn: number) => Promise<unknown>

const topicOf = (pick: number): string => TOPICS[pick % TOPICS.length] ?? ''
const chosenOf = (ids: readonly number[], pick: number): number | undefined => ids[pick % Math.max(1, ids.length)]

async function sendHidden(scene: Scene, channel: string, pick: number, turn: number): Promise<number> {
  const id = await scene.ann.send(channel, topicOf(pick), `hidden ${turn}`)
  scene.hidden.push(id)
  return id
}

const PUBLIC_STEPS: readonly Step[] = [
  async (scene, pick, turn) => {
    const sender = pick % 2 === 0 ? scene.owner : scene.ann
    scene.sent.push(await sender.send('Open', topicOf(pick), `said ${turn}`))
  },
  async ({ owner, sent }, pick, turn) => {
    const id = chosenOf(sent, pick)
    return owner.try('PATCH', `/messages/${id ?? 0}`, { content: `rewritten ${turn}` })
  },
  async ({ ann, sent }, pick) =>
    ann.try('POST', `/messages/${chosenOf(sent, pick) ?? 0}/reactions`, { emoji_name: 'tada' }),
  async ({ owner, sent }, pick) =>
    owner.try('PATCH', `/messages/${chosenOf(sent, pick) ?? 0}`, { topic: topicOf(pick + 1), ...QUIETLY }),
]

const HIDDEN_STEPS: readonly Step[] = [
  async (scene, pick, turn) => sendHidden(scene, 'Cabinet', pick, turn),
  async (scene, pick, turn) => sendHidden(scene, 'Plaza', pick, turn),
  async ({ owner, ann, hidden }, _, turn) => hidden.push(await ann.sendTo([owner.id], `hidden ${turn}`)),
  async ({ owner, user }, _, turn) => {
    const { id } = await user(`Hidden ${turn}`)
    await owner.subscribe(['Open', 'Cabinet'], { principals: [id] })
  },
  async ({ owner }, pick, turn) => owner.subscribe([`hidden ${turn}`], { invite_only: pick % 2 === 0 }),
  async (scene, pick, turn) => {
    const id = await sendHidden(scene, 'Open', pick, turn)
    await scene.owner.call('DELETE', `/messages/${id}`)
  },
  async (scene, pick, turn) => {
    const id = await sendHidden(scene, 'Open', pick, turn)
    await scene.owner.call('PATCH', `/messages/${id}`, { stream_id: scene.cabinetId, ...QUIETLY })
  },
  async ({ ann, sent }, pick) => {
    const id = chosenOf(sent, pick) ?? 0
    await ann.try('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  },
]

const step = fc.record({
  kind: fc.nat(99),
  pick: fc.nat(99),
  isHidden: fc.boolean(),
})

async function createScene(hasHidden: boolean): Promise<Scene> {
  const organization = await server().organization('Twins')
  const { owner, user } = organization
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const ann = await user('Ann')
  const principals = [owner.id, ann.id]
  await owner.subscribe(['Cabinet'], { invite_only: true, principals })
  await owner.subscribe(['Open', 'Plaza'], { principals })
  const idOf = async (stream: string): Promise<number> =>
    (await owner.call('GET', '/get_stream_id', { stream })).stream_id
  const openId = await idOf('Open')
  // Said before the channel became web-public.
  if (hasHidden) await ann.send('Open', topicOf(0), 'hidden')
  await owner.call('PATCH', `/streams/${openId}`, { is_web_public: true })
  const spectator = new TestSpectator(owner)
  return { ...organization, ann, spectator, openId, cabinetId: await idOf('Cabinet'), sent: [], hidden: [] }
}

const ID_KEY = /(?:^|_)id$/

/** Numbers IDs by their first appearance, also in texts, and leaves out times and the host. */
function comparable(scene: Scene, answers: readonly unknown[]): unknown {
  const numbers = new Map<string, number>()
  const numberOf = (id: string | number): number => {
    const known = numbers.get(String(id)) ?? numbers.size
    numbers.set(String(id), known)
    return known
  }
  const shown: unknown = JSON.parse(JSON.stringify(answers), (key, value: unknown) => {
    if (typeof value === 'number') {
      if (/timestamp|date_created/.test(key)) return 0
      return ID_KEY.test(key) && key !== 'last_event_id' ? `#${numberOf(value)}` : value
    }
    if (typeof value !== 'string') return value
    return value
      .replaceAll(scene.host.split('.')[0] ?? '', 'SUBDOMAIN')
      .replace(/"datePublished":"[^"]*"/g, '')
      .replace(/(?<=\/avatar\/|^user|\/public\/|\/message\/|\/c\/|id="|#)\d+/g, (id) => `#${numberOf(id)}`)
  })
  return shown
}

async function answersOf(scene: Scene): Promise<unknown[]> {
  const { spectator, openId, sent } = scene
  const ask = async (path: string, parameters: Parameters): Promise<unknown> => {
    const { status, body } = await spectator.try('GET', path, parameters)
    return { status, body }
  }
  const windowOf = (...terms: readonly unknown[]): Parameters => ({
    anchor: 'newest',
    num_before: 1_000,
    num_after: 0,
    narrow: [['channels', 'web-public'], ...terms],
  })
  const { streams, never_subscribed, realm_users } = await spectator.call('POST', '/register')
  return [
    { streams, never_subscribed, realm_users },
    await ask('/messages', windowOf()),
    await ask('/messages', windowOf(['channel', 'Open'], ['topic', TOPICS[0]])),
    ...(await Promise.all(
      ['said', 'said 2', 'hidden', 'hid', 'rewriten', '"said 1"', ''].map(async (text) =>
        ask('/messages', windowOf(['search', text])),
      ),
    )),
    await ask('/messages', { ...windowOf(['has', 'reaction']), anchor: 'first_unread', num_after: 1_000 }),
    await ask(`/users/me/${openId}/topics`, {}),
    await ask(`/messages/${chosenOf(sent, 0) ?? openId}`, {}),
    ...(await Promise.all(
      ['', `/${openId}`, `/${openId}/topic/${TOPICS[0]}`, `/${openId}/feed`, `/${openId}/sitemap`].map(async (path) => {
        const { status, bytes } = await fetchUnauthenticated(spectator, `/public${path}`)
        return { status, page: bytes.toString('utf8').replace(/<(time|updated|published|lastmod)\b.*?<\/\1>/g, '') }
      }),
    )),
  ]
}

it('answers spectators alike whatever happens where they cannot see it', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const [full, empty] = [await createScene(true), await createScene(false)]
      for (const [turn, { kind, pick, isHidden }] of steps.entries()) {
        const choices = isHidden ? HIDDEN_STEPS : PUBLIC_STEPS
        const chosen = choices[kind % choices.length]
        await chosen?.(full, pick, turn)
        if (!isHidden) await chosen?.(empty, pick, turn)
      }
      const answers = await answersOf(full)
      expect(comparable(full, answers)).toEqual(comparable(empty, await answersOf(empty)))
      expect(JSON.stringify(answers)).not.toContain('hidden')
      const refused = new Set<string>()
      for (const id of [...full.hidden, full.cabinetId]) {
        for (const path of [`/messages/${id}`, `/users/me/${id}/topics`]) {
          const { status, body } = await full.spectator.try('GET', path)
          refused.add(JSON.stringify([status, body]))
        }
      }
      expect(refused.size).toBe(1)
    }),
    { numRuns: effort(10), endOnFailure: true },
  )
})
