import { narrowOf, type Message, type Term } from '../../kernel/message.ts'
import type { Conversation } from '../../kernel/route.ts'
import { readPage } from '../../platform/messages/reading.ts'
import type { Question } from './reading.ts'

/** Who wrote in a conversation, as far as its messages were looked at. */
export interface Participants {
  readonly isWhole: boolean
  /** The one who wrote last first. */
  readonly userIds: readonly number[]
  /** Its newest and its oldest messages, which tell what happened to it. */
  readonly ends: readonly Message[]
}

/** A narrow has at most 50 terms, and two of them say which conversation it is. */
const MOST_LEFT_OUT = 48
/** However many people wrote in a conversation, it is not read further than this. */
const MOST_PAGES = 40

export const PARTICIPANTS: Question<Participants> = {
  begin: readParticipants,
  goOn: (place) => readParticipants(place),
  add: (known, message) => ({
    ...known,
    userIds: [message.sender_id, ...known.userIds.filter((id) => id !== message.sender_id)],
  }),
  size: ({ userIds }) => userIds.length,
}

/**
 * Looks through a conversation from its newest message on. Who was found is left out of what is read next, so that a few
 * requests find the people of a long conversation.
 */
async function readParticipants(place: Conversation): Promise<Participants> {
  const narrow = narrowOf(place, () => [])
  let page = await readPage(narrow, 'older', 'newest')
  const isShort = page.found_oldest
  const ends = isShort ? page.messages : [...(await readPage(narrow, 'newer', 0)).messages, ...page.messages]
  const met = new Map<number, number>()
  for (let pages = 1; ; pages++) {
    for (const { sender_id: id } of page.messages.toReversed()) met.set(id, (met.get(id) ?? 0) + 1)
    const [oldest] = page.messages
    if (page.found_oldest || oldest === undefined || pages === MOST_PAGES) break
    page = await readPage([...narrow, ...without(met)], 'older', oldest.id)
  }
  return { isWhole: page.found_oldest, userIds: [...met.keys()], ends }
}

/** Leaves out messages of those who write most. */
function without(met: ReadonlyMap<number, number>): Term[] {
  return [...met]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_LEFT_OUT)
    .map(([operand]) => ({ operator: 'sender', operand, negated: true }))
}
