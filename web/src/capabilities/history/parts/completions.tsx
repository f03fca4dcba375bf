import type { Condition } from '../../../kernel/query.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { stayInField } from '../../../platform/overlay/listbox.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import type { Completion } from '../completions.ts'
import { canNegate } from '../search-query.ts'

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
      onMouseDown={stayInField}
    >
      {items.map((item, index) => (
        <li
          key={item.key}
          id={`${id}-${index}`}
          class="search-completion"
          role="option"
          aria-selected={index === chosen}
          onClick={() => onChoose(item)}
        >
          {item.userId === undefined ? <Icon name={item.icon} size={16} /> : <Avatar userId={item.userId} size={20} />}
          <bdi>{item.label}</bdi>
          {item.detail !== undefined && <span class="search-detail">{item.detail}</span>}
        </li>
      ))}
    </ul>
  )
}

interface ChipProps {
  readonly condition: Condition
  readonly isUnknown: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onNegate: () => void
  readonly onMove: (step: 1 | -1) => void
}

/** Keys: Enter edits the condition, Backspace removes it, minus negates it, and arrows move the focus. */
export function Chip({ condition, isUnknown, onEdit, onRemove, onNegate, onMove }: ChipProps) {
  const { operator, operand, isNegated } = condition
  const name = t().search.condition(`${operator}: ${operand}`, isNegated)
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' || event.key === 'Delete') onRemove()
    else if (event.key === 'ArrowLeft') onMove(-1)
    else if (event.key === 'ArrowRight') onMove(1)
    else if (event.key === '-' && canNegate(condition)) onNegate()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const classes = ['chip', isNegated && 'is-negated', isUnknown && 'is-unknown']
  return (
    <span class={classes.filter(Boolean).join(' ')}>
      <button class="chip-main" aria-label={t().search.edit(name)} onClick={onEdit} onKeyDown={onKey}>
        <span class="chip-operator">
          {isNegated && '−'}
          {operator}:
        </span>
        <bdi>{operand}</bdi>
      </button>
      <button class="chip-remove" aria-label={t().search.remove(name)} tabIndex={-1} onClick={onRemove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}
