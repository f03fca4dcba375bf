import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import type { Completion } from '../completions.ts'

interface CompletionsProps {
  readonly id: string
  readonly items: readonly Completion[]
  readonly chosen: number
  readonly onChoose: (completion: Completion) => void
}

export function Completions({ id, items, chosen, onChoose }: CompletionsProps) {
  return (
    <ul
      id={id}
      class="search-completions"
      role="listbox"
      aria-label={t().search.completions}
      hidden={items.length === 0}
    >
      {items.map((item, index) => (
        <li
          key={item.key}
          id={`${id}-${index}`}
          class="search-completion"
          role="option"
          aria-selected={index === chosen}
          // Handled on pointerdown, before the field loses the focus and the list closes.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(item)
          }}
        >
          {item.userId === undefined ? <Icon name={item.icon} size={16} /> : <Avatar userId={item.userId} size={20} />}
          <bdi>{item.label}</bdi>
          {item.detail !== undefined && <span class="search-detail">{item.detail}</span>}
        </li>
      ))}
    </ul>
  )
}
