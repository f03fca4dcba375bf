import type { channels } from '../../server/src/contract.ts'
import type { AnyResponseTo } from '../../server/src/testing/contract-types.ts'
import type { Body, Parameters } from '../../server/src/testing/user.ts'
import { conversationDifferences, readPages, withoutSnippetsOfNotices } from './conversations.ts'
import { feedParameters, idsIn, idsAtKey, pinDifferences } from './lists.ts'
import { topicKey, type Channel, type Message, type Person } from './model.ts'
import {
  isSubscribed,
  canReadMessagesFrom,
  wasReceived,
  canReadMessage,
  canSeeProfile,
  visibleSubscribers,
  visibilityOf,
  type Visibility,
} from './rules.ts'
import { ABSENT_ID, bodyWithoutId, type Scene } from './scene.ts'
import { findLeaks, findDisclosures, splitOwnNotes, withoutNotices } from './telling.ts'

/**
 * Compares the data that reads return to a person with the rules: all lists, and single requests about a sample of
 * channels and messages.
 * @param part size of the sample: one in this many
 * @param number selects the sample
 */
export async function compareReads(scene: Scene, person: Person, part: number, number: number): Promise<string[]> {
  const reading = new ReadCheck(scene, person)
  const some = <Item>(all: Iterable<Item>, each: number): Item[] =>
    [...all].filter((_, index) => (index + number) % each === 0)
  await reading.channels()
  await reading.messages()
  await reading.recent()
  for (const channel of some(scene.model.channels.values(), part)) await reading.channel(channel)
  for (const message of some(scene.model.messages.values(), part * 4)) await reading.message(message)
  await reading.registration()
  return reading.wrong
}

const FETCHED_TYPES = [
  'message',
  'update_message_flags',
  'stream',
  'subscription',
  'realm_user',
  'starred_messages',
  'user_topic',
]

type ListedChannel = Pick<channels.ListedChannel, 'stream_id' | 'subscriber_count' | 'subscribers'>

class ReadCheck {
  readonly wrong: string[] = []
  readonly #scene: Scene
  readonly #person: Person
  readonly #visibility: Visibility
  #turn = 0

  constructor(scene: Scene, person: Person) {
    this.#scene = scene
    this.#person = person
    this.#visibility = visibilityOf(scene.model, person)
    this.#turn = scene.model.clock
  }

  async channels(): Promise<void> {
    const all = [...this.#scene.model.channels.values()]
    const known = all.filter((channel) => this.#visibility.channels.has(channel.id))
    const isMine = (channel: Channel): boolean => isSubscribed(channel, this.#person)
    const lists: readonly [Parameters, (channel: Channel) => boolean][] = [
      [{}, (channel) => !channel.isArchived && (!channel.isPrivate || isMine(channel))],
      [{ include_all: true, exclude_archived: false }, () => true],
      [{ include_all: true }, (channel) => !channel.isArchived],
      [{ include_public: false, exclude_archived: false }, isMine],
      [
        { include_public: false, include_subscribed: false, include_web_public: true },
        (one) => one.isWebPublic && !one.isArchived,
      ],
      [
        { include_public: false, include_subscribed: false, include_can_access_content: true, exclude_archived: false },
        (channel) => this.#readsIn(channel),
      ],
    ]
    for (const [parameters, isListed] of lists) {
      const { streams } = await this.#get('/streams', parameters)
      this.#same(
        idsAtKey(streams, 'stream_id'),
        idsIn(known.filter(isListed)),
        `/streams ${JSON.stringify(parameters)}`,
      )
      this.#subscribers(streams, '/streams')
    }
    const owner = this.#scene.model.people.get(this.#person.ownerId ?? -1)
    if (owner !== undefined) {
      // The only list in which bots see more than they can see otherwise.
      const { body } = await this.#person.user.try('GET', '/streams', {
        include_public: false,
        include_owner_subscribed: true,
        exclude_archived: false,
      })
      const both = all.filter((channel) => isSubscribed(channel, owner) || isMine(channel))
      this.#same(idsAtKey(body['streams'], 'stream_id'), idsIn(both), "/streams of the bot's owner")
    }
    const { subscriptions } = await this.#get('/users/me/subscriptions', { include_subscribers: 'true' })
    const mine = known.filter((channel) => isMine(channel) && !channel.isArchived)
    this.#same(idsAtKey(subscriptions, 'stream_id'), idsIn(mine), '/users/me/subscriptions')
    this.#subscribers(subscriptions, '/users/me/subscriptions')
    const { members } = await this.#get('/users')
    const named = (members ?? []).filter(({ full_name: name }) => name !== 'Unknown user')
    const people = [...this.#scene.model.people.values()].filter(({ id }) => this.#visibility.people.has(id))
    const listed = idsAtKey(named, 'user_id').filter((id) => this.#scene.model.people.has(id))
    this.#same(listed, idsIn(people), '/users')
    for (const other of this.#others()) {
      const path = `/users/${other.id}/channels` as const
      if (!canSeeProfile(this.#scene.model, this.#person, other)) {
        await this.#asAbsent(other.id, (id) => `/users/${id}/channels`)
        await this.#asAbsent(other.id, (id) => `/users/${id}`)
        continue
      }
      const { subscribed_channel_ids: ids } = await this.#get(path)
      this.#same(ids ?? [], idsIn(known.filter((channel) => isSubscribed(channel, other))), path)
    }
  }

  async messages(): Promise<void> {
    const all = [...this.#scene.model.messages.values()]
    const ids = all.map(({ id }) => id)
    const { model } = this.#scene
    const person = this.#person
    const mine = all.filter((message) => canReadMessage(model, person, message) && wasReceived(model, person, message))
    await this.#narrowed([], mine)
    await this.#narrowed(
      [['is', 'dm']],
      mine.filter(({ place }) => place === undefined),
    )
    await this.#narrowed(
      [{ operator: 'sender', operand: person.id }],
      mine.filter(({ senderId }) => senderId === person.id),
    )
    if (ids.length === 0) return
    const { messages } = await this.#get('/messages', { message_ids: [...ids, ABSENT_ID] })
    this.#same(idsAtKey(messages, 'id'), [...this.#visibility.messages], '/messages by id')
    const matches = await this.#get('/messages/matches_narrow', { msg_ids: [...ids, ABSENT_ID], narrow: [] })
    this.#same(
      Object.keys(matches.messages ?? {}).map(Number),
      [...this.#visibility.messages],
      '/messages/matches_narrow',
    )
    const chosen = all[(this.#scene.model.clock * 7) % all.length]
    const [word] = /word\d+q/.exec(chosen?.content ?? '') ?? []
    if (chosen === undefined || word === undefined) return
    await this.#narrowed(
      [['search', word]],
      mine.filter((message) => message === chosen),
    )
    await this.#narrowed(
      [{ operator: 'id', operand: chosen.id }],
      this.#visibility.messages.has(chosen.id) ? [chosen] : [],
      true,
    )
  }

  /** Checks topics of the person's subscribed channels and direct conversations. */
  async recent(): Promise<void> {
    const { model } = this.#scene
    const isOwn = ({ place }: Message): boolean => {
      const channel = model.channels.get(place?.channelId ?? -1)
      return place === undefined || (channel !== undefined && isSubscribed(channel, this.#person))
    }
    const own = [...model.messages.values()].filter((one) => isOwn(one) && canReadMessage(model, this.#person, one))
    await this.#conversations({}, own)
    const { conversations } = await this.#get('/recent', { unread: true })
    this.#onlyReadable(idsAtKey(conversations, 'first_unread_message_id'), '/recent, unread')
  }

  async channel(channel: Channel): Promise<void> {
    const { model } = this.#scene
    const { id } = channel
    const byName = { stream: channel.name }
    if (!this.#visibility.channels.has(id)) {
      for (const path of [
        '/streams/#',
        '/streams/#/members',
        '/users/me/#/topics',
        '/streams/#/pins',
        `/users/${this.#person.id}/subscriptions/#`,
      ]) {
        await this.#asAbsent(id, (one) => path.replace('#', String(one)))
      }
      await this.#asAbsent(
        id,
        () => '/messages',
        (one) => feedParameters([{ operator: 'channel', operand: one }]),
      )
      const outside = (one: number): Parameters =>
        feedParameters([{ operator: 'channel', operand: one, negated: true }])
      await this.#asAbsent(id, () => '/messages', outside)
      await this.#recentOfAbsent(id)
      const hidden = await this.#person.user.try('GET', '/get_stream_id', byName)
      const absent = await this.#person.user.try('GET', '/get_stream_id', { stream: 'nothing' })
      if (bodyWithoutId(hidden, id).replaceAll(channel.name, 'nothing') !== bodyWithoutId(absent, id))
        this.wrong.push(`finds ${channel.name}`)
      return
    }
    const found = await this.#get('/get_stream_id', byName)
    this.#same([Number(found.stream_id)], [id], `/get_stream_id of ${channel.name}`)
    const { stream } = await this.#get(`/streams/${id}`)
    const shown = stream === undefined ? [] : [stream]
    this.#same(idsAtKey(shown, 'stream_id'), [id], `/streams/${id}`)
    this.#subscribers(shown, `/streams/${id}`)
    const { subscribers } = await this.#get(`/streams/${id}/members`)
    this.#same(subscribers ?? [], idsIn(visibleSubscribers(model, this.#person, channel)), `members of ${id}`)
    for (const other of this.#others()) {
      if (!canSeeProfile(model, this.#person, other)) continue
      const { is_subscribed: isThere } = await this.#get(`/users/${other.id}/subscriptions/${id}`)
      if (isThere !== isSubscribed(channel, other)) this.wrong.push(`sees ${other.id} in ${id}: ${String(isThere)}`)
    }
    await this.#topics(channel)
  }

  async #topics(channel: Channel): Promise<void> {
    const { model } = this.#scene
    const path = `/users/me/${channel.id}/topics` as const
    if (!this.#readsIn(channel)) {
      await this.#asAbsent(channel.id, (id) => `/users/me/${id}/topics`)
      await this.#asAbsent(channel.id, (id) => `/streams/${id}/pins`)
      await this.#recentOfAbsent(channel.id)
      return
    }
    const newest = new Map<string, Message>()
    const there = [...model.messages.values()].filter(
      (message) => message.place?.channelId === channel.id && this.#visibility.messages.has(message.id),
    )
    for (const message of there) {
      const key = message.place === undefined ? '' : topicKey(message.place)
      const known = newest.get(key)
      if (known === undefined || known.id < message.id) newest.set(key, message)
    }
    const { topics } = await this.#get(path, { allow_empty_topic_name: true })
    const listed = (topics ?? []).map(({ name, max_id }) => `${name} ${max_id}`)
    const expected = [...newest.values()]
      .toSorted((a, b) => b.id - a.id)
      .map(({ id, place }) => `${place?.topic ?? ''} ${id}`)
    if (listed.join() !== expected.join())
      this.wrong.push(`sees topics of ${channel.id}: ${listed.join()}, not ${expected.join()}`)
    const { pins } = await this.#get(`/streams/${channel.id}/pins`, { allow_empty_topic_name: true })
    for (const what of pinDifferences(pins ?? [], there)) this.wrong.push(`${what} in channel ${channel.id}`)
    await this.#narrowed([{ operator: 'channel', operand: channel.id }], there)
    await this.#conversations({ channel_id: channel.id }, there)
    const [first] = newest
    if (first === undefined) return
    const [key, { place: named }] = first
    const inTopic = there.filter(({ place }) => place !== undefined && topicKey(place) === key)
    await this.#narrowed(
      [
        { operator: 'channel', operand: channel.id },
        { operator: 'topic', operand: named?.topic ?? '' },
      ],
      inTopic,
    )
  }

  async message(message: Message): Promise<void> {
    const { id } = message
    if (!this.#visibility.messages.has(id)) {
      await this.#asAbsent(id, (one) => `/messages/${one}`)
      await this.#asAbsent(id, (one) => `/messages/${one}/history`)
      await this.#asAbsent(id, (one) => `/messages/${one}/read_receipts`)
      return
    }
    if (message.place !== undefined) {
      const { place } = message
      const mine = [...this.#scene.model.messages.values()].filter(
        (one) =>
          canReadMessage(this.#scene.model, this.#person, one) &&
          wasReceived(this.#scene.model, this.#person, one) &&
          one.place?.channelId !== place.channelId,
      )
      if (id % 4 === 0) await this.#narrowed([{ operator: 'channel', operand: place.channelId, negated: true }], mine)
    }
    const answer = await this.#get(`/messages/${id}`, { allow_empty_topic_name: true })
    const { raw_content: content, message: read } = answer
    if (content !== message.content) this.wrong.push(`reads ${String(content)} in message ${id}`)
    const added = read?.submessages.map(({ sender_id }) => sender_id).join()
    if (added !== message.added.join()) this.wrong.push(`reads that ${added} added something to message ${id}`)
    await this.#get(`/messages/${id}/history`)
    await this.#get(`/messages/${id}/read_receipts`)
  }

  async registration(): Promise<void> {
    const parameters = { fetch_event_types: FETCHED_TYPES, include_subscribers: 'true' }
    const state = await this.#person.user.call('POST', '/register', { ...parameters, event_types: [] })
    this.#leak(state, '/register')
    const { pms, huddles, streams } = state.unread_msgs
    const ids = [...pms, ...huddles, ...streams].flatMap((group) => group.unread_message_ids)
    this.#onlyReadable(ids, '/register')
    for (const list of ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const) {
      this.#subscribers(state[list], `${list} of /register`)
    }
  }

  /** Checks subscriber counts and lists of channels. */
  #subscribers(records: readonly ListedChannel[] | undefined, where: string): void {
    for (const record of records ?? []) {
      const channel = this.#scene.model.channels.get(record.stream_id)
      if (channel === undefined) continue
      const shown = idsIn(visibleSubscribers(this.#scene.model, this.#person, channel))
      const { subscriber_count: count, subscribers = shown } = record
      if (count !== shown.length) this.wrong.push(`counts ${String(count)} in channel ${channel.id} in ${where}`)
      this.#same(subscribers, shown, `channel ${channel.id} in ${where}`)
    }
  }

  /** A different sample of people on each call. */
  #others(): Person[] {
    this.#turn += 1
    return [...this.#scene.model.people.values()].filter((_, index) => (index + this.#turn) % 5 === 0)
  }

  #readsIn(channel: Channel): boolean {
    if (channel.isPrivate && !channel.sharesHistory) return isSubscribed(channel, this.#person)
    return canReadMessagesFrom(this.#scene.model, this.#person, channel, 0)
  }

  async #narrowed(narrow: readonly unknown[], expected: readonly Message[], isEverywhere = false): Promise<void> {
    const { messages } = await this.#get('/messages', feedParameters(narrow))
    this.#same(
      idsAtKey(messages, 'id'),
      idsIn(expected),
      `${JSON.stringify(narrow)}${isEverywhere ? ' everywhere' : ''}`,
    )
  }

  /** Compares `GET /recent` with the conversations of these messages. */
  async #conversations(parameters: Parameters, messages: readonly Message[]): Promise<void> {
    const listed = await readPages(async (page) => this.#get('/recent', { ...parameters, ...page }))
    for (const what of conversationDifferences(listed, messages, this.#person))
      this.wrong.push(`${what} in /recent ${JSON.stringify(parameters)}`)
  }

  async #recentOfAbsent(id: number): Promise<void> {
    await this.#asAbsent(
      id,
      () => '/recent',
      (one) => ({ channel_id: one }),
    )
  }

  /** Sends a GET request and checks the response for leaks. */
  async #get<Path extends string>(path: Path, parameters: Parameters = {}): Promise<AnyResponseTo<'GET', Path>> {
    const { status, body } = await this.#person.user.try('GET', path, parameters)
    if (status !== 200) {
      this.wrong.push(`is refused ${path} ${JSON.stringify(parameters)}: ${JSON.stringify(body)}`)
      return body
    }
    this.#leak(body, path)
    return body
  }

  #leak(body: Body, path: string): void {
    const { model } = this.#scene
    const id = Number(/^\/messages\/(\d+)/.exec(path)?.[1] ?? 0)
    if (model.messages.get(id)?.isNotice === true) return
    const shown = {
      ...body,
      ...(body['messages'] === undefined ? {} : { messages: withoutNotices(model, body['messages']) }),
      ...(body['conversations'] === undefined
        ? {}
        : { conversations: withoutSnippetsOfNotices(model, body['conversations']) }),
    }
    const [notes, rest] = splitOwnNotes(shown)
    const found = [
      ...findLeaks(model, this.#person, findDisclosures(rest), [this.#visibility]),
      ...findLeaks(model, this.#person, findDisclosures(notes), [this.#visibility], true),
    ]
    for (const what of found) this.wrong.push(`learns of ${what} from ${path}`)
  }

  #same(got: readonly number[], expected: readonly number[], where: string): void {
    const [missing, extra] = [expected.filter((id) => !got.includes(id)), got.filter((id) => !expected.includes(id))]
    if (missing.length > 0) this.wrong.push(`misses ${missing.join()} in ${where}`)
    if (extra.length > 0) this.wrong.push(`gets ${extra.join()} in ${where}`)
  }

  #onlyReadable(ids: readonly number[], where: string): void {
    const hidden = ids.filter((id) => !this.#visibility.messages.has(id))
    if (hidden.length > 0) this.wrong.push(`gets ${hidden.join()} in ${where}`)
  }

  async #asAbsent(
    id: number,
    path: (id: number) => string,
    parameters: (id: number) => Parameters = () => ({}),
  ): Promise<void> {
    const { user } = this.#person
    const hidden = bodyWithoutId(await user.try('GET', path(id), parameters(id)), id)
    const absent = bodyWithoutId(await user.try('GET', path(ABSENT_ID), parameters(ABSENT_ID)), ABSENT_ID)
    if (hidden !== absent) this.wrong.push(`learns of ${id} from ${path(id)}: ${hidden}, not ${absent}`)
  }
}
