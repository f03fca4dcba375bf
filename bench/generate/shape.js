/* An organization as numbers: people, channels, and conversations by index, and messages in the order of sending. */
import { randomBelow, distinctIntegers, skewedIndex, zipf } from './random.js'

/** @import { Random } from './random.js' */

/**
 * @typedef {object} Size @property {number} users @property {number} channels @property {number} messages
 * @property {number} longTopic number of messages in the long topic, in the second channel; 0 for no long topic
 * @property {number} seed
 */

/**
 * @typedef {object} Membership @property {number} user @property {number} channel
 * @property {number} joinedAt number of the first message after joining; 0 for initial members
 * @property {number | null} leftAt
 */

/**
 * @typedef {object} Shape @property {boolean[]} isPrivate by channel
 * @property {Membership[]} memberships @property {number[][]} conversations participants
 * @property {{ channel: number | null, conversation: number | null }[]} topics of channels, then of conversations
 * @property {Record<'topic' | 'sender' | 'text' | 'sentAt', Int32Array>} messages
 * @property {{ longTopic: number, shortTopic: number }} known
 */

/** The first person, who sends most measured requests, is in many channels, and often talks to one other person. */
export const ACTIVE_PERSON = 0
/** Frequent author, and the active person's usual partner. */
export const TALKATIVE_PERSON = 1
/** Number of messages in the short topic, which is compared with the long topic. */
export const SHORT_TOPIC_MESSAGES = 100
/** Number of messages in the active person's first conversation. */
const CONVERSATION_MESSAGES = 200
const ACTIVE_PERSON_MENTIONS = 200
/** Number of busy channels, all of which the active person is in. */
const BUSY_CHANNELS = 30

const YEARS = 3
const DAY_SECONDS = 86_400

/**
 * Ranges of text numbers by kind of text.
 * @typedef {object} TextRanges @property {number} plain number of plain texts, which come first
 * @property {number} mentioned number of people mentioned, the active person first
 * @property {number} mentioning number of texts that mention each person; after the plain texts, grouped by person
 * @property {number} rare number of messages with the last text
 */

/**
 * @param {Random} random @param {Size} size @param {TextRanges} texts @param {number} now UNIX seconds @returns {Shape}
 */
export function generateShape(random, size, texts, now) {
  const isPrivate = Array.from({ length: size.channels }, (_, channel) => channel >= 10 && random() < 0.15)
  const { memberships, writers } = generateMemberships(random, size)
  const conversations = generateConversations(random, size)
  return {
    isPrivate,
    memberships,
    conversations,
    ...generateMessages(random, size, texts, writers, conversations, now),
  }
}

/** Later channels have fewer people. @param {Random} random @param {Size} size */
function generateMemberships(random, { users, channels, messages }) {
  const memberships = []
  /** Permanent members by channel; those listed first write the most. @type {number[][]} */
  const writers = []
  for (let channel = 0; channel < channels; channel += 1) {
    const count = Math.max(Math.min(3, users), Math.round((users * 0.7) / (channel + 1) ** 0.8))
    const inside = new Set(
      channel === 0 ? Array.from({ length: users }, (_, user) => user) : distinctIntegers(random, users, count),
    )
    if (channel < BUSY_CHANNELS) for (const user of [TALKATIVE_PERSON, ACTIVE_PERSON]) inside.add(user)
    const steady = []
    for (const user of inside) {
      const isSteady = user <= TALKATIVE_PERSON || steady.length < 2 || random() < 0.8
      const joinedAt = isSteady ? 0 : 1 + randomBelow(random, messages)
      const leftAt = !isSteady && random() < 0.2 ? joinedAt + 1 + randomBelow(random, messages - joinedAt + 1) : null
      memberships.push({ user, channel, joinedAt, leftAt })
      if (isSteady) steady.push(user)
    }
    writers.push(
      channel < BUSY_CHANNELS ? [TALKATIVE_PERSON, ...steady.filter((user) => user !== TALKATIVE_PERSON)] : steady,
    )
  }
  return { memberships, writers }
}

/** Most conversations have two participants, and each person is in a few. @param {Random} random @param {Size} size */
function generateConversations(random, { users, messages }) {
  const wanted = Math.max(1, Math.min(users * 2, Math.floor(messages / 20)))
  /** @type {Map<string, number[]>} */
  const known = new Map()
  /** @param {number[]} members */
  const add = (members) => {
    const sorted = [...new Set(members)].toSorted((a, b) => a - b)
    if (sorted.length > 1) known.set(sorted.join(), sorted)
  }
  add([ACTIVE_PERSON, TALKATIVE_PERSON])
  for (let other = 2; other < Math.min(40, users); other += 1) add([ACTIVE_PERSON, other])
  for (let attempt = known.size; attempt < wanted; attempt += 1) {
    const others = random() < 0.8 ? 1 : 2 + randomBelow(random, 4)
    add([randomBelow(random, users), ...Array.from({ length: others }, () => randomBelow(random, users))])
  }
  return [...known.values()]
}

/**
 * @param {Random} random @param {Size} size @param {TextRanges} texts @param {readonly number[][]} writers by channel
 * @param {readonly number[][]} conversations @param {number} now
 */
function generateMessages(random, size, texts, writers, conversations, now) {
  const count = size.messages
  const messages = {
    topic: new Int32Array(count),
    sender: new Int32Array(count),
    text: new Int32Array(count),
    sentAt: new Int32Array(count),
  }
  /** @type {Shape['topics']} */
  const topics = []
  /** Topics by channel, newest last. @type {number[][]} */
  const topicsOf = writers.map(() => [])
  /** @param {number} channel */
  const begin = (channel) => {
    topicsOf[channel]?.push(topics.length)
    return topics.push({ channel, conversation: null }) - 1
  }
  /** @param {number} channel */
  const topicIn = (channel) => {
    const known = topicsOf[channel] ?? []
    if (known.length === 0 || random() < 1 / 25) return begin(channel)
    // Newer topics get more messages; a few stay active forever.
    return (
      (random() < 0.1
        ? known[skewedIndex(random, Math.min(5, known.length), 1)]
        : known.at(-1 - skewedIndex(random, known.length, 6))) ?? 0
    )
  }
  const second = Math.min(1, writers.length - 1)
  const known = { longTopic: size.longTopic > 0 ? begin(second) : -1, shortTopic: begin(second) }
  if (known.longTopic >= 0) topicsOf[second]?.shift()
  topicsOf[second]?.shift()
  const conversationTopics = conversations.map((_, conversation) => -1 - conversation)

  // Spreads kinds of messages that need an exact count: draws each kind in proportion to its remaining count.
  const exactly = [
    { left: size.longTopic, what: /** @type {const} */ ('long') },
    { left: Math.min(SHORT_TOPIC_MESSAGES, Math.floor(count / 20)), what: /** @type {const} */ ('short') },
    { left: Math.min(CONVERSATION_MESSAGES, Math.floor(count / 20)), what: /** @type {const} */ ('talk') },
    { left: Math.min(ACTIVE_PERSON_MENTIONS, Math.floor(count / 20)), what: /** @type {const} */ ('mention') },
    { left: Math.min(texts.rare, Math.floor(count / 20)), what: /** @type {const} */ ('rare') },
  ]
  const channelRank = zipf(random, writers.length, 0.9)
  const start = now - YEARS * 365 * DAY_SECONDS
  const rareText = texts.plain + texts.mentioning * texts.mentioned
  for (let index = 0; index < count; index += 1) {
    let point = random() * (count - index)
    const drawn = exactly.find((one) => (point -= one.left) < 0)
    if (drawn !== undefined) drawn.left -= 1
    const what = drawn?.what
    const isDirect = what === 'talk' || (what === undefined && random() < 0.15)
    if (isDirect) {
      const conversation = what === 'talk' ? 0 : skewedIndex(random, conversations.length, 2)
      const members = conversations[conversation] ?? []
      messages.topic[index] = conversationTopics[conversation] ?? -1
      messages.sender[index] = members[randomBelow(random, members.length)] ?? 0
    } else {
      const isKnown = what === 'long' || what === 'short'
      const channel = isKnown
        ? second
        : what === 'mention'
          ? randomBelow(random, Math.min(10, writers.length))
          : channelRank()
      const people = writers[channel] ?? []
      messages.topic[index] = what === 'long' ? known.longTopic : what === 'short' ? known.shortTopic : topicIn(channel)
      messages.sender[index] = people[skewedIndex(random, people.length, 2.5)] ?? 0
    }
    messages.text[index] =
      what === 'rare'
        ? rareText
        : what === 'mention'
          ? texts.plain + randomBelow(random, texts.mentioning)
          : random() < 0.02
            ? texts.plain +
              Math.min(1, texts.mentioned - 1) * texts.mentioning +
              randomBelow(random, texts.mentioning * Math.max(1, texts.mentioned - 1))
            : randomBelow(random, texts.plain)
    messages.sentAt[index] = Math.floor(start + ((now - start) * (index + 1)) / (count + 1))
  }
  const offset = topics.length
  for (const [conversation] of conversations.entries()) topics.push({ channel: null, conversation })
  for (let index = 0; index < count; index += 1) {
    const topic = messages.topic[index] ?? 0
    if (topic < 0) messages.topic[index] = offset - 1 - topic
  }
  return { topics, messages, known }
}
