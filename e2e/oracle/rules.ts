import type { Channel, Message, Organization, Person, Setting } from './model.ts'

/* The specification's visibility rules. Each question is answered by searching all objects. */

export const GUEST_ROLE = 600
export const ADMINISTRATOR_ROLE = 200
export const MODERATOR_ROLE = 300

function isInGroup(
  model: Organization,
  person: Person,
  groupId: number,
  passed: ReadonlySet<number> = new Set(),
): boolean {
  const group = model.groups.get(groupId)
  if (group === undefined || passed.has(groupId)) return false
  if (group.roleAtMost !== undefined && person.role <= group.roleAtMost) return true
  if (group.members.has(person.id)) return true
  return [...group.subgroups].some((inner) => isInGroup(model, person, inner, new Set([...passed, groupId])))
}

export function isInSetting(model: Organization, person: Person, setting: Setting | undefined): boolean {
  if (setting === undefined) return false
  if (typeof setting === 'number') return isInGroup(model, person, setting)
  return (
    setting.direct_members.includes(person.id) ||
    setting.direct_subgroups.some((groupId) => isInGroup(model, person, groupId))
  )
}

function isGranted(model: Organization, person: Person, channel: Channel, names: readonly string[]): boolean {
  return names.some((name) => isInSetting(model, person, channel.settings[name]))
}

export function isSubscribed(channel: Channel, person: Person): boolean {
  return channel.periods.get(person.id)?.at(-1)?.[1] === null
}

export function wasSubscribed(channel: Channel, person: Person, at: number): boolean {
  return (channel.periods.get(person.id) ?? []).some(([from, to]) => from <= at && (to === null || at < to))
}

export function isPublicFor(channel: Channel, person: Person): boolean {
  return !channel.isPrivate && person.role < GUEST_ROLE
}

/** Whether the person has what the specification calls metadata access. */
export function canSeeChannel(model: Organization, person: Person, channel: Channel): boolean {
  return (
    isSubscribed(channel, person) ||
    person.role <= ADMINISTRATOR_ROLE ||
    isPublicFor(channel, person) ||
    isGranted(model, person, channel, [
      'can_administer_channel_group',
      'can_add_subscribers_group',
      'can_subscribe_group',
    ])
  )
}

/** Whether the person can subscribe. Administrators of a public channel can always add themselves. */
export function maySubscribe(model: Organization, person: Person, channel: Channel): boolean {
  if (isSubscribed(channel, person) || mayJoin(model, person, channel)) return true
  return !channel.isPrivate && isGranted(model, person, channel, ['can_administer_channel_group'])
}

/** Whether the person has what the specification calls content access. */
function mayRead(model: Organization, person: Person, channel: Channel): boolean {
  return isSubscribed(channel, person) || mayJoin(model, person, channel)
}

function mayJoin(model: Organization, person: Person, channel: Channel): boolean {
  return (
    isPublicFor(channel, person) ||
    isGranted(model, person, channel, ['can_add_subscribers_group', 'can_subscribe_group'])
  )
}

/** Whether the person can read messages from a time. Protected history requires a subscription both then and now. */
export function canReadMessagesFrom(model: Organization, person: Person, channel: Channel, at: number): boolean {
  if (!channel.isPrivate || channel.sharesHistory) {
    // Guests with a group permission in a public channel can join the channel, but cannot read it before they join.
    return channel.isPrivate
      ? mayRead(model, person, channel)
      : isSubscribed(channel, person) || isPublicFor(channel, person)
  }
  return isSubscribed(channel, person) && wasSubscribed(channel, person, at)
}

export function canReadMessage(model: Organization, person: Person, message: Message): boolean {
  if (message.place === undefined) return message.memberIds.includes(person.id)
  const channel = model.channels.get(message.place.channelId)
  return channel !== undefined && canReadMessagesFrom(model, person, channel, message.at)
}

export function isPublished(channel: Channel): boolean {
  return channel.isWebPublic && !channel.isArchived
}

/** Whether anyone on the web can read the message. */
export function canSpectatorsRead(model: Organization, { place, at }: Message): boolean {
  const channel = model.channels.get(place?.channelId ?? -1)
  return channel !== undefined && isPublished(channel) && at >= channel.webPublicFrom
}

/** Whether the person received the message when it was sent, given its current location. */
export function wasReceived(model: Organization, person: Person, message: Message): boolean {
  if (message.place === undefined) return message.memberIds.includes(person.id)
  const channel = model.channels.get(message.place.channelId)
  return channel !== undefined && wasSubscribed(channel, person, message.at)
}

export function subscribersOf(model: Organization, channel: Channel): Person[] {
  return [...model.people.values()].filter((person) => isSubscribed(channel, person))
}

export function maySend(model: Organization, person: Person, channel: Channel): boolean {
  if (channel.isArchived || !isInSetting(model, person, channel.settings['can_send_message_group'])) return false
  return isSubscribed(channel, person) || isPublicFor(channel, person)
}

/** Whether the person can set the channel's slow mode, if they can see the channel. */
export function maySetSlowMode(model: Organization, person: Person, channel: Channel): boolean {
  if (channel.isArchived) return false
  return person.role <= MODERATOR_ROLE || isGranted(model, person, channel, ['can_administer_channel_group'])
}

/** Whether the person can change the channel's pins. By default, everyone but guests can pin where they can post. */
export function mayPin(model: Organization, person: Person, channel: Channel): boolean {
  if (channel.isArchived) return false
  const administers =
    person.role <= ADMINISTRATOR_ROLE || isGranted(model, person, channel, ['can_administer_channel_group'])
  return administers || (person.role < GUEST_ROLE && maySend(model, person, channel))
}

/** Whether the person can send a direct message to exactly these people, including themselves. */
export function mayWriteTo(model: Organization, person: Person, memberIds: readonly number[]): boolean {
  if (model.beginners === undefined || isInSetting(model, person, model.beginners)) return true
  if (memberIds.every((id) => id === person.id || model.people.get(id)?.isBot === true)) return true
  const said = [...model.messages.values()].filter(({ place }) => place === undefined)
  return said.some((message) => message.memberIds.join() === memberIds.join())
}

/** Whether the person can see another's profile. */
export function canSeeProfile(model: Organization, person: Person, other: Person): boolean {
  if (person === other || other.isBot || person.role < GUEST_ROLE || !model.guestsAreLimited) return true
  const isIn = (channel: Channel, one: Person): boolean => isSubscribed(channel, one) || channel.resting.has(one.id)
  if ([...model.channels.values()].some((channel) => isIn(channel, person) && isIn(channel, other))) return true
  return [...model.conversations].some((members) => {
    const ids = members.split(',').map(Number)
    return ids.includes(person.id) && ids.includes(other.id)
  })
}

/** Whether the person can ban the other, or lift the ban. */
export function mayBan(model: Organization, person: Person, other: Person): boolean {
  const isBelow = person.role <= MODERATOR_ROLE && other.role > person.role && !other.isBot
  return isBelow && canSeeProfile(model, person, other)
}

/** Subscribers whom the person can see, if the person can see the channel. */
export function visibleSubscribers(model: Organization, person: Person, channel: Channel): Person[] {
  return subscribersOf(model, channel).filter((other) => canSeeProfile(model, person, other))
}

/** Everything that a person can see at a given time. */
export interface Visibility {
  readonly channels: ReadonlySet<number>
  readonly messages: ReadonlySet<number>
  readonly topics: ReadonlySet<string>
  readonly people: ReadonlySet<number>
}

export function visibilityOf(model: Organization, person: Person): Visibility {
  const channels = new Set<number>()
  for (const channel of model.channels.values()) if (canSeeChannel(model, person, channel)) channels.add(channel.id)
  const messages = new Set<number>()
  const topics = new Set<string>()
  for (const message of model.messages.values()) {
    if (!canReadMessage(model, person, message)) continue
    messages.add(message.id)
    if (message.place !== undefined) topics.add(withoutResolvedPrefix(message.place.topic))
    for (const place of message.past) {
      const channel = model.channels.get(place.channelId)
      if (channel !== undefined && canReadMessagesFrom(model, person, channel, message.at))
        topics.add(withoutResolvedPrefix(place.topic))
    }
  }
  for (const topic of topics) person.seen.topics.add(topic)
  for (const id of channels) person.seen.channels.add(id)
  for (const id of messages) person.seen.messages.add(id)
  const people = new Set<number>()
  for (const other of model.people.values()) if (canSeeProfile(model, person, other)) people.add(other.id)
  return { channels, messages, topics, people }
}

export function withoutResolvedPrefix(topic: string): string {
  return topic.replace(/^(✔ )+/, '')
}
