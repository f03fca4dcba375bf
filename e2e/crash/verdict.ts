import type { TestUser } from '../../server/src/testing/user.ts'
import type { Reader } from './reader.ts'
import type { SentMessage } from './sender.ts'

const MESSAGES_PER_PAGE = 1_000

/** All messages that a user can read, by ID. */
export async function readableMessages(user: TestUser): Promise<Map<number, string>> {
  const messages = new Map<number, string>()
  for (let anchor = 'oldest'; ;) {
    const page = await user.call('GET', '/messages', {
      anchor,
      include_anchor: anchor === 'oldest',
      num_before: 0,
      num_after: MESSAGES_PER_PAGE,
      apply_markdown: false,
      client_external_avatar: true,
    })
    for (const { id, content } of page.messages) messages.set(id, content)
    const last = page.messages.at(-1)
    if (page.found_newest || last === undefined) return messages
    anchor = String(last.id)
  }
}

/** Acknowledged messages that a recipient cannot read. */
export function findLostMessages(
  sent: readonly SentMessage[],
  histories: ReadonlyMap<number, ReadonlyMap<number, string>>,
): SentMessage[] {
  return sent.filter(({ id, content, audience }) =>
    [...audience].some((userId) => histories.get(userId)?.get(id) !== content),
  )
}

/** Contents of more than one message, although each message was sent with a unique content. */
export function duplicatedContents(histories: ReadonlyMap<number, ReadonlyMap<number, string>>): string[] {
  const ids = new Map<string, Set<number>>()
  for (const messages of histories.values()) {
    for (const [id, content] of messages) ids.set(content, (ids.get(content) ?? new Set()).add(id))
  }
  return [...ids].filter(([, same]) => same.size > 1).map(([content]) => content)
}

/** IDs of the messages that a reader must receive, in order. */
export function expectedMessageIds(reader: Reader, sent: readonly SentMessage[]): number[] {
  return sent
    .filter(({ audience }) => audience.has(reader.user.id))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}

/** Computes unread messages independently: visible ones that are not marked as read or read when the user sent them. */
export function expectedUnreadIds(userId: number, sent: readonly SentMessage[], readers: readonly Reader[]): number[] {
  const marked = new Set(readers.filter(({ user }) => user.id === userId).flatMap((reader) => [...reader.markedRead]))
  return sent
    .filter(({ audience }) => audience.has(userId))
    .filter(({ id, senderId, readBySender }) => !marked.has(id) && !(readBySender && senderId === userId))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}

/** Unread message IDs from a fresh registration. */
export async function fetchUnreadIds(user: TestUser): Promise<number[]> {
  const { unread_msgs } = await user.call('POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags'],
  })
  const { pms, streams, huddles } = unread_msgs
  return [...pms, ...streams, ...huddles].flatMap(({ unread_message_ids: ids }) => ids).toSorted((a, b) => a - b)
}
