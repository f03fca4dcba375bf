import type { Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { placeTitle } from '../../places/title.tsx'
import { PlaceTools } from '../../places/tools.tsx'
import { unreadOf } from '../../unread/state.ts'
import './place-bar.css'

interface PlaceBarProps {
  readonly place: Conversation
  /** The message at which the conversation opens. */
  readonly near: number
  /** The topic with what a search marked in it. */
  readonly markedTopic: string | undefined
}

/** Where the messages below it are, as a link to there, and what can be done with that conversation. */
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
