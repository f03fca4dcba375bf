import { t } from '../../../kernel/strings.ts'
import { EmojiSign } from '../../reactions/parts/emoji.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import type { Suggestion } from '../suggestions.ts'

interface SuggestionListProps {
  readonly id: string
  readonly items: readonly Suggestion[]
  readonly chosen: number
  readonly onChoose: (index: number) => void
}

/** What may be meant, above the field; the field keeps the focus. */
export function SuggestionList({ id, items, chosen, onChoose }: SuggestionListProps) {
  return (
    <ul id={id} class="suggestions" role="listbox" aria-label={t().composer.suggestions}>
      {items.map((item, index) => (
        <li
          key={item.key}
          id={`${id}-${index}`}
          class="suggestion"
          role="option"
          aria-selected={index === chosen}
          // Before the field loses the focus, which would close the list.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(index)
          }}
        >
          {item.userId !== undefined && <Avatar userId={item.userId} size={22} />}
          {item.emoji !== undefined && <EmojiSign emoji={item.emoji} />}
          <span class="suggestion-label">
            <bdi>{item.label}</bdi>
          </span>
          {item.detail !== undefined && <span class="suggestion-detail">{item.detail}</span>}
        </li>
      ))}
    </ul>
  )
}
