import { everyone } from '../../../kernel/audience.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { userUpdated } from '../contract/index.ts'
import { hiddenAddress, members, NOWHERE, userByEmail, userSetting, type UserRow } from '../queries/index.ts'
import { canSeeAddress } from '../rules/index.ts'

const MAX_EMAIL = 254

/** A real address as it is stored. @param own the user who has it already, if there is one, and may keep it */
export function checkedEmail(organization: OrganizationState, given: string, own?: UserRow): string {
  const email = checkedForm(given)
  const known = userByEmail(organization, email)
  if (known !== undefined && known.id !== own?.id) {
    throw new Refusal('BAD_REQUEST', `Email '${email}' already in use`)
  }
  return email
}

/** An address as it is stored, whether or not somebody has it already. */
export function checkedForm(given: string): string {
  const email = given.trim()
  // One `@`, something on both sides, no white space: the mail server has the last word.
  const hasForm = /^[^\s\p{Cc}@<>"`*\\]+@[^\s\p{Cc}@<>"`*\\]+$/u.test(email)
  const isAddress = hasForm && email.length <= MAX_EMAIL && !caseKey(email).endsWith(NOWHERE)
  if (!isAddress) throw new Refusal('BAD_REQUEST', 'Enter a valid email address.')
  return email
}

/**
 * The address that clients use in place of the real one; the real address itself where it is hidden from no account.
 */
export function apiEmail(
  organization: OrganizationState,
  user: Pick<UserRow, 'id' | 'botType' | 'deliveryEmail' | 'settings'>,
): string {
  if (user.botType !== null || userSetting(user, 'email_address_visibility') === 1) return user.deliveryEmail
  return hiddenAddress(organization, user.id)
}

/**
 * Tells the accounts that see the user's addresses that they changed, and the accounts that no longer see the real
 * one.
 */
export function emitAddress(tx: Tx, before: UserRow, after: UserRow): void {
  if (after.email !== before.email) {
    tx.emit(userUpdated, { person: { user_id: after.id, new_email: after.email } }, everyone)
  }
  const isSeenAsBefore =
    userSetting(after, 'email_address_visibility') === userSetting(before, 'email_address_visibility')
  if (isSeenAsBefore && after.deliveryEmail === before.deliveryEmail) return
  const people = members(tx.organization).filter((user) => user.isActive)
  const told = people.filter((viewer) => {
    const [saw, sees] = [seesAddress(viewer, before), seesAddress(viewer, after)]
    return sees && (!saw || after.deliveryEmail !== before.deliveryEmail)
  })
  const losing = people.filter((viewer) => seesAddress(viewer, before) && !seesAddress(viewer, after))
  const { id: user_id, deliveryEmail: delivery_email } = after
  const audience = told.length === people.length ? everyone : { users: idsOf(told) }
  if (told.length > 0) tx.emit(userUpdated, { person: { user_id, delivery_email } }, audience)
  if (losing.length > 0) tx.emit(userUpdated, { person: { user_id, delivery_email: null } }, { users: idsOf(losing) })
}

/** Tells a user whose role changed which real addresses it sees now, and which no longer. */
export function emitAddressesTo(tx: Tx, before: UserRow, after: UserRow): void {
  for (const user of members(tx.organization)) {
    const sees = seesAddress(after, user)
    if (sees === seesAddress(before, user)) continue
    const delivery_email = sees ? user.deliveryEmail : null
    tx.emit(userUpdated, { person: { user_id: user.id, delivery_email } }, { users: [after.id] })
  }
}

function seesAddress(viewer: UserRow, user: UserRow): boolean {
  return canSeeAddress({ userId: viewer.id, role: viewer.role }, user)
}

function idsOf(users: readonly UserRow[]): number[] {
  return users.map(({ id }) => id)
}
