import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IDS_PER_POSITION } from '@parley/server/kernel/event-ids'
import { effort } from '../../server/src/testing/effort.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { Scene } from '../../server/src/testing/steps.ts'
import { openStream, type TestStream } from '../../server/src/testing/stream.ts'
import { basic, type Body, type TestQueue, type TestUser } from '../../server/src/testing/user.ts'
import { MESSAGE_STEPS, REPLACING_STEPS } from './testing/play.ts'

/*
 * A stream sends the same events as polls, with the same IDs. In generated histories, one of two identical queues is
 * polled while the other is streamed with interruptions.
 */

const HISTORIES = effort(12)
const MAX_STEPS = 60

const server = useTestServer()

const KINDS = [
  ...Object.values(MESSAGE_STEPS),
  ...Object.values(REPLACING_STEPS),
  // Sends more messages, which are most of the compared events.
  ...Array.from({ length: 8 }, () => [MESSAGE_STEPS['send'], MESSAGE_STEPS['send direct']]).flat(),
]

const number = fc.nat({ max: 999 })
/** After an operation, a client may read, disconnect once caught up, or lose its connection with events in transit. */
const CALM_ACTIONS = ['', '', '', 'look', 'leave'] as const
const ALL_ACTIONS = [...CALM_ACTIONS, 'cut'] as const

function historyWith(after: readonly string[]) {
  return fc.array(fc.tuple(number, number, number, number, number, fc.constantFrom(...after)), {
    minLength: MAX_STEPS / 2,
    maxLength: MAX_STEPS,
  })
}

type History = readonly (readonly [
  kind: number,
  who: number,
  what: number,
  more: number,
  rest: number,
  after: string,
])[]

/** Two queues of one user and the events received from each. */
class Reader {
  readonly #user: TestUser
  readonly #polled: TestQueue
  readonly #streamed: TestQueue
  /** Excludes ephemeral events, which a lost connection can drop. */
  readonly #isCompared: (event: Body) => boolean
  #stream: TestStream | undefined
  #lastEventId = '-1'
  readonly #told: Body[] = []
  readonly #toldBefore: Body[] = []

  constructor(user: TestUser, polled: TestQueue, streamed: TestQueue, isCut: boolean) {
    this.#user = user
    this.#polled = polled
    this.#streamed = streamed
    this.#isCompared = ({ id }) => !isCut || Number(id) % IDS_PER_POSITION === 0
  }

  get told(): Body[] {
    return this.#told.filter(this.#isCompared)
  }

  get streamed(): Body[] {
    return [...this.#toldBefore, ...(this.#stream?.events ?? [])].filter(this.#isCompared)
  }

  /** Polls until no events are left, then waits for the stream to catch up. */
  async look(): Promise<void> {
    for (let events = await this.#polled.events(); events.length > 0; events = await this.#polled.events()) {
      this.#told.push(...events)
    }
    const last = this.told.at(-1)?.['id']
    await this.#open().until(() => this.streamed.at(-1)?.['id'] === last)
  }

  #open(): TestStream {
    const { email, apiKey } = this.#user
    this.#stream ??= openStream(
      this.#user,
      { queue_id: this.#streamed.id, last_event_id: -1 },
      { authorization: basic(email, apiKey), 'last-event-id': this.#lastEventId },
    )
    return this.#stream
  }

  cut(): void {
    if (this.#stream === undefined) return
    this.#stream.cut()
    this.#toldBefore.push(...this.#stream.events)
    this.#lastEventId = this.#stream.lastEventId ?? this.#lastEventId
    this.#stream = undefined
  }
}

async function play(history: History): Promise<Reader[]> {
  const organization = await server().organization()
  const { owner } = organization
  const [member, guest] = [await organization.user('Mia Member'), await organization.user('Gus Guest', { role: 600 })]
  const bot = await organization.user('Bea Bot', { bot: { ownerId: member.id } })
  const people = [owner, member, guest, bot]
  const scene: Scene = { organization, people, bot, sent: [], ended: new Set(), present: new Set() }
  await owner.subscribe(['Alpha', 'beta'], { principals: people.map(({ id }) => id) })
  const readers: Reader[] = []
  const isCut = history.some(([, , , , , then]) => then === 'cut')
  for (const user of [member, guest]) {
    const queues = [await user.register({ fetch_event_types: [] }), await user.register({ fetch_event_types: [] })]
    const [polled, streamed] = queues
    if (polled !== undefined && streamed !== undefined) readers.push(new Reader(user, polled, streamed, isCut))
  }
  for (const [kind, who, what, more, rest, then] of history) {
    const at = (which: number): TestUser => people[which % people.length] ?? owner
    // Replayed events show current permissions, so only this operation can be in transit when a stream is cut.
    if (then === 'cut') for (const reader of readers) await reader.look()
    await KINDS[kind % KINDS.length]?.({ scene, actor: at(who), other: at(more), what, more, rest })
    if (then === 'look' || then === 'leave') for (const reader of readers) await reader.look()
    if (then === 'cut' || then === 'leave') for (const reader of readers) reader.cut()
    if (then === 'cut') for (const reader of readers) await reader.look()
  }
  for (const reader of readers) {
    await reader.look()
    reader.cut()
  }
  return readers
}

it('streams the same events that polling returns, after any sequence of actions', { timeout: 300_000 }, async () => {
  const types = new Set<unknown>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(historyWith(CALM_ACTIONS), historyWith(ALL_ACTIONS)), async (history) => {
      for (const { told, streamed } of await play(history)) {
        expect(streamed).toEqual(told)
        for (const { type } of told) types.add(type)
      }
    }),
    { numRuns: HISTORIES },
  )
  expect(types.size).toBeGreaterThan(3)
})
