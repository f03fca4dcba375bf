import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { userById } from '../state.ts'

/** Marks guests after their name, if the organization enables it. */
export function GuestMark({ userId }: { readonly userId: number }) {
  const person = userById(userId)
  if (person?.is_guest !== true || !store().read('realm_enable_guest_user_indicator')) return null
  return <span class="note guest-mark">{t().people.roles[person.role]}</span>
}
