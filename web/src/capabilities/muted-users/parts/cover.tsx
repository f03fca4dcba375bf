import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { revealMessage } from '../state.ts'
import './cover.css'

export function MutedMessageCover({ message: { id } }: { readonly message: Message }) {
  return (
    <div class="cover">
      <Icon name="mute" size={16} />
      <span>{t().people.hiddenMessage}</span>
      <button
        class="cover-button"
        onClick={({ currentTarget }) => {
          // The button disappears, so its row takes the focus.
          currentTarget.closest<HTMLElement>('[data-row]')?.focus()
          revealMessage(id)
        }}
      >
        {t().people.showMessage}
      </button>
    </div>
  )
}
