import { ApiError, call } from '@parley/client'
import { accountLinks, secondFactors, users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import { ta } from '../../kernel/administration.ts'
import { store, sync } from '../../platform/client.ts'
import { copy } from '../../platform/dom/clipboard.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { Told } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { ownId, userById } from './state.ts'

export type Person = users.User
export type Role = Person['role']

/** The most privileged first. */
export const ROLES: readonly Role[] = [100, 200, 300, 400, 600]

/** A person with what one finds them by. */
interface Account {
  readonly person: Person
  readonly words: string
}

function accountsIn(people: readonly Person[]): readonly Account[] {
  const { compare } = new Intl.Collator()
  return people
    .filter(({ is_bot: isBot }) => !isBot)
    .map((person) => ({ person, words: `${person.full_name}\n${addressOf(person) ?? ''}`.toLowerCase() }))
    .toSorted((one, other) => compare(one.person.full_name, other.person.full_name))
}

const active = computed(() => accountsIn(store().read('realm_users')))
const deactivated = computed(() => accountsIn(store().read('realm_non_active_users')))

/** Where a person gets e-mail; undefined where one may not know it. */
export function addressOf({ delivery_email: address }: Person): string | undefined {
  return address ?? undefined
}

/** People by name, of one role or all, by a part of their names or addresses. */
export function accountsWith(query: string, role: Role | undefined, isActive: boolean): readonly Person[] {
  const words = query.trim().toLowerCase()
  return (isActive ? active : deactivated).value
    .filter(({ person, words: own }) => own.includes(words) && (role === undefined || person.role === role))
    .map(({ person }) => person)
}

/** Asks for another address, which is the own one at once only where the server sends no e-mail to confirm it. */
export async function changeEmail(email: string): Promise<void> {
  await withConfirmation(async () => call(SESSION, users.updateSettings, { email }))
}

/* What administrators change of others. A refusal is thrown, and said where it was asked for. */

interface NewAccount {
  readonly email: string
  readonly full_name: string
  readonly password: string
}

/** @returns the person's id */
export async function openAccount(account: NewAccount): Promise<number> {
  const { user_id: id } = await call(SESSION, users.createUser, account)
  return id
}

export async function renameUser(userId: number, name: string): Promise<void> {
  await call(SESSION, users.updateUser, { user_id: userId, full_name: name })
}

/** Gives a person a role, at once; what is refused is as it was before. */
export async function setRole(userId: number, role: Role): Promise<'saved'> {
  const before = userById(userId)?.role ?? role
  const predict = (shown: Role): void => {
    // Who gives up a role of their own leaves this page with it, where they would be told of a refusal.
    if (userId !== ownId()) sync.predict({ type: 'realm_user', op: 'update', person: { user_id: userId, role: shown } })
  }
  predict(role)
  try {
    await call(SESSION, users.updateUser, { user_id: userId, role })
  } catch (error) {
    if (userById(userId)?.role === role) predict(before)
    throw error
  }
  return 'saved'
}

export async function setActive({ user_id: userId, full_name: name }: Person, isActive: boolean): Promise<void> {
  const set = async (isOn: boolean) =>
    call(SESSION, isOn ? users.reactivateUser : users.deactivateUser, { user_id: userId })
  await set(isActive)
  const text = isActive ? ta().accounts.wasReactivated(name) : ta().accounts.wasDeactivated(name)
  undoable(text, async () => set(!isActive))
}

/** @returns since when somebody else has a second factor, in UNIX seconds; null where there is none */
export async function secondFactorOf(userId: number): Promise<number | null> {
  return (await call(SESSION, secondFactors.getSecondFactorOf, { user_id: userId })).since
}

/** Cannot be undone: only the person can set one up. */
export async function removeSecondFactorOf({ user_id: userId, full_name: name }: Person): Promise<void> {
  await withConfirmation(async () => call(SESSION, secondFactors.removeSecondFactorOf, { user_id: userId }))
  toast(ta().accounts.secondFactorWasRemoved(name))
}

/**
 * Makes the link with which somebody else chooses another password, and copies it.
 * @throws Told where people get it by e-mail
 */
export async function copyPasswordLink({ user_id: userId }: Person): Promise<void> {
  try {
    const { password_link: link } = await withConfirmation(async () =>
      call(SESSION, accountLinks.makePasswordLink, { user_id: userId }),
    )
    if (await copy(link)) toast(ta().accounts.passwordLinkCopied)
  } catch (error) {
    const isSent = error instanceof ApiError && error.message === accountLinks.SENDS_MAIL
    throw isSent ? new Told(ta().accounts.passwordLinkSent) : error
  }
}
