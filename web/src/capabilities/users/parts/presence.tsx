import { t } from '../../../kernel/strings.ts'
import { presenceOf } from '../../presence/state.ts'
import './presence.css'

/** A dot at a person's picture: whether they are there. */
export function PresenceDot({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  return presence === 'offline' ? null : <span class={`presence is-${presence}`} aria-hidden="true" />
}

/** The same for screen readers, behind the name. */
export function PresenceWord({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  return presence === 'offline' ? null : <span class="visually-hidden">, {t().people[presence]}</span>
}
