import type { Term } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'

/*
 * Requests for a page of messages. The inline script of the client's HTML page shares this module, so the module has no
 * imports.
 */

/** Messages per request, before and after the anchor. */
const PAGE = 60

/** The anchor: a message, an end, the first unread message, or the first message of a day. */
export type Anchor = number | 'newest' | 'first_unread' | { readonly date: string }

/** The part to read: a new window, the same range again, or more messages at one end. */
export type PagePart = 'all' | 'again' | 'older' | 'newer'

/** Message format that the client expects. */
export const FORM = { client_external_avatar: false, allow_empty_topic_name: true } as const

export function pageAsked(narrow: readonly Term[], what: PagePart, around: Anchor) {
  return {
    ...(typeof around === 'object' ? { anchor: 'date', anchor_date: around.date } : { anchor: String(around) }),
    num_before: what === 'newer' ? 0 : PAGE,
    num_after: what === 'older' ? 0 : PAGE,
    include_anchor: what === 'all' || what === 'again',
    narrow: [...narrow],
    ...FORM,
  }
}

/** The reading start of a view: the first unread message if the view is read in order, otherwise the newest message. */
export function beginningOf({ view }: Place): Anchor {
  return ['topic', 'direct', 'channel-feed', 'feed'].includes(view) ? 'first_unread' : 'newest'
}
