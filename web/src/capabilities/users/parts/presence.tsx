import { t } from '../../../kernel/strings.ts'
import { presenceOf } from '../../presence/state.ts'
import './presence.css'

export function PresenceDot({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  return presence === 'offline' ? null : <span class={`presence is-${presence}`} aria-hidden="true" />
}

/** Presence for screen readers, after the name. */
export function PresenceWord({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  return presence === 'offline' ? null : <span class="visually-hidden">, {t().people[presence]}</span>
}
