import { useEffect } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import type { Condition } from '../../../kernel/query.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { optionId, keepFocusInField } from '../../../platform/overlay/combobox.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonMark } from '../../users/parts/signs.tsx'
import { operandTitle, orderTitle, type Completion } from '../completions.ts'

interface CompletionsProps {
  readonly id: string
  readonly items: readonly Completion[]
  readonly chosen: number
  /** Whether the suggestions are in a row with the filters, where they cover no results. */
  readonly isRow: boolean
  readonly onChoose: (completion: Completion) => void
}

export function Completions({ id, items, chosen, isRow, onChoose }: CompletionsProps) {
  useEffect(() => {
    document.getElementById(optionId(id, chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <ul
      id={id}
      class={isRow ? undefined : 'listbox'}
      role="listbox"
      aria-label={tl().search.completions}
      onMouseDown={keepFocusInField}
    >
      {items.map((item, index) => (
        <li
          key={item.key}
          id={optionId(id, index)}
          class={isRow ? 'option quick-filter' : 'option'}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onChoose(item)}
        >
          {item.userId === undefined ? <Icon name={item.icon} size={16} /> : <Avatar userId={item.userId} size={20} />}
          <bdi class={isRow ? undefined : 'option-label'}>{item.label}</bdi>
          {item.userId !== undefined && <PersonMark userId={item.userId} />}
          {!isRow && item.detail !== undefined && <span class="option-detail">{item.detail}</span>}
          {!isRow && item.example !== undefined && <code class="option-detail search-example">{item.example}</code>}
        </li>
      ))}
    </ul>
  )
}

interface ChipProps {
  readonly condition: Condition
  readonly isUnknown: boolean
  readonly canNegate: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onNegate: () => void
  readonly onMove: (step: 1 | -1) => void
}

/** Keys: Enter edits the condition, Backspace removes it, minus negates it, and arrows move the focus. */
export function Chip({ condition, isUnknown, canNegate, onEdit, onRemove, onNegate, onMove }: ChipProps) {
  const { operator, isNegated } = condition
  const title = operandTitle(condition)
  const order = orderTitle(condition)
  const name = tl().search.condition(order ?? `${operator}: ${title}`, isNegated)
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' || event.key === 'Delete') onRemove()
    else if (event.key === 'ArrowLeft') onMove(-1)
    else if (event.key === 'ArrowRight') onMove(1)
    else if (event.key === '-' && canNegate) onNegate()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const classes = ['chip', isNegated && 'is-negated', isUnknown && 'is-unknown']
  return (
    <span class={classes.filter(Boolean).join(' ')}>
      <button class="chip-main" aria-label={tl().search.edit(name)} onClick={onEdit} onKeyDown={onKey}>
        {order === undefined && (
          <span class="chip-operator">
            {isNegated && '−'}
            {operator}:
          </span>
        )}
        <bdi>{order ?? title}</bdi>
      </button>
      <button class="icon-button chip-remove" aria-label={tl().search.remove(name)} tabIndex={-1} onClick={onRemove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}

const QUICK_OPERATORS = ['from', 'in', 'on', 'has', 'is'] as const

export function QuickFilters({
  onChoose,
}: {
  readonly onChoose: (operator: (typeof QUICK_OPERATORS)[number]) => void
}) {
  return (
    <div role="group" aria-label={tl().search.filters}>
      {QUICK_OPERATORS.map((operator) => (
        <button key={operator} class="quick-filter" onMouseDown={keepFocusInField} onClick={() => onChoose(operator)}>
          {tl().search.quick[operator]}
        </button>
      ))}
    </div>
  )
}
