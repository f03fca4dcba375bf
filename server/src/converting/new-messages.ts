import { createHash } from 'node:crypto'
import { truncate } from '../kernel/characters.ts'
import { MAX_PREVIOUS_CONTENT_BYTES, MAX_PREVIOUS_CONTENTS } from '../capabilities/message-edits/actions/history.ts'
import { truncateTopic } from '../capabilities/channels/rules/topics.ts'
import { LIMITS } from '../capabilities/organizations/contract/organization.ts'
import type { EMOJI_TYPES } from '../capabilities/users/contract/status.ts'
import { caseKey } from '../kernel/case-key.ts'
import type { ArchiveWriter } from '../platform/moving/writer.ts'
import type { IdList } from './id-list.ts'
import type { NewOrganization } from './new-organization.ts'
import { SortedRecords } from './sorted-records.ts'
import { cleanLine, cleanText, MAX_SPLIT_LENGTH, splitIntoMessages, truncateWithNote, firstLineOf } from './texts.ts'

/** Maximum number of reactions per message, counting each person's reaction separately. */
export const MAX_REACTIONS = 10_000
const MAX_ORIGINAL_ID_CHARACTERS = 1_000
/** Half of the limit, because the HTML counts toward it, too. */
const MAX_PREVIOUS_TEXT_BYTES = MAX_PREVIOUS_CONTENT_BYTES / 2
const MICROSECONDS_PER_SECOND = 1_000_000
/** Lengths of the numbers in a sort key: microseconds since 1970, and a message counter. */
const SORT_KEY_TIME_DIGITS = 17
const SORT_KEY_COUNTER_DIGITS = 10
const MAX_SIMULTANEOUS_MESSAGES = 10_000
const DUPLICATE_MESSAGES_REPORT = 'duplicate messages: imported once'
const UNNAMED_TOPIC_NAME = 'thread'

/** Destination of a message: a named topic, a topic named after its thread's first message, or direct messages. */
export type Location =
  | { readonly channelId: number; readonly topic: string }
  | { readonly channelId: number; readonly thread: string }
  | { readonly memberIds: readonly number[] }

export interface NewReaction {
  readonly type: (typeof EMOJI_TYPES)[number]
  readonly code: string
  readonly name: string
  readonly userIds: readonly number[]
}

export interface PastMove {
  readonly from: { readonly channelId: number; readonly topic: string }
  readonly to: { readonly channelId: number; readonly topic: string }
}

export interface PastState {
  readonly content: string | undefined
  readonly move: PastMove | undefined
  readonly editorId: number
  /** UNIX seconds. */
  readonly editedAt: number
}

export interface NewMessage {
  readonly there: string
  /** Microseconds since 1970. */
  readonly sentAtMicroseconds: number
  readonly location: Location
  readonly senderId: number
  readonly content: string
  readonly mentions: readonly number[]
  readonly reactions: readonly NewReaction[]
  readonly attachmentIds: readonly number[]
  readonly starredBy: readonly number[]
  readonly unreadBy: readonly number[]
  readonly past?: readonly PastState[]
}

interface LimitedMessage extends NewMessage {
  readonly isCut: boolean
  readonly past: readonly PastState[]
}

interface Topic {
  readonly id: number
  readonly channelId: number | null
  readonly name: string
  firstId: number
  maxId: number
  previousId: number
}

/** Assigns IDs in chronological order once all messages are known. */
export class NewMessages {
  readonly #organization: NewOrganization
  readonly #writer: ArchiveWriter
  readonly #ids: IdList
  readonly #sorted: SortedRecords<LimitedMessage>
  readonly #now: number
  /** Topics by channel ID and `caseKey` of the name; direct messages by the IDs of their members. */
  readonly #topics = new Map<string, Topic>()
  readonly #threads = new Map<string, Topic>()
  /** For each name that several threads share, the number to append to the next topic with that name. */
  readonly #numbers = new Map<string, number>()
  /** Digests of messages with the same time as the last message, to detect duplicates. */
  readonly #moment = new Set<string>()
  #momentAt = -1
  #count = 0
  #latest = 0

  constructor(
    { organization, writer, ids }: { organization: NewOrganization; writer: ArchiveWriter; ids: IdList },
    folder: string,
    now: number,
  ) {
    this.#organization = organization
    this.#writer = writer
    this.#ids = ids
    this.#sorted = new SortedRecords(folder)
    this.#now = now
  }

  get latest(): number {
    return Math.floor(this.#latest / MICROSECONDS_PER_SECOND)
  }

  async add(message: NewMessage): Promise<void> {
    const there = message.there.slice(0, MAX_ORIGINAL_ID_CHARACTERS)
    const content = cleanText(message.content.slice(0, MAX_SPLIT_LENGTH))
    if (content.trim() === '') {
      this.#writer.leftOut.add('messages without text', there)
      return
    }
    this.#count += 1
    const isCut = message.content.length > MAX_SPLIT_LENGTH
    const reactions = this.#limitReactions(message.reactions, there)
    const past = this.#limitPast(message.past ?? [], there)
    const sentAtMicroseconds = Math.min(Math.max(0, Math.floor(message.sentAtMicroseconds)), Number.MAX_SAFE_INTEGER)
    const time = String(sentAtMicroseconds).padStart(SORT_KEY_TIME_DIGITS, '0')
    const key = `${time} ${String(this.#count).padStart(SORT_KEY_COUNTER_DIGITS, '0')}`
    await this.#sorted.add(key, { ...message, there, content, isCut, reactions, past, sentAtMicroseconds })
  }

  async write(signal: AbortSignal): Promise<void> {
    for await (const message of this.#sorted.inOrder()) {
      signal.throwIfAborted()
      if (this.#isTwice(message)) this.#writer.leftOut.add(DUPLICATE_MESSAGES_REPORT, message.there)
      else await this.#write(this.#timed(message))
    }
    for (const { id, channelId, name, firstId, maxId, previousId } of this.#topics.values()) {
      const ids = { first_id: firstId, max_id: maxId, previous_id: previousId }
      await this.#writer.write('topics', { id, channel_id: channelId, name, ...ids })
    }
  }

  /** Whether the message has occurred before: exports can be concatenated or contain a file twice. */
  #isTwice({ sentAtMicroseconds, there, senderId, content, location }: LimitedMessage): boolean {
    if (sentAtMicroseconds !== this.#momentAt) this.#moment.clear()
    this.#momentAt = sentAtMicroseconds
    const digest = createHash('sha256')
      .update(JSON.stringify([there, senderId, content, location]))
      .digest('base64')
    if (this.#moment.has(digest)) return true
    if (this.#moment.size < MAX_SIMULTANEOUS_MESSAGES) this.#moment.add(digest)
    return false
  }

  /** Gives a future message the previous message's time: the current time would differ if the import is resumed. */
  #timed(message: LimitedMessage): LimitedMessage {
    if (message.sentAtMicroseconds <= this.#now) {
      this.#latest = message.sentAtMicroseconds
      return message
    }
    this.#writer.leftOut.add('messages dated in the future: they get the time of the previous message', message.there)
    return { ...message, sentAtMicroseconds: this.#latest }
  }

  async #write(message: LimitedMessage): Promise<void> {
    const { location, content } = message
    const { parts, isCut } = splitIntoMessages(content)
    if (parts.length > 1) this.#writer.leftOut.add('messages over the length limit: split into several', message.there)
    if (isCut || message.isCut) this.#writer.leftOut.add('messages far over the length limit: truncated', message.there)
    const topic = await this.#topicOf(location, content)
    for (const [index, part] of parts.entries()) {
      const id = await this.#row(message, topic, part)
      if (index > 0) continue
      await this.#writeRelated(message, topic, id)
      if (parts.length === 1) await this.#past(message, id)
      else if (message.past.length > 0)
        this.#writer.leftOut.add('edit history of messages that were split', message.there)
    }
  }

  async #row(
    { sentAtMicroseconds, senderId, location }: LimitedMessage,
    topic: Topic,
    content: string,
  ): Promise<number> {
    const id = this.#organization.next()
    if (topic.firstId === 0) topic.firstId = id
    topic.previousId = topic.maxId
    topic.maxId = id
    const channel = topic.channelId === null ? undefined : this.#organization.channels.get(topic.channelId)
    if (channel !== undefined) channel.firstMessageId ??= id
    const sentAt = Math.floor(sentAtMicroseconds / MICROSECONDS_PER_SECOND)
    this.#organization.noteTime(sentAt)
    const spelling = 'topic' in location ? toTopicName(location.topic) : topic.name
    await this.#writer.write('messages', {
      id,
      channel_id: topic.channelId,
      topic_id: topic.id,
      sender_id: senderId,
      content,
      rendered_content: null,
      date_sent: sentAt,
      client: 'import',
      mentions_channel: false,
      topic_spelling: spelling === topic.name ? null : spelling,
    })
    return id
  }

  async #writeRelated(message: LimitedMessage, topic: Topic, id: number): Promise<void> {
    await this.#ids.add('message', message.there, id)
    for (const attachment_id of new Set(message.attachmentIds)) {
      await this.#writer.write('attachment_messages', { attachment_id, message_id: id })
    }
    await this.#flags(message, topic, id)
    await this.#reactions(message, id)
    for (const userId of new Set(message.unreadBy)) this.#organization.markUnread(userId, id)
  }

  async #past({ past }: LimitedMessage, id: number): Promise<void> {
    for (const { content, move, editorId, editedAt } of past) {
      await this.#writer.write('message_edits', {
        message_id: id,
        position: this.#organization.next(),
        user_id: editorId,
        date_edited: editedAt,
        prev_content: content ?? null,
        prev_rendered_content: null,
        ...moveRecord(move),
      })
    }
  }

  /** Keeps the oldest and newest contents, but only the newest moves: an old move could reveal a private channel. */
  #limitPast(past: readonly PastState[], there: string): PastState[] {
    let bytes = 0
    const texts = new Set(
      keepFirstAndNewest(
        past.filter(({ content }) => content !== undefined),
        ({ content }) => (bytes += Buffer.byteLength(content ?? '')) <= MAX_PREVIOUS_TEXT_BYTES,
      ),
    )
    const moves = new Set(past.filter(({ move }) => move !== undefined).slice(-MAX_PREVIOUS_CONTENTS))
    if (
      past.some((one) => (one.content !== undefined && !texts.has(one)) || (one.move !== undefined && !moves.has(one)))
    )
      this.#writer.leftOut.add('edit history over the limit per message', there)
    return past
      .filter((state) => texts.has(state) || moves.has(state))
      .map((state) => ({
        ...state,
        content: texts.has(state) ? this.#pastText(state.content ?? '', there) : undefined,
        move: moves.has(state) ? state.move : undefined,
      }))
  }

  #pastText(content: string, there: string): string {
    const { parts, isCut } = splitIntoMessages(cleanText(content))
    const [text = ''] = parts
    if (isCut || parts.length > 1)
      this.#writer.leftOut.add('earlier texts of messages over the length limit: truncated', there)
    return text
  }

  async #flags({ mentions, starredBy, location }: NewMessage, topic: Topic, id: number): Promise<void> {
    const channel = topic.channelId === null ? undefined : this.#organization.channels.get(topic.channelId)
    const members = 'memberIds' in location ? new Set(location.memberIds) : channel?.members
    const [mentioned, starred] = [new Set(mentions), new Set(starredBy)]
    for (const user_id of new Set([...mentions, ...starredBy])) {
      if (members?.has(user_id) !== true) continue
      await this.#writer.write('message_flags', {
        user_id,
        message_id: id,
        starred: starred.has(user_id),
        collapsed: false,
        mentioned: mentioned.has(user_id),
        topic_wildcard_mentioned: false,
        has_alert_word: false,
      })
    }
  }

  async #reactions({ reactions }: LimitedMessage, id: number): Promise<void> {
    for (const { type, code, name, userIds } of reactions) {
      for (const user_id of userIds) {
        await this.#writer.write('reactions', {
          message_id: id,
          reaction_type: type,
          emoji_code: code,
          user_id,
          emoji_name: name,
          position: this.#organization.next(),
        })
      }
    }
  }

  #limitReactions(reactions: readonly NewReaction[], there: string): NewReaction[] {
    const known = new Set<string>()
    const all = reactions.map((reaction) => {
      const userIds = reaction.userIds.filter((userId) => {
        const key = `${reaction.type} ${reaction.code} ${userId}`
        return !known.has(key) && known.size <= MAX_REACTIONS && known.add(key).size <= MAX_REACTIONS
      })
      return { ...reaction, userIds }
    })
    if (known.size > MAX_REACTIONS) this.#writer.leftOut.add('reactions over the limit per message', there)
    return all.filter(({ userIds }) => userIds.length > 0)
  }

  async #topicOf(location: Location, content: string): Promise<Topic> {
    if ('memberIds' in location) return this.#conversation(location.memberIds)
    const { channelId } = location
    if ('topic' in location) {
      const name = toTopicName(location.topic)
      const key = `${channelId} ${caseKey(name)}`
      const cleaned = cleanLine(location.topic)
      if (name !== cleaned && !this.#topics.has(key))
        truncateWithNote(cleaned, LIMITS.max_topic_length, 'topic names', this.#writer.leftOut)
      return this.#topicAt(key, channelId, name)
    }
    const key = `${channelId}/${location.thread}`
    const known = this.#threads.get(key)
    if (known !== undefined) return known
    const topic = this.#newTopic(channelId, firstLineOf(content))
    this.#threads.set(key, topic)
    return topic
  }

  #newTopic(channelId: number, words: string): Topic {
    const most = LIMITS.max_topic_length
    const firstName = truncate(words === '' ? UNNAMED_TOPIC_NAME : words, most)
    const isTaken = (name: string): boolean => this.#topics.has(`${channelId} ${caseKey(name)}`)
    let name = firstName
    const begun = `${channelId} ${caseKey(firstName)}`
    for (let number = this.#numbers.get(begun) ?? 2; isTaken(name); number += 1) {
      const ending = ` (${number})`
      name = `${truncate(firstName, most - ending.length)}${ending}`
      // Remembers the number, because trying all lower numbers for each of many equal names would take too long.
      this.#numbers.set(begun, number + 1)
    }
    return this.#topicAt(`${channelId} ${caseKey(name)}`, channelId, name)
  }

  async #conversation(memberIds: readonly number[]): Promise<Topic> {
    const members = [...new Set(memberIds)].toSorted((a, b) => a - b)
    const key = `with ${members.join(' ')}`
    const known = this.#topics.get(key)
    if (known !== undefined) return known
    const topic = this.#topicAt(key, null, '')
    const id = this.#organization.next()
    await this.#writer.write('conversations', { id, member_ids: members, topic_id: topic.id })
    for (const user_id of members) {
      await this.#writer.write('conversation_members', { user_id, conversation_id: id })
    }
    return topic
  }

  #topicAt(key: string, channelId: number | null, name: string): Topic {
    const known = this.#topics.get(key)
    if (known !== undefined) return known
    const made = { id: this.#topics.size + 1, channelId, name, firstId: 0, maxId: 0, previousId: 0 }
    this.#topics.set(key, made)
    return made
  }
}

function toTopicName(given: string): string {
  return truncateTopic(cleanLine(given))
}

function keepFirstAndNewest(past: readonly PastState[], hasRoom: (state: PastState) => boolean): readonly PastState[] {
  return [...past.slice(0, 1), ...past.slice(1).toReversed().slice(0, MAX_PREVIOUS_CONTENTS).filter(hasRoom)]
}

function moveRecord(move: PastMove | undefined): Record<string, string | number | null> {
  if (move === undefined) return { prev_topic: null, topic: null, prev_channel_id: null, channel_id: null }
  const { from, to } = move
  const isElsewhere = from.channelId !== to.channelId
  return {
    prev_topic: toTopicName(from.topic),
    topic: toTopicName(to.topic),
    prev_channel_id: isElsewhere ? from.channelId : null,
    channel_id: isElsewhere ? to.channelId : null,
  }
}
