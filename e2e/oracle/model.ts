import type { TestUser } from '../../server/src/testing/user.ts'

/*
 * An organization as plain objects, changed only by what requests that succeeded were meant to do. Who may learn what is
 * said in rules.ts, from the specification; nothing here or there knows how the product answers such questions.
 */

export interface Person {
  readonly id: number
  readonly user: TestUser
  readonly isBot: boolean
  ownerId: number | undefined
  role: number
  isActive: boolean
  /** All that was ever in sight: a person's own notes may go on naming it. */
  readonly seen: { readonly topics: Set<string>; readonly channels: Set<number>; readonly messages: Set<number> }
}

/** A group setting as requests give it. */
export type Setting =
  number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

export interface Group {
  readonly id: number
  /** Of a system group: everybody whose role number is at most this. */
  readonly roleAtMost: number | undefined
  readonly members: Set<number>
  readonly subgroups: Set<number>
  isDeactivated: boolean
}

/** Starts and ends in turn, by the model's clock; null while it lasts. */
export type Period = [from: number, to: number | null]

export interface Channel {
  readonly id: number
  name: string
  isPrivate: boolean
  isWebPublic: boolean
  /** Whether subscribers read what was said before they came. */
  sharesHistory: boolean
  isArchived: boolean
  /** Whether newcomers are subscribed to it. */
  isDefault: boolean
  readonly settings: Record<string, Setting>
  /** By person. */
  readonly periods: Map<number, Period[]>
  /** Subscriptions that ended with the account. */
  readonly resting: Set<number>
}

export interface Place {
  readonly channelId: number
  readonly topic: string
}

export interface Message {
  readonly id: number
  readonly senderId: number
  /** By the model's clock. */
  readonly at: number
  /** Undefined for direct messages. */
  place: Place | undefined
  readonly memberIds: readonly number[]
  content: string
  /** Where it was before, the last first. */
  past: readonly Place[]
  /** Who added something to it that is more than its text, in this order. */
  readonly added: number[]
  /** Whether the server wrote it. */
  readonly isNotice: boolean
}

export interface Organization {
  clock: number
  readonly people: Map<number, Person>
  readonly groups: Map<number, Group>
  readonly channels: Map<number, Channel>
  readonly messages: Map<number, Message>
  readonly conversations: Set<string>
  /** The number in a channel's name, past names included, to the channel. */
  readonly channelOfName: Map<number, number>
  readonly messageOfWord: Map<number, number>
  readonly personOfName: Map<number, number>
  /** Whether guests see only whom they meet. */
  guestsAreLimited: boolean
  /** Who may begin direct conversations; undefined for everybody. */
  beginners: Setting | undefined
  /** What the messages of a topic are called that come to it where history is shared, by `topicKey`. */
  readonly topicNames: Map<string, string>
  /** What each person must be told since its last look, such as `message 12`. */
  readonly due: Map<number, string[]>
  nextNumber: number
}

export function emptyOrganization(): Organization {
  return {
    clock: 0,
    people: new Map(),
    groups: new Map(),
    channels: new Map(),
    messages: new Map(),
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

/** A number for a name or a word that nothing else has. */
export function freshNumber(model: Organization): number {
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

/** Bots have no more rights than their owners. */
export function changeRole(model: Organization, person: Person, role: number): void {
  person.role = role
  for (const one of model.people.values()) if (one.ownerId === person.id) one.role = Math.max(one.role, role)
}

export function giveBot(bot: Person, owner: Person): void {
  bot.ownerId = owner.id
  bot.role = Math.max(bot.role, owner.role)
}

/**
 * @param actor who owns it from now on, if it is a bot whose owner is gone
 * @returns whether it changed hands, and so has another key
 */
export function reactivate(model: Organization, person: Person, actor: Person): boolean {
  const owner = model.people.get(person.ownerId ?? -1)
  const isGiven = owner?.isActive === false && !actor.isBot
  if (isGiven) giveBot(person, actor)
  person.isActive = true
  for (const channel of model.channels.values()) {
    if (channel.resting.delete(person.id)) subscribe(model, channel, [person.id])
  }
  return isGiven
}

/** Names that differ only in case are of one topic. */
export function topicKey({ channelId, topic }: Place): string {
  return `${channelId} ${topic.toLowerCase()}`
}

/**
 * What a message is called that comes to a topic: as it wants, where others must not learn how hidden messages are
 * called, else as the topic.
 */
export function nameInTopic(model: Organization, channel: Channel, wanted: string): string {
  const isShared = !channel.isPrivate || channel.sharesHistory
  const known = model.topicNames.get(topicKey({ channelId: channel.id, topic: wanted }))
  return isShared && known !== undefined ? known : wanted
}

/** Gives topics that messages began the name of the first, and forgets those that have none any more. */
export function nameTopics(model: Organization): void {
  const places = [...model.messages.values()].flatMap(({ place }) => (place === undefined ? [] : [place]))
  const keys = new Set(places.map(topicKey))
  for (const key of model.topicNames.keys()) if (!keys.has(key)) model.topicNames.delete(key)
  for (const place of places) {
    if (!model.topicNames.has(topicKey(place))) model.topicNames.set(topicKey(place), place.topic)
  }
}

/** Puts a message that was sent where it is, and notes who must hear of it. */
export function addMessage(
  model: Organization,
  message: Omit<Message, 'at' | 'past' | 'added'>,
  receivers: readonly Person[],
): void {
  // Notices follow the change they tell of.
  const at = model.clock + (message.isNotice ? 0.5 : 0)
  model.messages.set(message.id, { ...message, at, past: [], added: [] })
  for (const [, number] of message.content.matchAll(/word(\d+)q/g)) model.messageOfWord.set(Number(number), message.id)
  nameTopics(model)
  for (const person of receivers) mustHear(model, person, `message ${message.id}`)
}

export function mustHear(model: Organization, person: Person, what: string): void {
  if (!person.isActive) return
  const due = model.due.get(person.id)
  if (due === undefined) model.due.set(person.id, [what])
  else due.push(what)
}
