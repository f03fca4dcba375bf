import { expect, it } from 'vitest'
import type { EventFields } from '../../server/src/testing/contract-types.ts'
import { effort } from '../../server/src/testing/effort.ts'
import { Random } from '../../server/src/testing/random.ts'
import { useTestServer, type TestServer } from '../../server/src/testing/server.ts'
import type { TestQueue, TestUser } from '../../server/src/testing/user.ts'
import type { Scene } from '../../server/src/testing/steps.ts'
import { MESSAGE_STEPS, randomSteps, REPLACING_STEPS } from './testing/play.ts'

/*
 * Checks `narrow` and `all_public_streams` in random organizations. A narrowed queue gets the same events as a plain
 * queue, minus the messages that its narrow excludes. A queue with all public streams also gets every public message
 * its user can read.
 */

const ORGANIZATIONS = effort(4)
const STEPS_EACH = 150
const STEPS_BETWEEN_POLLS = 5

const server = useTestServer()

type Pair = readonly [string, string]
type Message = NonNullable<EventFields['message']>

/** A narrow and an independent implementation of it on event fields. */
interface Narrow {
  readonly pairs: readonly Pair[]
  readonly matches: (message: Message, flags: readonly string[]) => boolean
}

const isDirect = (message: Message): boolean => message.type === 'private'
const inTopic =
  (topic: string) =>
  (message: Message): boolean =>
    !isDirect(message) && message.subject.toLowerCase() === topic

function narrowsOf(user: TestUser, { people }: Scene, channelId: number): Narrow[] {
  const other = people.find(({ id }) => id !== user.id) ?? user
  const inChannel = (message: Message): boolean => message.stream_id === channelId
  const between = [user.id, other.id].toSorted((a, b) => a - b).join()
  const readers = ({ display_recipient: to }: Message): string => {
    const ids = typeof to === 'string' ? [] : to.map(({ id }) => id)
    return ids.toSorted((a, b) => a - b).join()
  }
  return [
    { pairs: [['channel', 'Alpha']], matches: inChannel },
    {
      pairs: [
        ['stream', String(channelId)],
        ['topic', 'HELLO'],
      ],
      matches: (one) => inChannel(one) && inTopic('hello')(one),
    },
    { pairs: [['topic', '']], matches: inTopic('') },
    { pairs: [['sender', String(other.id)]], matches: (one) => one.sender_id === other.id },
    { pairs: [['is', 'dm']], matches: isDirect },
    { pairs: [['dm', String(other.id)]], matches: (one) => isDirect(one) && readers(one) === between },
    { pairs: [['is', 'unread']], matches: (_, flags) => !flags.includes('read') },
    { pairs: [['is', 'mentioned']], matches: (_, flags) => flags.some((flag) => flag.endsWith('mentioned')) },
    {
      pairs: [
        ['sender', String(other.id)],
        ['is', 'dm'],
      ],
      matches: (one) => one.sender_id === other.id && isDirect(one),
    },
  ]
}

interface ComparedQueues {
  readonly user: TestUser
  readonly plain: TestQueue
  readonly narrowed: readonly (readonly [Narrow, TestQueue])[]
  readonly allPublic: TestQueue
  /** Whether the user can read public channels without a subscription. */
  readonly isMember: boolean
}

async function registerQueues(
  user: TestUser,
  scene: Scene,
  channelId: number,
  isMember: boolean,
): Promise<ComparedQueues> {
  const narrowed: (readonly [Narrow, TestQueue])[] = []
  for (const narrow of narrowsOf(user, scene, channelId)) {
    narrowed.push([narrow, await user.register({ narrow: narrow.pairs, fetch_event_types: [] })])
  }
  return {
    user,
    plain: await user.register({ fetch_event_types: [] }),
    narrowed,
    allPublic: await user.register({ all_public_streams: true, fetch_event_types: [] }),
    isMember,
  }
}

/** Drops event IDs, which differ between queues, because ephemeral events also use IDs. */
async function eventsFor(queue: TestQueue): Promise<EventFields[]> {
  return (await queue.events()).map((event) => {
    const { id: _, ...rest } = event
    return rest
  })
}

function messageIn({ type, message }: EventFields): Message | undefined {
  return type === 'message' ? message : undefined
}

/** @param open IDs of messages sent to public channels since the last comparison */
async function compare(ears: ComparedQueues, open: ReadonlySet<number>): Promise<{ left: number; added: number }> {
  const plain = await eventsFor(ears.plain)
  let left = 0
  for (const [{ pairs, matches }, queue] of ears.narrowed) {
    const expected = plain.filter((event) => {
      const message = messageIn(event)
      return message === undefined || matches(message, event.flags ?? [])
    })
    left += expected.filter((event) => messageIn(event) !== undefined).length
    expect([pairs, await eventsFor(queue)]).toEqual([pairs, expected])
  }
  const own = new Set(plain.map((event) => messageIn(event)?.id))
  const isAdded = (event: EventFields): boolean => {
    const message = messageIn(event)
    return message !== undefined && !own.has(message.id)
  }
  const all = await eventsFor(ears.allPublic)
  expect(all.filter((event) => !isAdded(event))).toEqual(plain)
  const added = all.filter(isAdded).map((event) => Number(messageIn(event)?.id))
  expect(added).toEqual(ears.isMember ? [...open].filter((id) => !own.has(id)) : [])
  return { left, added: added.length }
}

/** The newest messages in public channels, read by the owner. */
async function newestPublicMessageIds(owner: TestUser): Promise<number[]> {
  const { messages } = await owner.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: 'channels', operand: 'public' }],
  })
  return messages.map(({ id }) => id)
}

const STEPS = [...Object.values(MESSAGE_STEPS), ...Object.values(REPLACING_STEPS)]
/** Sends more messages, because only messages differ. */
const KINDS = [
  ...STEPS,
  ...Array.from({ length: 8 }, () => [MESSAGE_STEPS['send'], MESSAGE_STEPS['send direct']]).flat(),
]

async function play(testServer: TestServer, seed: number): Promise<{ left: number; added: number }> {
  const organization = await testServer.organization()
  const { owner } = organization
  const [member, guest] = [await organization.user('Mia Member'), await organization.user('Gus Guest', { role: 600 })]
  const bot = await organization.user('Bea Bot', { bot: { ownerId: member.id } })
  const people = [owner, member, guest, bot]
  const scene: Scene = { organization, people, bot, sent: [], ended: new Set(), present: new Set() }
  await owner.subscribe(['Alpha', 'beta'], { principals: people.map(({ id }) => id) })
  await owner.subscribe(['Gamma rays'])
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'Alpha' })
  const listening = [member, guest, bot]
  const ears: ComparedQueues[] = []
  for (const user of listening) ears.push(await registerQueues(user, scene, stream_id, user !== guest))
  const totals = { left: 0, added: 0 }
  const open = new Set<number>()
  let newest = 0
  for (const [index, [kind, who, what, more, rest]] of randomSteps(new Random(seed), STEPS_EACH).entries()) {
    const at = (which: number): TestUser => people[which % people.length] ?? owner
    await KINDS[kind % KINDS.length]?.({ scene, actor: at(who), other: at(more), what, more, rest })
    for (const id of await newestPublicMessageIds(owner)) if (id > newest) open.add(id)
    newest = Math.max(newest, ...open)
    if (index % STEPS_BETWEEN_POLLS !== 0) continue
    for (const each of ears) {
      const { left, added } = await compare(each, open)
      totals.left += left
      totals.added += added
    }
    open.clear()
  }
  return totals
}

it(
  'filters the events of a queue by its narrow, and adds all public messages on request',
  { timeout: 300_000 },
  async () => {
    for (let seed = 1; seed <= ORGANIZATIONS; seed += 1) {
      const { left, added } = await play(server(), seed)
      expect(left, `seed ${seed}`).toBeGreaterThan(0)
      expect(added, `seed ${seed}`).toBeGreaterThan(0)
    }
  },
)
