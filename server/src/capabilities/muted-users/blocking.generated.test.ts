import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { Random } from '../../testing/random.ts'
import { useTestServer } from '../../testing/server.ts'
import { shortestFailure, type Outcome } from '../../testing/shortest.ts'
import type { Answer, TestQueue, TestUser } from '../../testing/user.ts'

/*
 * Plays the same random steps in two organizations with equal IDs. In one, Ann blocks Ben; in the other, someone else,
 * which takes as many log positions. Later she unblocks them, having read all that others can see. Everything that Ben
 * and his bot receive must be equal: responses, events with their IDs, state, and histories. Set PARLEY_BLOCK_SEED to
 * repeat a failure.
 */

const GIVEN_SEED = process.env['PARLEY_BLOCK_SEED']
const FIRST_SEED = Number(GIVEN_SEED ?? 1)
const PAIR_COUNT = GIVEN_SEED === undefined ? effort(10) : 1
const STEPS_PER_PAIR = 20 + effort(40)
const STEPS_BETWEEN_READS = 6
const STEPS_BEFORE_BLOCK = 6
const STEPS_BEFORE_UNBLOCK = Math.floor(STEPS_PER_PAIR * 0.7)
const MAX_CHOICE = 1_000

const server = useTestServer()

interface Scene {
  readonly ann: TestUser
  readonly ben: TestUser
  readonly bot: TestUser
  readonly carl: TestUser
  readonly dora: TestUser
  readonly den: number
  readonly queues: readonly TestQueue[]
  readonly sent: number[]
  /** Messages that Ann sees in both organizations. */
  readonly seenByAnn: number[]
}

async function createScene(blocks: 'Ben' | 'Dora'): Promise<Scene & { readonly blocked: TestUser }> {
  const { owner, user } = await server().organization('Twins', { firstPosition: 0 })
  const [ann, ben, carl, dora] = [await user('Ann'), await user('Ben'), await user('Carl'), await user('Dora')]
  const bot = await user('Bot', { bot: { ownerId: ben.id } })
  await owner.subscribe(['den'], { principals: [owner.id, ann.id, ben.id, carl.id, bot.id] })
  await owner.call('PATCH', '/realm', { enable_read_receipts: true })
  // Following takes a log position. Positions look the same without a block if Ann turned this off.
  await ann.call('PATCH', '/settings', { automatically_follow_topics_where_mentioned: false })
  const { stream_id: den } = await owner.call('GET', '/get_stream_id', { stream: 'den' })
  const queues = [await ben.register(), await bot.register()]
  const blocked = blocks === 'Ben' ? ben : dora
  return { ann, ben, bot, carl, dora, den, queues, sent: [], seenByAnn: [], blocked }
}

interface StepContext {
  readonly scene: Scene
  readonly what: number
  readonly more: number
}

type Step = (context: StepContext) => Promise<Answer>

const TEXTS = ['Hello', '@**Ann** hello', '@**all**', '@**topic** word', '/poll Where?\nIn\nOut', '/todo List\nTask']
const TOPICS = ['plans', 'lunch']

function itemAt<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

const someMessage = ({ sent }: Scene, what: number): number => (sent.length === 0 ? 1 : itemAt(sent, what))

async function say(user: TestUser, context: StepContext, to: number | readonly number[]): Promise<Answer> {
  const { scene, what, more } = context
  const type = typeof to === 'number' ? { type: 'stream', topic: itemAt(TOPICS, what) } : { type: 'direct' }
  const answer = await user.try('POST', '/messages', { ...type, to, content: itemAt(TEXTS, more) })
  if (answer.status === 200) {
    scene.sent.push(Number(answer.body['id']))
    if (user === scene.carl || user === scene.ann) scene.seenByAnn.push(Number(answer.body['id']))
  }
  return answer
}

async function typeTo(user: TestUser, { scene, more }: StepContext): Promise<Answer> {
  const to = itemAt([[scene.ann.id], [scene.ann.id, scene.carl.id]], more)
  return more % 3 === 0
    ? user.try('POST', '/typing', { type: 'stream', op: 'start', stream_id: scene.den, topic: 'plans' })
    : user.try('POST', '/typing', { type: 'direct', op: 'start', to })
}

async function react(user: TestUser, { scene, what, more }: StepContext): Promise<Answer> {
  return user.try(more % 3 === 0 ? 'DELETE' : 'POST', `/messages/${someMessage(scene, what)}/reactions`, {
    emoji_name: itemAt(['tada', 'heart'], more),
  })
}

async function readByAnn({ ann }: Scene, narrow: readonly object[], anchor: number | 'newest'): Promise<Answer> {
  const window = { anchor, include_anchor: true, num_before: 999, num_after: 0 }
  return ann.try('POST', '/messages/flags/narrow', { ...window, narrow, op: 'add', flag: 'read' })
}

/**
 * Receipts show at the end of a block that the messages of the block started as read. Ann also has something to read
 * with the block, because reading takes a log position.
 */
async function unblock(scene: Scene & { readonly blocked: TestUser }): Promise<void> {
  const context = { scene, what: 0, more: 0 }
  await say(scene.carl, context, scene.den)
  await say(scene.carl, context, [scene.ann.id, scene.ben.id])
  await readByAnn(scene, [{ operator: 'channel', operand: scene.den }], 'newest')
  await readByAnn(scene, [{ operator: 'dm', operand: [scene.ben.id, scene.carl.id] }], 'newest')
  await scene.ann.call('DELETE', `/users/me/blocked_users/${scene.blocked.id}`)
}

/** Steps of the blocked person, whose responses are compared. */
const COMPARED_STEPS: Readonly<Record<string, Step>> = {
  'Ben writes to Ann': async (context) => say(context.scene.ben, context, [context.scene.ann.id]),
  'Bot writes to Ann': async (context) => say(context.scene.bot, context, [context.scene.ann.id]),
  'Ben writes to Ann and Bot': async (context) =>
    say(context.scene.ben, context, [context.scene.ann.id, context.scene.bot.id]),
  'Bot writes to Ann and Ben': async (context) =>
    say(context.scene.bot, context, [context.scene.ann.id, context.scene.ben.id]),
  'Bot writes to the channel': async (context) => say(context.scene.bot, context, context.scene.den),
  'Ben writes to Ann and Carl': async (context) =>
    say(context.scene.ben, context, [context.scene.ann.id, context.scene.carl.id]),
  'Ben writes to the channel': async (context) => say(context.scene.ben, context, context.scene.den),
  'Ben types': async (context) => typeTo(context.scene.ben, context),
  'Ben reacts': async (context) => react(context.scene.ben, context),
  'Ben edits': async ({ scene, what, more }) =>
    scene.ben.try('PATCH', `/messages/${someMessage(scene, what)}`, { content: `${itemAt(TEXTS, more)} edited` }),
  'Ben types an edit': async ({ scene, what }) =>
    scene.ben.try('POST', `/messages/${someMessage(scene, what)}/typing`, { op: 'start' }),
  'Ben deletes': async ({ scene, what }) => scene.ben.try('DELETE', `/messages/${someMessage(scene, what)}`),
  'Ben votes': async ({ scene, what, more }) =>
    scene.ben.try('POST', '/submessage', {
      message_id: someMessage(scene, what),
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: itemAt([1, -1], more) }),
    }),
  'Ben reads': async ({ scene, what, more }) =>
    scene.ben.try('POST', '/messages/flags', {
      messages: [someMessage(scene, what)],
      op: itemAt(['add', 'remove'], more),
      flag: itemAt(['read', 'starred'], what),
    }),
  'Ben asks for receipts': async ({ scene, what }) =>
    scene.ben.try('GET', `/messages/${someMessage(scene, what)}/read_receipts`),
  'Ben asks about Ann': async ({ scene, more }) =>
    scene.ben.try('GET', itemAt([`/users/${scene.ann.id}`, `/users/${scene.ann.id}/presence`], more)),
  'Ben schedules': async ({ scene, more }) =>
    scene.ben.try('POST', '/scheduled_messages', {
      type: 'direct',
      to: [scene.ann.id],
      content: itemAt(TEXTS, more),
      scheduled_delivery_timestamp: 4_000_000_000,
    }),
  'Ben mutes Ann': async ({ scene, more }) =>
    scene.ben.try(itemAt(['POST', 'DELETE'], more), `/users/me/muted_users/${scene.ann.id}`),
}

const OTHER_STEPS: Readonly<Record<string, Step>> = {
  'Ann writes to the channel': async (context) => say(context.scene.ann, context, context.scene.den),
  'Ann writes to Ben and Carl': async (context) =>
    say(context.scene.ann, context, [context.scene.ben.id, context.scene.carl.id]),
  'Ann types to Ben and Carl': async ({ scene }) =>
    scene.ann.try('POST', '/typing', { type: 'direct', op: 'start', to: [scene.ben.id, scene.carl.id] }),
  // People who read a conversation read all messages up to one.
  'Ann reads up to a message': async ({ scene, what }) => {
    const anchor = scene.seenByAnn.length === 0 ? 1 : itemAt(scene.seenByAnn, what)
    const { body } = await scene.ann.try('GET', `/messages/${anchor}`)
    const { stream_id: channel, subject } = body['message'] ?? {}
    const narrow =
      channel === undefined
        ? [{ operator: 'dm', operand: [scene.ben.id, scene.carl.id] }]
        : [
            { operator: 'channel', operand: channel },
            { operator: 'topic', operand: subject },
          ]
    return readByAnn(scene, narrow, anchor)
  },
  'Ann reacts': async (context) => {
    const { seenByAnn } = context.scene
    return react(context.scene.ann, { ...context, scene: { ...context.scene, sent: seenByAnn } })
  },
  'Carl writes to the channel': async (context) => say(context.scene.carl, context, context.scene.den),
  'Carl writes to Ann and Ben': async (context) =>
    say(context.scene.carl, context, [context.scene.ann.id, context.scene.ben.id]),
  'Carl reacts': async (context) => react(context.scene.carl, context),
}

const STEPS: Readonly<Record<string, Step>> = { ...COMPARED_STEPS, ...OTHER_STEPS }
const FREQUENT_STEPS = ['Ben writes to Ann', 'Ben writes to the channel', 'Carl writes to the channel']
const STEP_KINDS = [...Object.keys(STEPS), ...FREQUENT_STEPS]

const OWN_FIELDS =
  /"(?:timestamp|\w+_timestamp|last_\w+|date_\w+|sender_email|email|delivery_email|avatar_\w*|api_key|queue_id|sender_realm_str|sent_at|rendered_at)":(?:"[^"]*"|[\d.]+|null)/g

/** Removes times, and what belongs to one organization. */
function toComparable({ ben }: Scene, value: unknown): string {
  return JSON.stringify(value, undefined, 1)
    .replaceAll(/": /g, '":')
    .replaceAll(OWN_FIELDS, '')
    .replaceAll(ben.host, 'HOST')
    .replaceAll(ben.host.split('.')[0] ?? '', 'NAME')
    .replaceAll(/-[0-9a-f]{6}@example/g, '@example')
    .replaceAll(/\/user_avatars\/\d+\//g, '/user_avatars/')
}

const FETCHED_EVENT_TYPES = [
  'message',
  'update_message_flags',
  'user_topic',
  'starred_messages',
  'muted_users',
  'realm_user',
  'recent_private_conversations',
  'scheduled_messages',
]

async function readEverything(scene: Scene): Promise<string> {
  const found: unknown[] = []
  for (const user of [scene.ben, scene.bot]) {
    for (const narrow of [
      [],
      [{ operator: 'dm', operand: [scene.ann.id] }],
      [{ operator: 'dm-including', operand: scene.ann.id }],
      [{ operator: 'channel', operand: scene.den }],
      [{ operator: 'search', operand: 'hello' }],
      [{ operator: 'is', operand: 'dm' }],
    ]) {
      const window = { anchor: 'oldest', num_before: 0, num_after: 999, narrow, allow_empty_topic_name: true }
      found.push((await user.try('GET', '/messages', window)).body)
    }
    found.push((await user.try('GET', '/recent', { muted: true })).body)
    found.push((await user.try('GET', '/attachments')).body)
    const { body } = await user.try('POST', '/register', {
      fetch_event_types: FETCHED_EVENT_TYPES,
      event_types: [],
      client_capabilities: { blocked_users: true },
    })
    const { queue_id: _queue, server_timestamp: _time, ...state } = body
    found.push(state)
  }
  for (const id of scene.sent) found.push((await scene.ben.try('GET', `/messages/${id}/read_receipts`)).body)
  return toComparable(scene, found)
}

function findDifferences([one, other]: readonly [string, string]): string[] {
  const [lines, others] = [one.split('\n'), other.split('\n')]
  const start = lines.findIndex((line, index) => line !== others[index])
  if (start === -1 && lines.length === others.length) return []
  const excerpt = (all: readonly string[]): string => all.slice(Math.max(0, start - 30), start + 15).join('\n')
  return [`with the block: ${excerpt(lines)}`, `without: ${excerpt(others)}`]
}

type StepChoice = readonly [kind: number, what: number, more: number]

async function playHistory(choices: readonly StepChoice[]): Promise<Outcome> {
  const scenes = [await createScene('Ben'), await createScene('Dora')] as const
  const history: string[] = []
  const observe = async (name: string, what: number, more: number, index: number): Promise<[string, string]> => {
    const [one, other] = await Promise.all(
      scenes.map(async (scene) => {
        const answer = await STEPS[name]?.({ scene, what, more })
        const events = await Promise.all(scene.queues.map(async (queue) => queue.events()))
        const compared = name in COMPARED_STEPS ? [answer?.status, answer?.body] : null
        const everything = index % STEPS_BETWEEN_READS === 0 ? await readEverything(scene) : ''
        return toComparable(scene, [compared, events]) + everything
      }),
    )
    return [one ?? '', other ?? '']
  }
  for (const [index, [kind, what, more]] of choices.entries()) {
    if (index === STEPS_BEFORE_BLOCK) {
      for (const { ann, blocked } of scenes) await ann.call('POST', `/users/me/blocked_users/${blocked.id}`)
    }
    if (index === STEPS_BEFORE_UNBLOCK) for (const scene of scenes) await unblock(scene)
    const name = itemAt(STEP_KINDS, kind)
    history.push(`${index}. ${name} (${what}, ${more})`)
    const wrong = findDifferences(await observe(name, what, more, index))
    if (wrong.length > 0) return { history, wrong, concerned: [] }
  }
  const [one, other] = [await readEverything(scenes[0]), await readEverything(scenes[1])]
  return { history, wrong: findDifferences([one, other]), concerned: [] }
}

it('shows blocked people nothing that they would not see without the block', { timeout: 900_000 }, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + PAIR_COUNT; seed++) {
    const random = new Random(seed)
    const number = (): number => Math.floor(random.next() * MAX_CHOICE)
    const choices = Array.from({ length: STEPS_PER_PAIR }, (): StepChoice => [number(), number(), number()])
    const played = await playHistory(choices)
    if (played.wrong.length === 0) continue
    const { history, wrong } = await shortestFailure(choices, played, playHistory)
    expect([`PARLEY_BLOCK_SEED=${seed}`, ...history, ...wrong].join('\n')).toBe('')
  }
})
