import type { Answer } from '../../server/src/testing/user.ts'
import {
  addMessage,
  nextNumberIn,
  topicSpelling,
  updateTopicSpellings,
  topicKey,
  type Channel,
  type Message,
  type Person,
} from './model.ts'
import { fileReport, handleReport } from './reports.ts'
import {
  ADMINISTRATOR_ROLE,
  isSubscribed,
  canSeeChannel,
  mayPin,
  maySend,
  mayWriteTo,
  canReadMessage,
  canReadMessagesFrom,
  subscribersOf,
} from './rules.ts'
import {
  channelOf,
  describePerson,
  expectSameAnswerAsForAbsentId,
  receiversOf,
  expectEventForEach,
  type Scene,
} from './scene.ts'
import { activePeople, itemAt, type StepContext } from './steps.ts'

function topicsIn(scene: Scene, channel: Channel): string[] {
  const topics = new Set<string>()
  for (const { place } of scene.model.messages.values()) if (place?.channelId === channel.id) topics.add(place.topic)
  return [...topics].filter((topic) => /topic/i.test(topic))
}

/** A new topic or, in most cases, an existing topic, sometimes with different letter case. */
function pickTopic(scene: Scene, channel: Channel, number: number): string {
  const known = number % 3 > 0 ? itemAt(topicsIn(scene, channel), number) : undefined
  if (known === undefined) return `topic${nextNumberIn(scene.model)}q`
  const respelled = ['topic', 'Topic', 'TOPIC'][number % 5]
  return respelled === undefined ? known : known.replace(/topic/i, respelled)
}

/** A message. In most cases, one that the actor can read, so that the step has an effect. */
function pickMessage(
  { scene, actor, what, rest }: StepContext,
  isWanted: (message: Message) => boolean = () => true,
): Message | undefined {
  const all = [...scene.model.messages.values()]
  const messages =
    rest % 4 === 0 ? all : all.filter((message) => isWanted(message) && canReadMessage(scene.model, actor, message))
  // Prefers recent messages, so that steps build on each other.
  return what % 3 === 0 ? itemAt(messages, what) : itemAt(messages.slice(-12), what)
}

function generateContent(scene: Scene): string {
  return `word${nextNumberIn(scene.model)}q`
}

const messagePath = (id: number): string => `/messages/${id}`

export const MESSAGE_STEPS: Readonly<Record<string, (doing: StepContext) => Promise<void>>> = {
  send: async ({ scene, actor, channel, what, more }) => {
    if (channel === undefined) return
    const topic = pickTopic(scene, channel, more)
    const content = generateContent(scene)
    if (!canSeeChannel(scene.model, actor, channel)) {
      const parameters = (to: number): Record<string, unknown> => ({ type: 'stream', to, topic, content })
      await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['POST', () => '/messages', parameters])
      return
    }
    const to = what % 2 === 0 ? channel.id : JSON.stringify(channel.name)
    const { status, body } = await actor.user.try('POST', '/messages', { type: 'stream', to, topic, content })
    if ((status === 200) !== maySend(scene.model, actor, channel)) {
      scene.wrong.push(`${describePerson(actor)} sends to ${channel.id}: ${JSON.stringify(body)}`)
    }
    if (status !== 200) return
    const place = { channelId: channel.id, topic: topicSpelling(scene.model, channel, topic) }
    const message = { id: Number(body['id']), senderId: actor.id, place, memberIds: [], content, isNotice: false }
    addMessage(scene.model, message, subscribersOf(scene.model, channel))
  },

  'send direct': async ({ scene, actor, other, what, more }) => {
    const third = itemAt(activePeople(scene), more)
    const to = [...new Set([other.id, ...(what % 3 === 0 && third !== undefined ? [third.id] : [])])]
    const content = generateContent(scene)
    const memberIds = [...new Set([...to, actor.id])].toSorted((a, b) => a - b)
    const isAllowed = mayWriteTo(scene.model, actor, memberIds)
    const { status, body } = await actor.user.try('POST', '/messages', { type: 'direct', to, content })
    // Recipients may be hidden from the actor.
    if (status === 200 ? !isAllowed : isAllowed && String(body['msg']).includes('initiate')) {
      scene.wrong.push(`${describePerson(actor)} writes to ${memberIds.join()}: ${JSON.stringify(body)}`)
    }
    if (status !== 200) return
    scene.model.conversations.add(memberIds.join())
    const receivers = [...scene.model.people.values()].filter(({ id }) => memberIds.includes(id))
    const id = Number(body['id'])
    addMessage(
      scene.model,
      { id, senderId: actor.id, place: undefined, memberIds, content, isNotice: false },
      receivers,
    )
  },

  rewrite: async (doing) => {
    const { scene, actor } = doing
    const message = pickMessage(doing, ({ senderId }) => senderId === actor.id)
    if (message === undefined) return
    const content = generateContent(scene)
    if (!canReadMessage(scene.model, actor, message)) {
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['PATCH', messagePath, () => ({ content })])
      return
    }
    const { status } = await actor.user.try('PATCH', messagePath(message.id), { content })
    if (status !== 200) return
    message.content = content
    for (const [, number] of content.matchAll(/word(\d+)q/g)) {
      scene.model.messageOfWord.set(Number(number), message.id)
    }
    expectEventForEach(scene.model, receiversOf(scene.model, message, actor), `update ${message.id}`)
  },

  move: async (doing) => moveMessages(doing, doing.rest % 2 === 0),
  'move away': async (doing) => moveMessages(doing, true),
  resolve: async (doing) => moveMessages(doing, false, true),

  'delete message': async (doing) => {
    const { scene, actor } = doing
    const message = pickMessage(doing, ({ senderId }) => senderId === actor.id || actor.role <= ADMINISTRATOR_ROLE)
    if (message === undefined) return
    if (!canReadMessage(scene.model, actor, message)) {
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['DELETE', messagePath])
      return
    }
    const { status } = await actor.user.try('DELETE', messagePath(message.id))
    if (status === 200) removeMessages(scene, actor, [message])
  },

  'delete topic': async ({ scene, actor, channel, what }) => {
    if (channel === undefined) return
    const topic = itemAt(topicsIn(scene, channel), what)
    if (topic === undefined) return
    const { status } = await actor.user.try('POST', `/streams/${channel.id}/delete_topic`, { topic_name: topic })
    if (status !== 200) return
    const there = [...scene.model.messages.values()].filter(
      ({ place, at: sent }) =>
        place !== undefined &&
        topicKey(place) === topicKey({ channelId: channel.id, topic }) &&
        canReadMessagesFrom(scene.model, actor, channel, sent),
    )
    removeMessages(scene, actor, there)
  },

  react: async (doing) => {
    const { scene, actor, more } = doing
    const message = pickMessage(doing)
    if (message === undefined) return
    const method = more % 3 === 0 ? 'DELETE' : 'POST'
    const reaction = { emoji_name: ['tada', 'heart', 'smile'][more % 3] }
    if (!canReadMessage(scene.model, actor, message)) {
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, [
        method,
        (id) => `/messages/${id}/reactions`,
        () => reaction,
      ])
      return
    }
    const { status } = await actor.user.try(method, `/messages/${message.id}/reactions`, reaction)
    if (status === 200)
      expectEventForEach(scene.model, receiversOf(scene.model, message, actor), `reaction ${message.id}`)
  },

  pin: async (doing) => {
    const { scene, actor, more, rest } = doing
    const message = pickMessage(doing, ({ place }) => place !== undefined)
    const channel = message === undefined ? undefined : channelOf(scene.model, message)
    if (message === undefined || channel === undefined) return
    const pins = `/streams/${channel.id}/pins`
    const scope = more % 2 === 0 ? 'channel' : 'topic'
    const isUnpinning = message.pin !== undefined && rest % 2 === 0
    const ask = async (): Promise<Answer> =>
      isUnpinning
        ? actor.user.try('DELETE', `${pins}/${message.id}`)
        : actor.user.try('POST', pins, { message_id: message.id, scope })
    if (!canReadMessage(scene.model, actor, message)) {
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, [
        'POST',
        () => pins,
        (id) => ({ message_id: id, scope }),
      ])
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['DELETE', (id) => `${pins}/${id}`])
      return
    }
    const { status, body } = await ask()
    if ((status === 200) !== mayPin(scene.model, actor, channel)) {
      scene.wrong.push(`${describePerson(actor)} pins ${message.id}: ${JSON.stringify(body)}`)
    }
    if (status === 200) message.pin = isUnpinning ? undefined : scope
  },

  report: async (doing) => {
    const message = pickMessage(doing, ({ isNotice }) => !isNotice)
    if (message !== undefined) await fileReport(doing, message)
  },
  'handle report': handleReport,

  'add to message': async (doing) => {
    const { scene, actor, more } = doing
    const message = pickMessage(doing, ({ senderId }) => more % 2 === 0 || senderId === actor.id)
    if (message === undefined) return
    const parameters = (message_id: number): Record<string, unknown> => ({
      message_id,
      msg_type: 'widget',
      content: '{}',
    })
    if (!canReadMessage(scene.model, actor, message)) {
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['POST', () => '/submessage', parameters])
      return
    }
    const { status, body } = await actor.user.try('POST', '/submessage', parameters(message.id))
    if (status !== 200) return
    if (message.senderId !== actor.id && message.added.length === 0) {
      scene.wrong.push(`${describePerson(actor)} is the first to add to ${message.id}: ${JSON.stringify(body)}`)
    }
    message.added.push(actor.id)
    expectEventForEach(scene.model, receiversOf(scene.model, message, actor), `submessage ${message.id}`)
  },

  flag: async (doing) => {
    const { scene, actor, more } = doing
    const message = pickMessage(doing)
    if (message === undefined) return
    const parameters = (id: number): Record<string, unknown> => ({
      messages: [id],
      op: more % 4 === 0 ? 'remove' : 'add',
      flag: more % 2 === 0 ? 'read' : 'starred',
    })
    if (canReadMessage(scene.model, actor, message)) {
      await actor.user.try('POST', '/messages/flags', parameters(message.id))
    } else {
      await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['POST', () => '/messages/flags', parameters])
    }
  },

  'choose for topic': async ({ scene, actor, channel, what, more }) => {
    if (channel === undefined) return
    const topic = pickTopic(scene, channel, what)
    const { status } = await actor.user.try('POST', '/user_topics', {
      stream_id: channel.id,
      topic,
      visibility_policy: more % 4,
    })
    if (status === 200) actor.seen.topics.add(topic)
  },

  'look for message': async (doing) => {
    const { scene, actor } = doing
    const message = pickMessage({ ...doing, rest: 0 })
    if (message === undefined || canReadMessage(scene.model, actor, message)) return
    await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['GET', messagePath])
    await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['GET', (id) => `/messages/${id}/history`])
    await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['GET', (id) => `/messages/${id}/read_receipts`])
    await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['PATCH', messagePath, () => ({ topic: 'x' })])
  },
}

/** Removes messages from the model and records which people must be notified. */
function removeMessages(scene: Scene, actor: Person, messages: readonly Message[]): void {
  for (const message of messages)
    expectEventForEach(scene.model, receiversOf(scene.model, message, actor), `delete ${message.id}`)
  for (const { id } of messages) scene.model.messages.delete(id)
  updateTopicSpellings(scene.model)
}

const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const

async function moveMessages(doing: StepContext, isAway: boolean, resolves = false): Promise<void> {
  const { scene, actor, channel, more, rest } = doing
  const { model } = scene
  const message = pickMessage(doing, ({ place }) => place !== undefined)
  const from = message === undefined ? undefined : channelOf(model, message)
  if (message?.place === undefined || from === undefined) return
  const to = isAway && channel !== undefined ? channel : from
  const { topic: before } = message.place
  const changesTopic = to === from || more % 2 === 0
  const wanted = before.startsWith('✔ ') ? before.slice(2) : `✔ ${before}`
  const topic = resolves ? wanted : changesTopic ? pickTopic(scene, to, rest) : before
  const mode = resolves ? 'change_all' : (PROPAGATE_MODES[more % 3] ?? 'change_one')
  const parameters = {
    propagate_mode: mode,
    ...(topic === before ? {} : { topic }),
    ...(to === from ? {} : { stream_id: to.id }),
    send_notification_to_old_thread: rest % 3 === 0,
    send_notification_to_new_thread: rest % 4 === 0,
  }
  if (to === from && topic === before) return
  if (!canReadMessage(model, actor, message)) {
    await expectSameAnswerAsForAbsentId(scene, actor, message.id, ['PATCH', messagePath, () => parameters])
    return
  }
  const { status } = await actor.user.try('PATCH', messagePath(message.id), parameters)
  if (status !== 200) return
  const source = topicKey(message.place)
  // A different spelling renames the whole topic.
  const respells = source === topicKey({ channelId: to.id, topic })
  const name = respells ? topic : topicSpelling(model, to, topic)
  if (respells) model.topicNames.set(source, topic)
  const moved = [...model.messages.values()].filter(
    (one) =>
      one.place !== undefined &&
      topicKey(one.place) === source &&
      (respells ||
        mode === 'change_all' ||
        one.id === message.id ||
        (mode === 'change_later' && one.id > message.id)) &&
      (to === from || canReadMessage(model, actor, one)),
  )
  const hearers = [...model.people.values()].filter(
    (person) => person === actor || isSubscribed(from, person) || isSubscribed(to, person),
  )
  for (const one of moved) {
    const saw = hearers.filter((person) => canReadMessage(model, person, one))
    if (one.place !== undefined) one.past = [one.place, ...one.past]
    one.place = { channelId: to.id, topic: name }
    for (const person of hearers) {
      if (canReadMessage(model, person, one)) expectEventForEach(model, [person], `update ${one.id}`)
      else if (saw.includes(person)) expectEventForEach(model, [person], `delete ${one.id}`)
    }
  }
  updateTopicSpellings(model)
}
