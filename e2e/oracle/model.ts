import type { TestUser } from '../../server/src/testing/user.ts'
import type { Report } from './reports.ts'

/*
 * An organization as plain objects, changed only by the intended effects of successful requests. rules.ts defines who
 * can learn what, from the specification. Neither uses the product's implementation.
 */

export interface Person {
  readonly id: number
  readonly user: TestUser
  readonly isBot: boolean
  ownerId: number | undefined
  role: number
  isActive: boolean
  /** All channels, topics, and messages that were ever visible, because the user's own notes can still name them. */
  readonly seen: { readonly topics: Set<string>; readonly channels: Set<number>; readonly messages: Set<number> }
}

/** A group setting as in requests. */
export type Setting =
  number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

export interface Group {
  readonly id: number
  /** Highest role number of members; undefined unless this is a system group. */
  readonly roleAtMost: number | undefined
  readonly members: Set<number>
  readonly subgroups: Set<number>
  isDeactivated: boolean
}

/** Start and end in the model's clock. The end is null while the subscription is active. */
export type SubscriptionPeriod = [from: number, to: number | null]

export interface Channel {
  readonly id: number
  name: string
  isPrivate: boolean
  isWebPublic: boolean
  /** Time in the model's clock at which the channel last became web-public. */
  webPublicFrom: number
  /** Whether subscribers can read earlier messages. */
  sharesHistory: boolean
  isArchived: boolean
  /** Whether new users are subscribed. */
  isDefault: boolean
  readonly settings: Record<string, Setting>
  /** Subscription periods by person. */
  readonly periods: Map<number, SubscriptionPeriod[]>
  /** Subscriptions suspended by deactivation. */
  readonly resting: Set<number>
}

export interface TopicLocation {
  readonly channelId: number
  readonly topic: string
}

export interface Message {
  readonly id: number
  readonly senderId: number
  /** Time in the model's clock. */
  readonly at: number
  /** Undefined for direct messages. */
  place: TopicLocation | undefined
  readonly memberIds: readonly number[]
  content: string
  /** Previous locations, most recent first. */
  past: readonly TopicLocation[]
  pin: 'channel' | 'topic' | undefined
  /** Users who added more than text, such as reactions, in order. */
  readonly added: number[]
  /** Whether the server sent the message. */
  readonly isNotice: boolean
}

export interface Organization {
  clock: number
  readonly people: Map<number, Person>
  readonly banned: Set<number>
  readonly groups: Map<number, Group>
  readonly channels: Map<number, Channel>
  readonly messages: Map<number, Message>
  /** By ID, which is the ID of the reported message. */
  readonly reports: Map<number, Report>
  readonly conversations: Set<string>
  /** Channel by the number in its current name or in a former name. */
  readonly channelOfName: Map<number, number>
  readonly messageOfWord: Map<number, number>
  readonly personOfName: Map<number, number>
  /** Whether guests see only people with whom they share a conversation. */
  guestsAreLimited: boolean
  /** Users who can start direct conversations; undefined for everyone. */
  beginners: Setting | undefined
  /** Spelling of topics in channels with shared history, by `topicKey`. */
  readonly topicNames: Map<string, string>
  /** Events that each person must receive, recorded since their last poll, such as `message 12`. */
  readonly due: Map<number, string[]>
  nextNumber: number
}

export function emptyOrganization(): Organization {
  return {
    clock: 0,
    people: new Map(),
    banned: new Set(),
    groups: new Map(),
    channels: new Map(),
    messages: new Map(),
    reports: new Map(),
    conversations: new Set(),
    channelOfName: new Map(),
    messageOfWord: new Map(),
    personOfName: new Map(),
    guestsAreLimited: false,
    beginners: undefined,
    topicNames: new Map(),
    due: new Map(),
    nextNumber: 0,
  }
}

export function nextNumberIn(model: Organization): number {
  model.nextNumber += 1
  return model.nextNumber
}

export function subscribe(model: Organization, channel: Channel, personIds: Iterable<number>): void {
  for (const id of personIds) {
    const periods = channel.periods.get(id) ?? []
    if (periods.at(-1)?.[1] === null) continue
    channel.periods.set(id, [...periods, [model.clock, null]])
  }
}

export function unsubscribe(model: Organization, channel: Channel, personIds: Iterable<number>): void {
  for (const id of personIds) {
    const last = channel.periods.get(id)?.at(-1)
    if (last !== undefined) last[1] ??= model.clock
  }
}

export function deactivate(model: Organization, person: Person): void {
  const ending = [person, ...[...model.people.values()].filter(({ ownerId }) => ownerId === person.id)]
  for (const one of ending.filter(({ isActive }) => isActive)) {
    one.isActive = false
    model.due.set(one.id, [])
    for (const channel of model.channels.values()) {
      if (channel.periods.get(one.id)?.at(-1)?.[1] !== null) continue
      unsubscribe(model, channel, [one.id])
      channel.resting.add(one.id)
    }
  }
}

/** A bot's role never exceeds its owner's. */
export function changeRole(model: Organization, person: Person, role: number): void {
  person.role = role
  for (const one of model.people.values()) if (one.ownerId === person.id) one.role = Math.max(one.role, role)
}

export function changeBotOwner(bot: Person, owner: Person): void {
  bot.ownerId = owner.id
  bot.role = Math.max(bot.role, owner.role)
}

/** @param actor becomes the owner of a bot whose owner is deactivated */
export function reactivate(model: Organization, person: Person, actor: Person): void {
  const owner = model.people.get(person.ownerId ?? -1)
  if (owner?.isActive === false && !actor.isBot) changeBotOwner(person, actor)
  person.isActive = true
  model.banned.delete(person.id)
  for (const channel of model.channels.values()) {
    if (channel.resting.delete(person.id)) subscribe(model, channel, [person.id])
  }
}

/** Topic names are case-insensitive. */
export function topicKey({ channelId, topic }: TopicLocation): string {
  return `${channelId} ${topic.toLowerCase()}`
}

/**
 * The spelling of a topic for a message that is moved into it: the existing spelling, or the requested one if the
 * existing spelling could reveal hidden messages.
 */
export function topicSpelling(model: Organization, channel: Channel, wanted: string): string {
  const isShared = !channel.isPrivate || channel.sharesHistory
  const known = model.topicNames.get(topicKey({ channelId: channel.id, topic: wanted }))
  return isShared && known !== undefined ? known : wanted
}

/** Gives topics the spelling of their first message, and removes topics without messages. */
export function updateTopicSpellings(model: Organization): void {
  const places = [...model.messages.values()].flatMap(({ place }) => (place === undefined ? [] : [place]))
  const keys = new Set(places.map(topicKey))
  for (const key of model.topicNames.keys()) if (!keys.has(key)) model.topicNames.delete(key)
  for (const place of places) {
    if (!model.topicNames.has(topicKey(place))) model.topicNames.set(topicKey(place), place.topic)
  }
}

/** Adds a sent message and records who must receive it. */
export function addMessage(
  model: Organization,
  message: Omit<Message, 'at' | 'past' | 'pin' | 'added'>,
  receivers: readonly Person[],
): void {
  // A notice follows the change that it reports.
  const at = model.clock + (message.isNotice ? 0.5 : 0)
  model.messages.set(message.id, { ...message, at, past: [], pin: undefined, added: [] })
  for (const [, number] of message.content.matchAll(/word(\d+)q/g)) model.messageOfWord.set(Number(number), message.id)
  updateTopicSpellings(model)
  for (const person of receivers) expectEvent(model, person, `message ${message.id}`)
}

export function expectEvent(model: Organization, person: Person, what: string): void {
  if (!person.isActive) return
  const due = model.due.get(person.id)
  if (due === undefined) model.due.set(person.id, [what])
  else due.push(what)
}
