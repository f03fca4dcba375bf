import { t } from '../../../kernel/strings.ts'
import { presenceOf } from '../../presence/state.ts'
import './presence.css'

/** Whether a person is there, beside their picture, and in words for screen readers. */
export function PresenceDot({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  if (presence === 'offline') return null
  return (
    <span class={`presence is-${presence}`}>
      <span class="visually-hidden">{t().people[presence]}</span>
    </span>
  )
}
