import type { ReceivedEvent } from '../../server/src/testing/contract-types.ts'
import { isObject, objectsIn } from '../../server/src/testing/json.ts'
import type { Body } from '../../server/src/testing/user.ts'
import type { Organization, Person } from './model.ts'
import type { Visibility } from './rules.ts'

/*
 * Extracts the names and IDs that text or a JSON value reveals. Every name, topic, and word of a history contains a
 * unique number, so that all mentions can be found.
 */

const NUMBERED_NAME_PATTERN = /(chan|topic|word|name)(\d+)q/gi

/** Organization settings that contain channel IDs. */
const CHANNEL_SETTINGS = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'service_update_announcements_stream_id',
]

/** API fields that contain channel or message IDs, single or in lists. */
const CHANNEL_KEYS = new Set([
  'stream_id',
  'stream_ids',
  'new_stream_id',
  'prev_stream',
  'default_streams',
  'realm_default_streams',
  ...CHANNEL_SETTINGS,
  ...CHANNEL_SETTINGS.map((name) => `realm_${name}`),
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

export interface Disclosure {
  readonly names: Set<string>
  readonly channels: Set<number>
  readonly messages: Set<number>
  readonly subscribers: Set<number>
}

export function findDisclosures(
  value: unknown,
  told: Disclosure = { names: new Set(), channels: new Set(), messages: new Set(), subscribers: new Set() },
): Disclosure {
  collectDisclosed(value, '', told)
  return told
}

export function disclosedByEvent(event: ReceivedEvent): Disclosure {
  const told = findDisclosures(event)
  if (event.type === 'subscription') for (const id of event.user_ids ?? []) told.subscribers.add(id)
  return told
}

/** Preserves the case of topics, because a topic's spelling is also information. */
function comparableSpelling(name: string): string {
  return name.toLowerCase().startsWith('topic') ? name : name.toLowerCase()
}

function collectDisclosed(value: unknown, key: string, told: Disclosure): void {
  if (typeof value === 'string') {
    for (const [found] of value.matchAll(NUMBERED_NAME_PATTERN)) told.names.add(comparableSpelling(found))
  } else if (typeof value === 'number') {
    // -1 means no channel.
    if (CHANNEL_KEYS.has(key) && value > 0) told.channels.add(value)
    if (MESSAGE_KEYS.has(key)) told.messages.add(value)
    if (SUBSCRIBER_KEYS.has(key)) told.subscribers.add(value)
  } else if (Array.isArray(value)) {
    for (const one of value) collectDisclosed(one, key, told)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      for (const [found] of name.matchAll(NUMBERED_NAME_PATTERN)) told.names.add(comparableSpelling(found))
      // Update events name the property beside its value.
      collectDisclosed(one, name === 'value' && 'property' in value ? String(value.property) : name, told)
    }
  }
}

/**
 * Lists disclosed items that none of these visibilities includes.
 * @param isNoted whether the items come from the user's own notes, which can name items that are no longer visible
 */
export function findLeaks(
  model: Organization,
  person: Person,
  told: Disclosure,
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

/** Removes the text of server notices from listed or keyed messages: it depends on who could read it when written. */
export function withoutNotices(model: Organization, messages: unknown): unknown {
  if (!isObject(messages)) return objectsIn(messages).map((one) => withoutText(model, Number(one['id']), one))
  // Messages keyed by ID, as in the response.
  const entries = Object.entries(messages)
  return Object.fromEntries(entries.map(([id, one]) => [id, isObject(one) ? withoutText(model, Number(id), one) : one]))
}

function withoutText(model: Organization, id: number, record: Body): Body {
  if (model.messages.get(id)?.isNotice !== true) return record
  const { content: _, match_content: __, ...rest } = record
  return rest
}

/** Splits a response into the user's own notes and the rest. */
export function splitOwnNotes({ user_topics, starred_messages, ...rest }: Body): [notes: Body, rest: Body] {
  return [{ user_topics, starred_messages }, rest]
}
