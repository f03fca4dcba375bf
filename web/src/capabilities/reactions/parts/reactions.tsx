import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { keepFocus } from '../../../platform/dom/growing-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { isInArchivedChannel } from '../../channels/state.ts'
import { shownName } from '../../muted-users/state.ts'
import { ownId } from '../../users/state.ts'
import { reactionGroups, toggleReaction } from '../state.ts'
import { EmojiSign } from './emoji.tsx'
import { openPicker } from '../picking.ts'
import './reactions.css'

const MAX_NAMES = 2

export function Reactions({ message }: { readonly message: Message }) {
  const isFixed = isInArchivedChannel(message)
  return (
    <div class="reactions" onMouseDown={keepFocus}>
      {reactionGroups(message).map((group) => {
        const isMine = group.userIds.includes(ownId())
        const names = group.userIds.map((id) => (id === ownId() ? t().messages.you : shownName(id)))
        const label = t().messages.reacted(names, group.name)
        return (
          <button
            key={`${group.type}:${group.code}`}
            class="reaction"
            aria-pressed={isMine}
            aria-label={label}
            title={label}
            disabled={isFixed}
            onClick={() => void toggleReaction(message, group)}
          >
            <EmojiSign emoji={group} />
            <span class="reaction-who">{names.length > MAX_NAMES ? names.length : names.join(', ')}</span>
          </button>
        )
      })}
      {!isFixed && (
        <button
          class="reaction reaction-add"
          aria-label={t().messages.react}
          onClick={(event) => openPicker(event.currentTarget, message)}
        >
          <Icon name="smile" size={16} />
        </button>
      )}
    </div>
  )
}
