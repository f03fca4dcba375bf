import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { useTestServer, type TestOrganization } from '../../server/src/testing/server.ts'
import type { Body, TestUser } from '../../server/src/testing/user.ts'
import { MODERN } from '../../server/src/testing/user.ts'
import { fold, type ApiEvent } from './fold.ts'
import { OWN_KINDS, OWN_STEPS, type OwnKind } from './testing/own-steps.ts'

const server = useTestServer()

/** How the watching clients register: the newest, the oldest, and something between. */
const FORMS = [
  { client_capabilities: MODERN, apply_markdown: true, include_subscribers: 'true' },
  { client_capabilities: {}, apply_markdown: false, client_external_avatar: false },
  { client_capabilities: { ...MODERN, empty_topic_name: false }, include_subscribers: 'partial' },
]

/** What people do, with choices as numbers that are taken modulo what there is to choose from. */
type Step = readonly [
  kind: (typeof KINDS)[number] | (typeof REPLACING)[number] | OwnKind,
  who: number,
  what: number,
  more: number,
]

const KINDS = [
  'subscribe',
  'subscribe others',
  'create private',
  'unsubscribe',
  'unsubscribe others',
  'send',
  'send direct',
  'rewrite',
  'mark read',
  'mark unread',
  'star',
  'unstar',
  'choose for topic',
  'mute topic',
  'react',
  'choose for channel',
  'rename',
  'change role',
  'deactivate',
  'reactivate',
  'create user',
] as const

/** Steps after which the newest message may be another one than the newest that was sent. */
const REPLACING = ['move', 'move', 'resolve', 'delete', 'delete topic'] as const

const CHANNELS = ['Alpha', 'beta', 'Gamma rays', 'δέλτα', 'Ω']
const TOPICS = ['hello', 'Hello', 'Plans', '', 'καλημέρα', '🎉 party']
const CONTENTS = [
  '**hello**',
  '@**Mia Member** psst',
  '@**all**',
  '@**topic** word 1',
  '@_**all** Word 2',
  '> @**all**',
]
const MODES = ['change_one', 'change_later', 'change_all']
const PROPERTIES = ['color', 'is_muted', 'in_home_view', 'pin_to_top', 'push_notifications', 'email_notifications']
const ROLES = [200, 300, 400, 600]

const steps = (...kinds: Step[0][]): fc.Arbitrary<Step[]> =>
  fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(50), fc.nat(50), fc.nat(50)), { minLength: 10, maxLength: 60 })

const histories = fc.oneof(steps(...KINDS, ...OWN_KINDS), steps(...KINDS, ...REPLACING, ...OWN_KINDS))

interface Watcher {
  readonly user: TestUser
  readonly form: Body
  readonly state: Body
  readonly queueId: string
  lastEventId: number
}

async function watch(user: TestUser, form: Body): Promise<Watcher> {
  const state = await user.call('POST', '/register', form)
  return { user, form, state, queueId: String(state['queue_id']), lastEventId: Number(state['last_event_id']) }
}

async function catchUp(watcher: Watcher): Promise<void> {
  const { events } = await watcher.user.call('GET', '/events', {
    queue_id: watcher.queueId,
    last_event_id: watcher.lastEventId,
    dont_block: true,
  })
  for (const event of events as ApiEvent[]) {
    expect(event.id).toBeGreaterThan(watcher.lastEventId)
    watcher.lastEventId = event.id
    fold(watcher.state, event, { includeSubscribers: watcher.form['include_subscribers'] !== undefined })
  }
}

/**
 * The state without what names the registration, and with lists in an order of their own.
 * @param replaced whether messages were moved or deleted: which is the newest then, no event tells
 */
function comparable(state: Body, replaced: boolean): Body {
  const { queue_id: _, last_event_id: __, server_timestamp: ___, ...rest } = structuredClone(state)
  if (replaced) for (const name of ['max_message_id', 'recent_private_conversations']) delete rest[name]
  const byId = (name: string, key: string): void => {
    const list = rest[name] as Body[] | undefined
    list?.sort((a, b) => Number(a[key]) - Number(b[key]))
  }
  for (const name of ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams']) byId(name, 'stream_id')
  for (const name of ['realm_users', 'realm_non_active_users']) byId(name, 'user_id')
  const chosen = rest['user_topics'] as Body[]
  rest['user_topics'] = chosen.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  const unread = rest['unread_msgs'] as Record<string, Body[]>
  for (const name of ['pms', 'streams', 'huddles']) {
    unread[name] = (unread[name] ?? []).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  }
  return rest
}

/** Does one step; what is not allowed is refused, and that is a step too. */
async function perform(
  [kind, who, what, more]: Step,
  organization: TestOrganization,
  people: TestUser[],
  sent: number[],
): Promise<void> {
  const actor = people[who % people.length] ?? organization.owner
  const other = people[more % people.length] ?? organization.owner
  const name = CHANNELS[what % CHANNELS.length] ?? ''
  const flagged = sent.length === 0 ? [] : [sent[what % sent.length] ?? 0, sent[more % sent.length] ?? 0]
  const flag = (op: string, flagName: string): Promise<unknown> =>
    actor.try('POST', '/messages/flags', { messages: flagged, op, flag: flagName })
  switch (kind) {
    case 'subscribe':
      await actor.try('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
      return
    case 'subscribe others':
      await actor.try('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [other.id, actor.id],
      })
      return
    case 'create private':
      await actor.try('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        invite_only: true,
        history_public_to_subscribers: more % 2 === 0,
        ...(more % 3 === 0 ? { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } } : {}),
      })
      return
    case 'unsubscribe':
      await actor.try('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      return
    case 'unsubscribe others':
      await actor.try('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [other.id] })
      return
    case 'send': {
      const topic = TOPICS[more % TOPICS.length] ?? ''
      const content = CONTENTS[(who + what) % CONTENTS.length]
      const { body } = await actor.try('POST', '/messages', { type: 'stream', to: name, topic, content })
      if (typeof body['id'] === 'number') sent.push(body['id'])
      return
    }
    case 'send direct': {
      const to = [other.id, people[what % people.length]?.id ?? other.id]
      const { body } = await actor.try('POST', '/messages', {
        type: 'direct',
        to: [...new Set(to)],
        content: CONTENTS[what % CONTENTS.length],
        read_by_sender: more % 2 === 0,
      })
      if (typeof body['id'] === 'number') sent.push(body['id'])
      return
    }
    case 'rewrite': {
      const content = CONTENTS[more % CONTENTS.length] ?? ''
      await actor.try('PATCH', `/messages/${flagged[0] ?? 0}`, { content: `${content} ${more}` })
      return
    }
    case 'move': {
      const { body } = await actor.try('GET', '/get_stream_id', { stream: name })
      await actor.try('PATCH', `/messages/${flagged[1] ?? 0}`, {
        propagate_mode: MODES[who % MODES.length],
        ...(what % 2 === 0 ? { topic: TOPICS[more % TOPICS.length] ?? '' } : {}),
        ...(what % 3 > 0 && body['stream_id'] !== undefined ? { stream_id: body['stream_id'] } : {}),
        send_notification_to_old_thread: more % 2 === 0,
        send_notification_to_new_thread: who % 3 === 0,
      })
      return
    }
    case 'resolve': {
      const { body } = await actor.try('GET', `/messages/${flagged[0] ?? 0}`, { allow_empty_topic_name: true })
      const { subject: topic = '' } = (body['message'] ?? {}) as { subject?: string }
      await actor.try('PATCH', `/messages/${flagged[0] ?? 0}`, {
        propagate_mode: 'change_all',
        topic: topic.startsWith('✔ ') ? topic.slice(2) : `✔ ${topic}`,
      })
      return
    }
    case 'delete':
      await actor.try('DELETE', `/messages/${flagged[0] ?? 0}`)
      return
    case 'delete topic': {
      const { body } = await actor.try('GET', '/get_stream_id', { stream: name })
      const path = `/streams/${Number(body['stream_id'] ?? 1)}/delete_topic`
      await actor.try('POST', path, { topic_name: TOPICS[more % TOPICS.length] ?? '' })
      return
    }
    case 'mark read':
      await flag('add', 'read')
      return
    case 'mark unread':
      await flag('remove', 'read')
      return
    case 'star':
      await flag('add', 'starred')
      return
    case 'unstar':
      await flag('remove', 'starred')
      return
    case 'choose for topic': {
      const { body } = await actor.try('GET', '/get_stream_id', { stream: name })
      const topic = TOPICS[more % TOPICS.length] ?? ''
      const chosen = { stream_id: body['stream_id'] ?? 0, topic, visibility_policy: who % 4 }
      await actor.try('POST', '/user_topics', chosen)
      return
    }
    case 'choose for channel': {
      const { body } = await actor.try('GET', '/get_stream_id', { stream: name })
      const property = PROPERTIES[more % PROPERTIES.length] ?? ''
      const value = property === 'color' ? `#00000${who % 10}` : who % 2 === 0
      await actor.try('PATCH', `/users/me/subscriptions/${Number(body['stream_id'] ?? 1)}`, { property, value })
      return
    }
    case 'mute topic': {
      const topic = (TOPICS[more % TOPICS.length] ?? '').toUpperCase()
      const op = who % 2 === 0 ? 'add' : 'remove'
      await actor.try('PATCH', '/users/me/subscriptions/muted_topics', { stream: name, topic, op })
      return
    }
    case 'react':
      if (flagged[0] === undefined) return
      await actor.try(who % 3 === 0 ? 'DELETE' : 'POST', `/messages/${flagged[0]}/reactions`, { emoji_name: 'tada' })
      return
    case 'rename':
      await actor.try('PATCH', `/users/${other.id}`, { full_name: `Name ${what}` })
      return
    case 'change role':
      await actor.try('PATCH', `/users/${other.id}`, { role: ROLES[what % ROLES.length] })
      return
    case 'deactivate':
      await actor.try('DELETE', `/users/${other.id}`)
      return
    case 'reactivate':
      await actor.try('POST', `/users/${other.id}/reactivate`)
      return
    case 'create user':
      people.push(await organization.user(`Newcomer ${what}`))
      return
    default:
      await OWN_STEPS[kind]({ actor, other, what, more })
  }
}

async function history(taken: readonly Step[]): Promise<void> {
  const replaced = taken.some(([kind]) => (REPLACING as readonly string[]).includes(kind))
  const organization = await server().organization()
  const { owner } = organization
  const watched = [owner, await organization.user('Mia Member'), await organization.user('Gus Guest', { role: 600 })]
  const people = [...watched, await organization.user('Ada Admin', { role: 200 }), await organization.user('Bob')]
  await owner.subscribe(['Alpha', 'beta'], { principals: people.map((person) => person.id) })
  const sent: number[] = []
  const watchers: Watcher[] = []
  for (const [index, user] of watched.entries()) {
    for (const form of [FORMS[index % FORMS.length], FORMS[(index + 1) % FORMS.length]]) {
      watchers.push(await watch(user, form ?? {}))
    }
  }
  for (const [index, one] of taken.entries()) {
    await perform(one, organization, people, sent)
    if (index % 7 === 6) for (const watcher of watchers.slice(index % 2)) await tryCatchUp(watcher)
  }
  for (const watcher of watchers) {
    if (!(await tryCatchUp(watcher))) continue
    const fresh = await watcher.user.call('POST', '/register', watcher.form)
    expect(comparable(watcher.state, replaced)).toEqual(comparable(fresh, replaced))
  }
}

/** A watcher whose account was ended meanwhile has no queue any more. */
async function tryCatchUp(watcher: Watcher): Promise<boolean> {
  const { status } = await watcher.user.try('GET', '/users/me')
  if (status === 401) return false
  const gone = await watcher.user.try('GET', '/events', {
    queue_id: watcher.queueId,
    last_event_id: watcher.lastEventId,
    dont_block: true,
  })
  if (gone.body['code'] === 'BAD_EVENT_QUEUE_ID') return false
  await catchUp(watcher)
  return true
}

it('registering and folding the events equals registering anew, whatever happened', { timeout: 240_000 }, async () => {
  const runs = effort(20)
  await fc.assert(fc.asyncProperty(histories, history), {
    numRuns: runs,
    endOnFailure: false,
    plugins: [fc.interruptAfterTimeLimit(220_000)],
  })
})
