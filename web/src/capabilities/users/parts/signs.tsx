import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { presenceOf } from '../../presence/state.ts'
import { EmojiSign } from '../../reactions/parts/emoji.tsx'
import { userById, userName } from '../state.ts'
import { emojiOf, statusOf } from '../status.ts'
import { Avatar } from './avatar.tsx'
import './presence.css'

/** Marks bots, and guests if the organization marks them. */
export function PersonMark({ userId }: { readonly userId: number }) {
  const person = userById(userId)
  const isMarkedGuest = person?.is_guest === true && store().read('realm_enable_guest_user_indicator')
  if (person === undefined || !(person.is_bot || isMarkedGuest)) return null
  return <span class="note person-mark">{person.is_bot ? t().people.bot : t().people.roles[person.role]}</span>
}

export function PresenceDot({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  return presence === 'offline' ? null : <span class={`presence is-${presence}`} aria-hidden="true" />
}

/** Tells screen readers a person's presence, after the name. */
export function PresenceWord({ userId }: { readonly userId: number }) {
  const presence = presenceOf(userId)
  return presence === 'offline' ? null : <span class="visually-hidden">, {t().people[presence]}</span>
}

export function StatusSign({ userId }: { readonly userId: number }) {
  const status = statusOf(userId)
  const emoji = status === undefined ? undefined : emojiOf(status)
  if (status === undefined || emoji === undefined) return null
  return (
    <span class="status-sign" title={status.status_text}>
      <EmojiSign emoji={emoji} />
    </span>
  )
}

export function PersonLabel({ userId }: { readonly userId: number }) {
  return (
    <>
      <span class="person-picture">
        <Avatar userId={userId} size={24} />
        <PresenceDot userId={userId} />
      </span>
      <bdi>{userName(userId)}</bdi>
      <PersonMark userId={userId} />
      <PresenceWord userId={userId} />
    </>
  )
}
