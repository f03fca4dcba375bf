import type { Term } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'

/*
 * How a page of messages is asked for. The script that stands in the page of the client asks so too, and takes nothing else of the client.
 */

/** How many messages one request asks for, before and after the one around which it reads. */
const PAGE = 60

/** Around what is read: a message, an end, the first unread message, or the first one since a day. */
export type Around = number | 'newest' | 'first_unread' | { readonly date: string }

/** What a reading is of: the window anew, the same again, or more at one of its ends. */
export type Reading = 'all' | 'again' | 'older' | 'newer'

/** How the client wants messages. */
export const FORM = { client_external_avatar: false, allow_empty_topic_name: true } as const

/** What is asked for a page of messages. */
export function pageAsked(narrow: readonly Term[], what: Reading, around: Around) {
  return {
    ...(typeof around === 'object' ? { anchor: 'date', anchor_date: around.date } : { anchor: String(around) }),
    num_before: what === 'newer' ? 0 : PAGE,
    num_after: what === 'older' ? 0 : PAGE,
    include_anchor: what === 'all' || what === 'again',
    narrow: [...narrow],
    ...FORM,
  }
}

/** Where one reads on: at what is unread where messages are read one after the other, at the newest elsewhere. */
export function beginningOf({ view }: Place): Around {
  return ['topic', 'direct', 'channel-feed', 'feed'].includes(view) ? 'first_unread' : 'newest'
}
