import { t } from '../../kernel/strings.ts'
import { Icon } from './icons.tsx'

interface RemoveButtonProps {
  readonly name: string
  readonly onRemove: () => void
}

export function RemoveButton({ name, onRemove }: RemoveButtonProps) {
  return (
    <button class="icon-button" type="button" aria-label={t().people.remove(name)} onClick={onRemove}>
      <Icon name="close" size={16} />
    </button>
  )
}
