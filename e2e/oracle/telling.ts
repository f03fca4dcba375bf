import type { Body } from '../../server/src/testing/user.ts'
import type { Organization, Person } from './model.ts'
import type { Visibility } from './rules.ts'

/*
 * What a text or a JSON value tells. Every name, topic and word of a history has a number of its own, so that whatever
 * tells of it can be found anywhere.
 */

const NUMBERED = /(chan|topic|word|name)(\d+)q/gi

/** Settings of the organization that name channels. */
const CHOSEN = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'service_update_announcements_stream_id',
]

/** Keys under which the API names channels and messages by id, alone or in lists. */
const CHANNEL_KEYS = new Set([
  'stream_id',
  'stream_ids',
  'new_stream_id',
  'prev_stream',
  'default_streams',
  'realm_default_streams',
  ...CHOSEN,
  ...CHOSEN.map((name) => `realm_${name}`),
])
const MESSAGE_KEYS = new Set([
  'message_id',
  'message_ids',
  'unread_message_ids',
  'messages',
  'starred_messages',
  'first_message_id',
])

const SUBSCRIBER_KEYS = new Set(['subscribers', 'partial_subscribers'])

export interface Told {
  readonly names: Set<string>
  readonly channels: Set<number>
  readonly messages: Set<number>
  readonly subscribers: Set<number>
}

export function toldBy(
  value: unknown,
  told: Told = { names: new Set(), channels: new Set(), messages: new Set(), subscribers: new Set() },
): Told {
  walk(value, '', told)
  return told
}

/** What an event tells. */
export function toldByEvent(event: Body): Told {
  const told = toldBy(event)
  if (event['type'] === 'subscription') for (const id of (event['user_ids'] ?? []) as number[]) told.subscribers.add(id)
  return told
}

/** How a topic is spelled tells something, too. */
function asWritten(name: string): string {
  return name.toLowerCase().startsWith('topic') ? name : name.toLowerCase()
}

function walk(value: unknown, key: string, told: Told): void {
  if (typeof value === 'string') {
    for (const [found] of value.matchAll(NUMBERED)) told.names.add(asWritten(found))
  } else if (typeof value === 'number') {
    // -1 is no channel.
    if (CHANNEL_KEYS.has(key) && value > 0) told.channels.add(value)
    if (MESSAGE_KEYS.has(key)) told.messages.add(value)
    if (SUBSCRIBER_KEYS.has(key)) told.subscribers.add(value)
  } else if (Array.isArray(value)) {
    for (const one of value) walk(one, key, told)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      for (const [found] of name.matchAll(NUMBERED)) told.names.add(asWritten(found))
      // Updates say beside a value what it is.
      walk(one, name === 'value' && 'property' in value ? String(value.property) : name, told)
    }
  }
}

/**
 * What of it nothing in the visibility names.
 * @param isNoted whether it may be what the person has noted, which stays when what it is about goes out of sight
 */
export function leaks(
  model: Organization,
  person: Person,
  told: Told,
  visibility: readonly Visibility[],
  isNoted = false,
): string[] {
  const found: string[] = []
  for (const id of told.channels) {
    const wasNoted = isNoted && person.seen.channels.has(id)
    if (!wasNoted && !visibility.some((one) => one.channels.has(id))) found.push(`channel ${id}`)
  }
  for (const id of told.messages) {
    const wasNoted = isNoted && person.seen.messages.has(id)
    if (!wasNoted && !visibility.some((one) => one.messages.has(id))) found.push(`message ${id}`)
  }
  for (const id of told.subscribers) {
    if (!visibility.some((one) => one.people.has(id))) found.push(`subscriber ${id}`)
  }
  for (const name of told.names) {
    const [, kind = '', digits = ''] = /^([a-z]+)(\d+)q$/i.exec(name) ?? []
    const isKnown =
      kind.toLowerCase() === 'topic'
        ? visibility.some((one) => one.topics.has(name)) || (isNoted && person.seen.topics.has(name))
        : isVisible(model, kind, Number(digits), visibility)
    if (!isKnown) found.push(name)
  }
  return found
}

function isVisible(model: Organization, kind: string, number: number, visibility: readonly Visibility[]): boolean {
  switch (kind) {
    case 'chan': {
      const id = model.channelOfName.get(number)
      return id !== undefined && visibility.some((one) => one.channels.has(id))
    }
    case 'word': {
      const id = model.messageOfWord.get(number)
      return id !== undefined && visibility.some((one) => one.messages.has(id))
    }
    default: {
      const id = model.personOfName.get(number)
      return id !== undefined && visibility.some((one) => one.people.has(id))
    }
  }
}

/**
 * Messages of an answer, listed or by id, without what the server wrote: notices speak to those who were there when they
 * were written.
 */
export function withoutNotices(model: Organization, messages: unknown): unknown {
  if (Array.isArray(messages)) return messages.map((one: Body) => withoutText(model, Number(one['id']), one))
  // As answers have them.
  return Object.fromEntries(
    Object.entries(messages as Record<string, Body>).map(([id, one]) => [id, withoutText(model, Number(id), one)]),
  )
}

function withoutText(model: Organization, id: number, record: Body): Body {
  if (model.messages.get(id)?.isNotice !== true) return record
  const { content: _, match_content: __, ...rest } = record
  return rest
}

/** What its reader has noted of topics and messages, and an answer without that. */
export function notesIn({ user_topics, starred_messages, ...rest }: Body): [notes: Body, rest: Body] {
  return [{ user_topics, starred_messages }, rest]
}
