import { ApiError, call, type Answer } from '@parley/client'
import { accountLinks, secondFactors, users } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import { ta } from '../../kernel/administration.ts'
import { store, sync } from '../../platform/client.ts'
import { copyText } from '../../platform/dom/clipboard.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { UserFacingError } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { ownId, userById } from './state.ts'

export type Person = users.User
export type Role = Person['role']

export const OWNER_ROLE = 100

/** Most privileged first. */
export const ROLES: readonly Role[] = [100, 200, 300, 400, 600]

/** Person with the lower-cased text that a search compares. */
interface SearchableAccount {
  readonly person: Person
  readonly words: string
}

function searchableAccounts(people: readonly Person[]): readonly SearchableAccount[] {
  const { compare } = new Intl.Collator()
  return people
    .filter(({ is_bot: isBot }) => !isBot)
    .map((person) => ({ person, words: caseKey(`${person.full_name}\n${addressOf(person) ?? ''}`) }))
    .toSorted((one, other) => compare(one.person.full_name, other.person.full_name))
}

const activeAccounts = computed(() => searchableAccounts(store().read('realm_users')))
const deactivatedAccounts = computed(() => searchableAccounts(store().read('realm_non_active_users')))

export function addressOf({ delivery_email: address }: Person): string | undefined {
  return address ?? undefined
}

export function findAccounts(query: string, role: Role | undefined, isActive: boolean): readonly Person[] {
  const words = caseKey(query.trim())
  return (isActive ? activeAccounts : deactivatedAccounts).value
    .filter(({ person, words: own }) => own.includes(words) && (role === undefined || person.role === role))
    .map(({ person }) => person)
}

/** The new address applies immediately only if the server sends no confirmation email. */
export async function changeEmail(email: string): Promise<void> {
  await withConfirmation(async () => call(SESSION, users.updateSettings, { email }))
}

export async function changePassword(old: string, password: string): Promise<void> {
  await call(SESSION, users.updateSettings, { old_password: old, new_password: password })
}

export async function revokeOtherAccess(): Promise<Answer<typeof accountLinks.revokeOwnAccess>['revoked']> {
  return (await withConfirmation(async () => call(SESSION, accountLinks.revokeOwnAccess, {}))).revoked
}

/* The functions below are for administrators, and throw errors, so that the calling form can show them. */

interface NewAccount {
  readonly email: string
  readonly full_name: string
  readonly password: string
}

export async function createAccount(account: NewAccount): Promise<number> {
  const { user_id: id } = await withConfirmation(async () => call(SESSION, users.createUser, account))
  return id
}

export async function renameUser(userId: number, name: string): Promise<void> {
  await call(SESSION, users.updateUser, { user_id: userId, full_name: name })
}

export async function setRole(userId: number, role: Role): Promise<'saved'> {
  const before = userById(userId)?.role ?? role
  const predict = (shown: Role): void => {
    // Does not predict the user's own role: a lower role would close this page, and an error message would be lost.
    if (userId !== ownId()) sync.predict({ type: 'realm_user', op: 'update', person: { user_id: userId, role: shown } })
  }
  predict(role)
  try {
    await withConfirmation(async () => call(SESSION, users.updateUser, { user_id: userId, role }))
  } catch (error) {
    if (userById(userId)?.role === role) predict(before)
    throw error
  }
  return 'saved'
}

/** Has no Undo, because reactivating an account does not restore its revoked access. */
export async function deactivateUser({ user_id: userId, full_name: name }: Person): Promise<void> {
  await call(SESSION, users.deactivateUser, { user_id: userId })
  toast(ta().accounts.wasDeactivated(name))
}

export async function reactivateUser({ user_id: userId, full_name: name }: Person): Promise<void> {
  await withConfirmation(async () => call(SESSION, users.reactivateUser, { user_id: userId }))
  offerUndo(ta().accounts.wasReactivated(name), async () => call(SESSION, users.deactivateUser, { user_id: userId }))
}

/** @returns when 2FA was enabled, in UNIX seconds; null without 2FA */
export async function fetchSecondFactorTime(userId: number): Promise<number | null> {
  return (await call(SESSION, secondFactors.getSecondFactorOf, { user_id: userId })).since
}

/** Has no Undo, because only the user can set up 2FA. */
export async function removeSecondFactorOf({ user_id: userId, full_name: name }: Person): Promise<void> {
  await withConfirmation(async () => call(SESSION, secondFactors.removeSecondFactorOf, { user_id: userId }))
  toast(ta().accounts.secondFactorWasRemoved(name))
}

/** @throws UserFacingError if the server emails such links to users instead */
export async function copyPasswordLink({ user_id: userId }: Person): Promise<void> {
  try {
    const { password_link: link } = await withConfirmation(async () =>
      call(SESSION, accountLinks.makePasswordLink, { user_id: userId }),
    )
    if (await copyText(link)) toast(ta().accounts.passwordLinkCopied)
  } catch (error) {
    const isSent = error instanceof ApiError && error.message === accountLinks.SERVER_SENDS_EMAIL_MESSAGE
    throw isSent ? new UserFacingError(ta().accounts.passwordLinkSent) : error
  }
}
