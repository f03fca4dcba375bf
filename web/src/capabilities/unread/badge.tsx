import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { countedUnread } from './state.ts'

export interface BadgeProps {
  readonly count?: number
  readonly mentions?: number
  readonly isMuted?: boolean
  readonly place?: Pick<Place, 'view'>
}

const MAX_SHOWN_COUNT = 999

/** Number of unread messages, with `@` for mentions; a dot if all are muted. DMs and mentions are filled. */
export function Badge({ count = 0, mentions = 0, isMuted = false, place }: BadgeProps) {
  if (count === 0) return null
  const number = countedUnread({ count, mentions, isMuted })
  const isMine = mentions > 0 || place?.view === 'direct'
  return (
    <span class={number === 0 ? 'badge dot' : isMine ? 'badge mine' : 'badge'}>
      {number > 0 && (
        <span aria-hidden="true">
          {mentions > 0 && '@ '}
          {number > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : number}
        </span>
      )}
      <span class="visually-hidden">
        {' '}
        {t().nav.unread(number || count)}
        {mentions > 0 && `, ${t().nav.mentionCount(mentions)}`}
      </span>
    </span>
  )
}
