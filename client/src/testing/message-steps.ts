import type { Answer, TestUser } from '../../../server/src/testing/user.ts'
import { sentIn } from './look-up.ts'
import type { Doing, Scene } from './scene.ts'

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

/** Steps after which the newest message may be another one than the newest that was sent. */
export const REPLACING_STEPS = {
  move: async ({ scene, actor, what, more, rest }) =>
    actor.try('PATCH', `/messages/${sentIn(scene, more)}`, {
      propagate_mode: at(MODES, rest),
      ...(what % 2 === 0 ? { topic: at(TOPICS, more) } : {}),
      // Mostly to one of the two in which everybody begins, where something is unread.
      ...(what % 3 > 0 ? { stream_id: await namedChannel(actor, rest % 4 > 0 ? what % 2 : what) } : {}),
      send_notification_to_old_thread: more % 2 === 0,
      send_notification_to_new_thread: rest % 2 === 0,
    }),
  resolve: async ({ scene, actor, what }) => {
    const id = sentIn(scene, what)
    const { body } = await actor.try('GET', `/messages/${id}`, { allow_empty_topic_name: true })
    const { subject: topic = '' } = (body['message'] ?? {}) as { subject?: string } // as declared
    return actor.try('PATCH', `/messages/${id}`, {
      propagate_mode: 'change_all',
      topic: topic.startsWith('✔ ') ? topic.slice(2) : `✔ ${topic}`,
    })
  },
  delete: async ({ scene, actor, what }) => actor.try('DELETE', `/messages/${sentIn(scene, what)}`),
  'delete topic': async ({ actor, what, more }) =>
    actor.try('POST', `/streams/${await namedChannel(actor, what)}/delete_topic`, { topic_name: at(TOPICS, more) }),
} satisfies Steps

/** Steps of generated histories that concern messages, who gets them, and what their readers say of them. */
export const MESSAGE_STEPS = {
  subscribe: async ({ actor, what }) => subscribe(actor, what),
  'subscribe others': async ({ actor, other, what }) => subscribe(actor, what, { principals: [other.id, actor.id] }),
  'create private': async ({ actor, other, what, more }) =>
    subscribe(actor, what, {
      invite_only: true,
      history_public_to_subscribers: more % 2 === 0,
      ...(more % 3 === 0 ? { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } } : {}),
    }),
  unsubscribe: async ({ actor, what }) =>
    actor.try('DELETE', '/users/me/subscriptions', { subscriptions: [at(CHANNELS, what)] }),
  'unsubscribe others': async ({ actor, other, what }) =>
    actor.try('DELETE', '/users/me/subscriptions', { subscriptions: [at(CHANNELS, what)], principals: [other.id] }),
  send: async ({ scene, actor, what, more, rest }) => {
    const content = at(CONTENTS, rest)
    await send(scene, actor, { type: 'stream', to: at(CHANNELS, what), topic: at(TOPICS, more), content })
  },
  'send direct': async ({ scene, actor, other, what, more }) => {
    const to = [...new Set([other.id, at(scene.people, what).id])]
    const content = at(CONTENTS, what)
    await send(scene, actor, { type: 'direct', to, content, read_by_sender: more % 2 === 0 })
  },
  'send poll': async ({ scene, actor, what, more }) => {
    const widget_content = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Lunch?' } })
    const topic = at(TOPICS, more)
    await send(scene, actor, { type: 'stream', to: at(CHANNELS, what), topic, content: 'Lunch?', widget_content })
  },
  vote: async ({ scene, actor, what, more }) =>
    actor.try('POST', '/submessage', {
      message_id: sentIn(scene, what),
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: more % 3, vote: 1 }),
    }),
  rewrite: async ({ scene, actor, what, more }) =>
    actor.try('PATCH', `/messages/${sentIn(scene, what)}`, { content: `${at(CONTENTS, more)} ${more}` }),
  'mark read': async (doing) => flag(doing, 'add', 'read'),
  'mark unread': async (doing) => flag(doing, 'remove', 'read'),
  star: async (doing) => flag(doing, 'add', 'starred'),
  unstar: async (doing) => flag(doing, 'remove', 'starred'),
  'choose for topic': async ({ actor, what, more, rest }) =>
    actor.try('POST', '/user_topics', {
      stream_id: await namedChannel(actor, what),
      topic: at(TOPICS, more),
      visibility_policy: rest % 4,
    }),
  'mute topic': async ({ actor, what, more, rest }) =>
    actor.try('PATCH', '/users/me/subscriptions/muted_topics', {
      stream: at(CHANNELS, what),
      topic: at(TOPICS, more).toUpperCase(),
      op: rest % 2 === 0 ? 'add' : 'remove',
    }),
  'choose for channel': async ({ actor, what, more, rest }) => {
    const property = at(PROPERTIES, more)
    const value = property === 'color' ? `#00000${rest % 10}` : rest % 2 === 0
    return actor.try('PATCH', `/users/me/subscriptions/${await namedChannel(actor, what)}`, { property, value })
  },
  react: async ({ scene, actor, what, more }) =>
    actor.try(more % 3 === 0 ? 'DELETE' : 'POST', `/messages/${sentIn(scene, what)}/reactions`, { emoji_name: 'tada' }),
  type: async ({ actor, other, what, more }) => {
    const direct = { type: 'direct', to: [other.id] }
    return actor.try('POST', '/typing', {
      op: more % 2 === 0 ? 'start' : 'stop',
      ...(more % 3 === 0
        ? direct
        : { type: 'stream', stream_id: await namedChannel(actor, what), topic: at(TOPICS, more) }),
    })
  },
  'type over': async ({ scene, actor, what, more }) =>
    actor.try('POST', `/messages/${sentIn(scene, what)}/typing`, { op: more % 2 === 0 ? 'start' : 'stop' }),
} satisfies Steps

type Steps = Readonly<Record<string, (doing: Doing) => Promise<unknown>>>

function at<Item>(items: readonly Item[], which: number): Item {
  const item = items[which % items.length]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

async function send(scene: Scene, actor: TestUser, parameters: Readonly<Record<string, unknown>>): Promise<void> {
  const { body } = await actor.try('POST', '/messages', parameters)
  if (typeof body['id'] === 'number') scene.sent.push(body['id'])
}

async function flag({ scene, actor, what, more }: Doing, op: string, name: string): Promise<Answer> {
  const messages = [sentIn(scene, what), sentIn(scene, more)]
  return actor.try('POST', '/messages/flags', { messages, op, flag: name })
}

async function subscribe(actor: TestUser, which: number, more: Readonly<Record<string, unknown>> = {}) {
  return actor.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: at(CHANNELS, which) }], ...more })
}

/** The id of a channel by its name, where the actor may know of it. */
async function namedChannel(actor: TestUser, which: number): Promise<number> {
  const { body } = await actor.try('GET', '/get_stream_id', { stream: at(CHANNELS, which) })
  return Number(body['stream_id'] ?? 999_999)
}
