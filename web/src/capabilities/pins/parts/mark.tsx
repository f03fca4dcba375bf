import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { shownName } from '../../muted-users/state.ts'
import { ownId } from '../../users/state.ts'
import type { Pin } from '../state.ts'
import './pins.css'

export function PinMark({ pin: { scope, pinned_by: userId } }: { readonly pin: Pin }) {
  const name = tl().pins.pinnedBy[scope](userId === ownId() ? t().messages.you : shownName(userId))
  return (
    <span class="message-mark" role="img" aria-label={name} title={name}>
      <Icon name="pin" size={14} />
    </span>
  )
}
