import { canNegate, type Condition } from '../../../kernel/query.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'

interface ChipProps {
  readonly condition: Condition
  /** Whether the condition's value does not exist. */
  readonly isUnknown: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onNegate: () => void
  readonly onMove: (step: 1 | -1) => void
}

/** A search condition. Enter edits, Backspace removes, minus negates, arrows move. */
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
