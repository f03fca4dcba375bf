import type { Term } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'

/* This module has no run-time imports, because the inline script of the client's HTML page includes it. */

/** Maximum number of messages to request on each side of the anchor. */
const PAGE_MESSAGES = 60

export type Anchor = number | 'newest' | 'first_unread' | { readonly date: string }

export type PageKind = 'all' | 'again' | 'older' | 'newer'

export const MESSAGE_OPTIONS = { client_external_avatar: false, allow_empty_topic_name: true } as const

export function pageParameters(narrow: readonly Term[], what: PageKind, around: Anchor) {
  return {
    ...(typeof around === 'object' ? { anchor: 'date', anchor_date: around.date } : { anchor: String(around) }),
    num_before: what === 'newer' ? 0 : PAGE_MESSAGES,
    num_after: what === 'older' ? 0 : PAGE_MESSAGES,
    include_anchor: what === 'all' || what === 'again',
    narrow: [...narrow],
    ...MESSAGE_OPTIONS,
  }
}

/** Views that are read in order start at the first unread message, and all other views at the newest message. */
export function initialAnchor({ view }: Place): Anchor {
  return ['topic', 'direct', 'channel-feed', 'feed'].includes(view) ? 'first_unread' : 'newest'
}
