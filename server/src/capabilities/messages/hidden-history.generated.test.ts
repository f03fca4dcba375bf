import { expect, it } from 'vitest'
import { caseKey } from '../../kernel/case-key.ts'
import { effort } from '../../testing/effort.ts'
import { Random } from '../../testing/random.ts'
import { useTestServer } from '../../testing/server.ts'
import { shortestFailure, type Outcome } from '../../testing/shortest.ts'
import type { Answer, TestUser } from '../../testing/user.ts'
import {
  toComparable,
  createProtectedHistory,
  readEverything,
  receivedEvents,
  type ProtectedHistory,
} from './testing/protected-history.ts'

/*
 * Runs the same random steps in two organizations, only one of which has messages hidden from Ann. Her responses,
 * events, and reads must be equal. A difference is printed with its seed and a shortened history; set
 * PARLEY_HIDDEN_SEED to repeat it.
 */

const GIVEN_SEED = process.env['PARLEY_HIDDEN_SEED']
const FIRST_SEED = Number(GIVEN_SEED ?? 1)
const PAIR_COUNT = GIVEN_SEED === undefined ? effort(10) : 1
const STEPS_PER_PAIR = 20 + effort(40)
/** Pairs of organizations tested at once, so that some can compute while others wait for the database. */
const CONCURRENT_PAIRS = 4
const MAX_CHOICE = 1_000
const INITIAL_STEPS = 8
const STEPS_BETWEEN_READS = 6

const server = useTestServer()

type StepChoice = readonly [kind: number, what: number, more: number, rest: number]

const TOPICS = ['plans', 'Plans', 'PLANS', 'lunch', 'Lunch', 'LUNCH', '', '✔ plans', '✔ LUNCH']
const MESSAGE_TEXTS = ['Hello', '@**Ann** hello', '@**topic** hello', 'Hello all', '#**club>PLANS**']
const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const

interface StepContext {
  readonly organization: ProtectedHistory
  readonly what: number
  readonly more: number
  readonly rest: number
}

type Step = (context: StepContext) => Promise<Answer | undefined>

function itemAt<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % items.length]
}

async function isAnnSubscribed({ organization }: StepContext): Promise<boolean> {
  const { body } = await organization.ann.try('GET', `/users/${organization.ann.id}/subscriptions/${organization.club}`)
  return body['is_subscribed'] === true
}

async function sendTo(context: StepContext, user: TestUser, to: number): Promise<Answer> {
  const topic = itemAt(TOPICS, context.what)
  return user.try('POST', '/messages', { type: 'stream', to, topic, content: itemAt(MESSAGE_TEXTS, context.more) })
}

async function topicOf(user: TestUser, id: number): Promise<string | undefined> {
  const { status, body } = await user.try('GET', `/messages/${id}`, { allow_empty_topic_name: true })
  return status === 200 ? String(body['message']?.['subject']) : undefined
}

/** Steps by Ann, who sees the responses. */
const OWN_STEPS: Readonly<Record<string, Step>> = {
  send: async (context) => {
    const { organization, rest } = context
    const answer = await sendTo(context, organization.ann, rest % 4 === 0 ? organization.den : organization.club)
    if (answer.status === 200) organization.sent.push(Number(answer.body['id']))
    return answer
  },
  move: async (context) => moveBy(context, context.organization.ann),
  resolve: async ({ organization, what }) => {
    const id = itemAt(organization.sent, what) ?? 0
    const topic = await topicOf(organization.ann, id)
    const wanted = topic?.startsWith('✔ ') === true ? topic.slice(2) : `✔ ${topic ?? ''}`
    return organization.ann.try('PATCH', `/messages/${id}`, { topic: wanted, propagate_mode: 'change_all' })
  },
  delete: async ({ organization, what }) =>
    organization.ann.try('DELETE', `/messages/${itemAt(organization.sent, what) ?? 0}`),
  'delete topic': async ({ organization, what }) =>
    organization.ann.try('POST', `/streams/${organization.club}/delete_topic`, { topic_name: itemAt(TOPICS, what) }),
  choose: async ({ organization, what, more, rest }) =>
    organization.ann.try('POST', '/user_topics', {
      stream_id: rest % 4 === 0 ? organization.den : organization.club,
      topic: itemAt(TOPICS, what),
      visibility_policy: more % 4,
    }),
  'mark topic read': async ({ organization, what }) =>
    organization.ann.try('POST', '/mark_topic_as_read', {
      stream_id: organization.club,
      topic_name: itemAt(TOPICS, what),
    }),
  'mark channel read': async ({ organization }) =>
    organization.ann.try('POST', '/mark_stream_as_read', { stream_id: organization.club }),
  'mark all read': async ({ organization }) => organization.ann.try('POST', '/mark_all_as_read'),
  'flag a narrow': async ({ organization, what, more }) =>
    organization.ann.try('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 99,
      narrow: [['topic', itemAt(TOPICS, what)]],
      op: more % 2 === 0 ? 'add' : 'remove',
      flag: more % 3 === 0 ? 'starred' : 'read',
    }),
  react: async ({ organization, what }) =>
    organization.ann.try('POST', `/messages/${itemAt(organization.sent, what) ?? 0}/reactions`, { emoji_name: 'tada' }),
  search: async ({ organization, what }) => {
    const narrow = [{ operator: 'search', operand: itemAt(TOPICS, what) }]
    return organization.ann.try('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 99, narrow })
  },
  'change settings': async ({ organization, what, more }) =>
    organization.ann.try('PATCH', '/settings', {
      automatically_follow_topics_policy: 1 + (what % 4),
      automatically_unmute_topics_in_muted_streams_policy: 1 + (more % 4),
      automatically_follow_topics_where_mentioned: what % 2 === 0,
    }),
}

/** Steps by other users that Ann may observe. Ignores their responses, which can show more than Ann may see. */
const OTHERS_STEPS: Readonly<Record<string, Step>> = {
  'owner sends': async (context) => {
    if (!(await isAnnSubscribed(context))) return undefined
    const { body } = await sendTo(context, context.organization.owner, context.organization.club)
    context.organization.sent.push(Number(body['id']))
    return undefined
  },
  'owner moves': async (context) => {
    await moveBy(context, context.organization.owner)
    return undefined
  },
  'owner deletes': async ({ organization, what }) => {
    await organization.owner.try('DELETE', `/messages/${itemAt(organization.sent, what) ?? 0}`)
    return undefined
  },
  'Ann leaves or comes': async (context) => {
    const { organization } = context
    await ((await isAnnSubscribed(context))
      ? organization.ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
      : organization.owner.subscribe(['club'], { principals: [organization.ann.id] }))
    return undefined
  },
}

/** Steps in only one of the organizations, which Ann must not notice. */
const HIDDEN_STEPS: Readonly<Record<string, Step>> = {
  'Hedda sends': async (context) => {
    if (await isAnnSubscribed(context)) return undefined
    const { organization, rest } = context
    const { body } = await sendTo(context, rest % 2 === 0 ? organization.hedda : organization.owner, organization.club)
    organization.hidden.push(Number(body['id']))
    return undefined
  },
  'owner moves a hidden message': async ({ organization, what, more }) => {
    const id = itemAt(organization.hidden, what) ?? 0
    const [before, topic] = [await topicOf(organization.owner, id), itemAt(TOPICS, more) ?? '']
    // Changing only the spelling would rename the whole topic, including messages that Ann can read.
    if (before === undefined || caseKey(before) === caseKey(topic)) return undefined
    await organization.owner.try('PATCH', `/messages/${id}`, { topic, send_notification_to_new_thread: false })
    return undefined
  },
  'owner deletes a hidden message': async ({ organization, what }) => {
    await organization.owner.try('DELETE', `/messages/${itemAt(organization.hidden, what) ?? 0}`)
    return undefined
  },
  'Hedda reacts': async ({ organization, what }) => {
    await organization.hedda.try('POST', `/messages/${itemAt(organization.hidden, what) ?? 0}/reactions`, {
      emoji_name: 'heart',
    })
    return undefined
  },
}

async function moveBy({ organization, what, more, rest }: StepContext, user: TestUser): Promise<Answer> {
  const id = itemAt(organization.sent, what) ?? 0
  // Only Ann moves messages to another channel: the owner would also move hidden messages into everyone's view.
  const isAway = user === organization.ann && rest % 4 === 0
  return user.try('PATCH', `/messages/${id}`, {
    ...(rest % 5 === 0 && isAway ? {} : { topic: itemAt(TOPICS, more) }),
    ...(isAway ? { stream_id: rest % 3 === 0 ? organization.club : organization.den } : {}),
    propagate_mode: itemAt(PROPAGATE_MODES, more + rest) ?? 'change_one',
    send_notification_to_old_thread: rest % 2 === 0,
    send_notification_to_new_thread: rest % 3 > 0,
  })
}

const FREQUENT_STEPS = [
  'send',
  'send',
  'send',
  'move',
  'move',
  'owner sends',
  'owner sends',
  'owner moves',
  'Hedda sends',
]
const STEP_KINDS = [
  ...Object.keys({ ...OWN_STEPS, ...OTHERS_STEPS, ...HIDDEN_STEPS }),
  ...FREQUENT_STEPS,
  ...FREQUENT_STEPS,
]
const STEPS: Readonly<Record<string, Step>> = { ...OWN_STEPS, ...OTHERS_STEPS, ...HIDDEN_STEPS }

function findDifferences(learned: readonly unknown[]): string[] {
  const [one = [], other = []] = learned.map((value) => JSON.stringify(value, undefined, 1).split('\n'))
  const start = one.findIndex((line, index) => line !== other[index])
  if (start === -1 && one.length === other.length) return []
  const excerpt = (lines: readonly string[]): string => lines.slice(Math.max(0, start - 30), start + 15).join('\n')
  return [`with hidden messages: ${excerpt(one)}`, `without: ${excerpt(other)}`]
}

async function playHistory(choices: readonly StepChoice[]): Promise<Outcome> {
  const organizations = [await createProtectedHistory(server()), await createProtectedHistory(server())]
  const history: string[] = []
  for (const [index, [kind, what, more, rest]] of choices.entries()) {
    const name = index < INITIAL_STEPS ? 'Hedda sends' : (itemAt(STEP_KINDS, kind) ?? '')
    const learned = await Promise.all(
      organizations.map(async (organization, number): Promise<unknown> => {
        if (index === INITIAL_STEPS) await organization.owner.subscribe(['club'], { principals: [organization.ann.id] })
        const isPassed = number === 1 && name in HIDDEN_STEPS
        const answer = isPassed ? undefined : await STEPS[name]?.({ organization, what, more, rest })
        const answered = answer === undefined ? null : toComparable(organization, [answer.status, answer.body])
        return [
          answered,
          await receivedEvents(organization),
          index % STEPS_BETWEEN_READS === 0 ? await readEverything(organization) : null,
        ]
      }),
    )
    history.push(`${index}. ${name} (${what}, ${more}, ${rest})`)
    const wrong = findDifferences(learned)
    if (wrong.length > 0) return { history, wrong, concerned: [] }
  }
  return { history, wrong: findDifferences(await Promise.all(organizations.map(readEverything))), concerned: [] }
}

it('reveals no trace of hidden messages in protected history, whatever people do', { timeout: 900_000 }, async () => {
  let begun = 0
  let failure = ''
  const compareSome = async (): Promise<void> => {
    while (begun < PAIR_COUNT && failure === '') {
      const seed = FIRST_SEED + begun++
      const choices = randomSteps(new Random(seed))
      const played = await playHistory(choices)
      if (played.wrong.length === 0 || failure !== '') continue
      failure = `PARLEY_HIDDEN_SEED=${seed}`
      const { history, wrong } = await shortestFailure(choices, played, async (fewer) => playHistory(fewer))
      failure = [failure, ...history, ...wrong].join('\n')
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_PAIRS }, compareSome))
  expect(failure).toBe('')
})

function randomSteps(random: Random): StepChoice[] {
  const number = (): number => Math.floor(random.next() * MAX_CHOICE)
  return Array.from({ length: STEPS_PER_PAIR }, () => [number(), number(), number(), number()])
}
