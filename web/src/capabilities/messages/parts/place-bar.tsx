import type { Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { placeTitle } from '../../places/title.tsx'
import { PlaceTools } from '../../places/tools.tsx'
import { unreadOf } from '../../unread/state.ts'
import './place-bar.css'

interface PlaceBarProps {
  readonly place: Conversation
  /** Message at which to open the conversation. */
  readonly near: number
  readonly markedTopic: string | undefined
}

/** A link to the conversation of the messages below, with its actions. */
export function PlaceBar({ place, near, markedTopic }: PlaceBarProps) {
  const unread = unreadOf(place)
  return (
    <div class="place-bar">
      <Link to={{ ...place, near }} class="place-link">
        {placeTitle(place, markedTopic)}
      </Link>
      {unread !== undefined && (
        <span class={unread.mentions > 0 || place.view === 'direct' ? 'badge mine' : 'badge'}>
          {unread.count}
          <span class="visually-hidden"> {t().messages.unread}</span>
        </span>
      )}
      <span class="place-tools">
        <PlaceTools place={place} isOneOfMany />
      </span>
    </div>
  )
}
