import type { ReceivedEvent } from '../../server/src/testing/contract-types.ts'
import { itemAt } from '../../server/src/testing/look-up.ts'
import { eventsOf, ALL_CAPABILITIES, type TestQueue } from '../../server/src/testing/user.ts'
import type { Message, Organization, Person } from './model.ts'
import { canReadMessage, isSubscribed, visibleSubscribers, visibilityOf, type Visibility } from './rules.ts'
import { findLeaks, findDisclosures, disclosedByEvent, splitOwnNotes } from './telling.ts'

/** A channel in the client's state. */
interface KnownChannel {
  name: string
  isPrivate: boolean
  isWebPublic: boolean
  sharesHistory: boolean
  isArchived: boolean
  subscribers: Set<number>
  subscriberCount: number
}

/** A channel as the API describes it. */
interface ChannelRecord {
  readonly stream_id: number
  readonly name: string
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly history_public_to_subscribers: boolean
  readonly is_archived: boolean
  /** Present only if requested. */
  readonly subscribers?: readonly number[] | undefined
  readonly subscriber_count: number
}

/** A message in the client's state. */
interface KnownMessage {
  channelId: number | undefined
  topic: string
  content: string
}

interface ClientForm {
  readonly client_capabilities: { readonly archived_channels?: boolean; readonly channel_pins?: boolean }
}

const CLIENT_FORMS: readonly ClientForm[] = [
  { client_capabilities: { ...ALL_CAPABILITIES, channel_pins: true } },
  { client_capabilities: {} },
  { client_capabilities: { ...ALL_CAPABILITIES, archived_channels: false } },
]

/** A client of one person, which compares the received data with the data that the person can and must receive. */
export class Watcher {
  readonly person: Person
  readonly #knowsArchived: boolean
  readonly #queue: TestQueue
  readonly #known = new Map<number, KnownChannel>()
  readonly #subscribed = new Set<number>()
  readonly #had = new Map<number, KnownMessage>()
  /** Visibility at each step since the last poll. */
  #visibilities: Visibility[]

  private constructor(person: Person, queue: TestQueue, form: ClientForm, visibility: Visibility) {
    this.person = person
    this.#queue = queue
    this.#visibilities = [visibility]
    this.#knowsArchived = form.client_capabilities.archived_channels === true
    const { state } = queue
    const { streams, never_subscribed: never, unsubscribed, subscriptions } = state
    for (const record of [...streams, ...never, ...unsubscribed, ...subscriptions]) this.#learn(record)
    for (const record of subscriptions) this.#subscribed.add(record.stream_id)
  }

  /** @returns the watcher, and errors in its registration */
  static async start(model: Organization, person: Person, which: number): Promise<[Watcher, string[]]> {
    const form = itemAt(CLIENT_FORMS, which)
    const queue = await person.user.register({ ...form, apply_markdown: false, include_subscribers: 'true' })
    const visibility = visibilityOf(model, person)
    const watcher = new Watcher(person, queue, form, visibility)
    const [notes, rest] = splitOwnNotes(queue.state)
    const wrong = [
      ...findLeaks(model, person, findDisclosures(rest), [visibility]),
      ...findLeaks(model, person, findDisclosures(notes), [visibility], true),
    ]
    model.due.set(person.id, [])
    return [watcher, [...wrong.map((what) => `registering reveals ${what}`), ...watcher.#differences(model)]]
  }

  /** Records the visibility after a step, and allows the events of the step. */
  note(model: Organization): void {
    this.#visibilities.push(visibilityOf(model, this.person))
  }

  get visibility(): Visibility {
    const visibility = this.#visibilities.at(-1)
    if (visibility === undefined) throw new Error('a watcher always has a queue')
    return visibility
  }

  /** Polls the queue. @returns errors */
  async look(model: Organization): Promise<string[]> {
    const events = await this.#queue.events()
    const wrong: string[] = []
    const told: string[] = []
    for (const event of events) {
      const all = disclosedByEvent(event)
      // A notice from the server reveals to all its readers the name of the person who caused it.
      if (isNoticeEvent(model, event)) for (const name of all.names) if (name.startsWith('name')) all.names.delete(name)
      const found = findLeaks(model, this.person, all, this.#visibilities, isOwnNote(event))
      wrong.push(...found.map((what) => `reveals ${what}: ${JSON.stringify(event).slice(0, 600)}`))
      told.push(...this.#take(event, wrong))
    }
    const due = model.due.get(this.person.id) ?? []
    model.due.set(this.person.id, [])
    if (told.toSorted().join() !== due.toSorted().join()) {
      const missing = listWithout(due, told)
      const extra = listWithout(told, due)
      if (missing.length > 0) wrong.push(`did not receive ${missing.join(', ')}`)
      if (extra.length > 0) wrong.push(`received extra ${extra.join(', ')}`)
    }
    wrong.push(...this.#differences(model))
    this.#visibilities = [this.visibility]
    return wrong
  }

  #learn({ stream_id: id, subscribers, ...record }: ChannelRecord): void {
    this.#known.set(id, {
      name: record.name,
      isPrivate: record.invite_only,
      isWebPublic: record.is_web_public,
      sharesHistory: record.history_public_to_subscribers,
      isArchived: record.is_archived,
      subscribers: subscribers === undefined ? (this.#known.get(id)?.subscribers ?? new Set()) : new Set(subscribers),
      subscriberCount: record.subscriber_count,
    })
  }

  /** Applies an event. @returns the parts that must match exactly */
  #take(event: ReceivedEvent, wrong: string[]): string[] {
    const { message, message_id: messageId, message_ids: ids = messageId === undefined ? [] : [messageId] } = event
    switch (event.type) {
      case 'stream':
        this.#takeChannel(event)
        return []
      case 'subscription':
        this.#takeSubscription(event, wrong)
        return []
      case 'message': {
        if (message === undefined) throw new Error('a message event has a message')
        this.#had.set(message.id, { channelId: message.stream_id, topic: message.subject, content: message.content })
        return [`message ${message.id}`]
      }
      case 'update_message':
        if (event['rendering_only'] === true) return []
        this.#takeUpdate(event, ids)
        return ids.map((id) => `update ${id}`)
      case 'delete_message':
        for (const id of ids) this.#had.delete(id)
        return ids.map((id) => `delete ${id}`)
      case 'reaction':
        return [`reaction ${messageId}`]
      case 'submessage':
        return [`submessage ${messageId}`]
      default:
        return []
    }
  }

  #takeChannel(event: ReceivedEvent): void {
    for (const { streams } of eventsOf([event], 'stream/create')) for (const record of streams) this.#learn(record)
    if (event.op === 'delete') {
      for (const id of event.stream_ids ?? []) {
        this.#known.delete(id)
        this.#leave(id)
      }
    }
    const known = this.#known.get(Number(event['stream_id']))
    if (event['op'] !== 'update' || known === undefined) return
    known.name = String(event['name'])
    if (event['property'] === 'is_archived') known.isArchived = event['value'] === true
    if (event['property'] === 'invite_only') {
      known.isPrivate = event['value'] === true
      known.isWebPublic = event['is_web_public'] === true
      known.sharesHistory = event['history_public_to_subscribers'] === true
    }
  }

  #takeSubscription(event: ReceivedEvent, wrong: string[]): void {
    const { stream_ids: channelIds = [], user_ids: userIds = [] } = event
    for (const record of eventsOf([event], 'subscription/add').flatMap(({ subscriptions }) => subscriptions)) {
      const { stream_id: id } = record
      if (!this.#known.has(id)) wrong.push(`is subscribed to channel ${id} but never received it`)
      this.#learn(record)
      this.#subscribed.add(id)
    }
    for (const { stream_id: id } of eventsOf([event], 'subscription/remove').flatMap((one) => one.subscriptions)) {
      this.#lose(id, this.person.id)
      this.#leave(id)
    }
    for (const id of channelIds) {
      for (const userId of userIds) {
        if (event['op'] === 'peer_remove') this.#lose(id, userId)
        const known = this.#known.get(id)
        if (event['op'] !== 'peer_add' || known === undefined) continue
        known.subscribers.add(userId)
        known.subscriberCount += 1
      }
    }
  }

  #lose(channelId: number, userId: number): void {
    const known = this.#known.get(channelId)
    if (known === undefined) return
    known.subscribers.delete(userId)
    known.subscriberCount -= 1
  }

  /** Clients receive no updates about messages in channels without a subscription. */
  #leave(channelId: number): void {
    this.#subscribed.delete(channelId)
    for (const [id, message] of this.#had) if (message.channelId === channelId) this.#had.delete(id)
  }

  #takeUpdate(event: ReceivedEvent, ids: readonly number[]): void {
    for (const id of ids) {
      const message = this.#had.get(id)
      if (message === undefined) continue
      const { subject, content, new_stream_id: channelId } = event
      if (typeof subject === 'string') message.topic = subject
      if (typeof channelId === 'number') message.channelId = channelId
      if (typeof content === 'string' && id === event['message_id']) message.content = content
      if (message.channelId !== undefined && !this.#subscribed.has(message.channelId)) this.#had.delete(id)
    }
  }

  /** Compares the client's state with the person's current visibility. */
  #differences(model: Organization): string[] {
    const found: string[] = []
    for (const channel of model.channels.values()) {
      const mayKnow = this.visibility.channels.has(channel.id) && (this.#knowsArchived || !channel.isArchived)
      const known = this.#known.get(channel.id)
      if (mayKnow !== (known !== undefined)) found.push(`${mayKnow ? 'misses' : 'has'} channel ${channel.id}`)
      if (!mayKnow || known === undefined) continue
      for (const key of ['name', 'isPrivate', 'isWebPublic', 'sharesHistory', 'isArchived'] as const) {
        if (known[key] !== channel[key]) found.push(`has ${key} of channel ${channel.id} as ${String(known[key])}`)
      }
      const there = visibleSubscribers(model, this.person, channel).map(({ id }) => id)
      const has = [...known.subscribers]
      const [missing, extra] = [
        there.filter((id) => !known.subscribers.has(id)),
        has.filter((id) => !there.includes(id)),
      ]
      if (missing.length > 0) found.push(`has not ${missing.join()} in channel ${channel.id}`)
      if (extra.length > 0) found.push(`has ${extra.join()} in channel ${channel.id}`)
      if (known.subscriberCount !== there.length) {
        found.push(`counts ${known.subscriberCount}, not ${there.length}, in channel ${channel.id}`)
      }
      if (this.#subscribed.has(channel.id) !== isSubscribed(channel, this.person)) {
        found.push(`is not right about being subscribed to channel ${channel.id}`)
      }
    }
    for (const [id, had] of this.#had) {
      const message = model.messages.get(id)
      // No event reports changes to a message that became unreadable, for example when its channel became private.
      if (message === undefined || canReadMessage(model, this.person, message)) {
        found.push(...messageDifferences(id, had, message))
      }
    }
    return found
  }
}

/** Whether an event is about the user's own note, or its removal together with its subject. */
function isOwnNote(event: ReceivedEvent): boolean {
  return event['type'] === 'user_topic' || (event['type'] === 'update_message_flags' && event['op'] === 'remove')
}

function isNoticeEvent(model: Organization, { message }: ReceivedEvent): boolean {
  return message !== undefined && model.messages.get(message.id)?.isNotice === true
}

function messageDifferences(id: number, had: KnownMessage, message: Message | undefined): string[] {
  if (message === undefined) return [`has the deleted message ${id}`]
  const found: string[] = []
  if (had.channelId !== message.place?.channelId) found.push(`has message ${id} in channel ${String(had.channelId)}`)
  else if (message.place !== undefined && had.topic !== message.place.topic) {
    found.push(`has message ${id} in ${had.topic} instead of ${message.place.topic}`)
  }
  if (had.content !== message.content) found.push(`has message ${id} as ${had.content}`)
  return found
}

/** Multiset difference of two lists. */
function listWithout(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return list.filter((one) => {
    const index = left.indexOf(one)
    if (index === -1) return true
    left.splice(index, 1)
    return false
  })
}
