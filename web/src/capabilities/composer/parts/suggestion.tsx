import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { EmojiSign } from '../../reactions/parts/emoji.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { GuestMark, PresenceDot, PresenceWord } from '../../users/parts/signs.tsx'
import { userById, userName } from '../../users/state.ts'
import type { Suggestion } from '../suggestions.ts'
import './suggestion.css'

export function SuggestionLine(item: Suggestion) {
  const { userId, botId } = item
  return (
    <>
      {userId !== undefined && (
        <span class="suggestion-picture">
          <Avatar userId={userId} size={22} />
          <PresenceDot userId={userId} />
        </span>
      )}
      {botId !== undefined && <Avatar userId={botId} size={22} />}
      {item.icon !== undefined && (
        <span class="suggestion-icon">
          <Icon name={item.icon} size={16} />
        </span>
      )}
      {item.emoji !== undefined && <EmojiSign emoji={item.emoji} />}
      <span class="option-label">
        <bdi>{item.label}</bdi>
        {item.hint !== undefined && <bdi class="suggestion-hint"> {item.hint}</bdi>}
      </span>
      {userId !== undefined && (
        <>
          <PresenceWord userId={userId} />
          <GuestMark userId={userId} />
          <RoleMark userId={userId} />
        </>
      )}
      {item.detail !== undefined && <span class="option-detail">{item.detail}</span>}
      {botId !== undefined && <span class="note suggestion-bot">{userName(botId)}</span>}
    </>
  )
}

function RoleMark({ userId }: { readonly userId: number }) {
  const person = userById(userId)
  if (person === undefined || !(person.is_bot || person.is_admin)) return null
  return <span class="note suggestion-role">{person.is_bot ? t().people.bot : t().people.roles[person.role]}</span>
}
