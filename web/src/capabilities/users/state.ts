import type { users } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import type { ShownRoute } from '../../platform/router.ts'

const usersById = computed(() => {
  const known = store()
  return new Map(
    [...known.read('cross_realm_bots'), ...known.read('realm_non_active_users'), ...known.read('realm_users')].map(
      (person) => [person.user_id, person],
    ),
  )
})

const MODERATOR_ROLE = 300
export const GUEST_ROLE = 600

export function userById(id: number): users.User | undefined {
  return usersById.value.get(id)
}

export function userName(id: number): string {
  return usersById.value.get(id)?.full_name ?? t().place.unknownUser
}

/** Returns the name to search for, or the email address if several people share the name. */
export function uniqueNameOrEmail(id: number): string {
  const person = userById(id)
  if (person === undefined) return userName(id)
  const name = caseKey(person.full_name)
  const isTwice = [...usersById.value.values()].filter((one) => caseKey(one.full_name) === name).length > 1
  return isTwice ? person.email : person.full_name
}

export function ownId(): number {
  return store().read('user_id')
}

export function directPartnerIn(place: ShownRoute): number | undefined {
  if (place.view !== 'direct' || place.userIds.length !== 1) return undefined
  const [id = 0] = place.userIds
  return id === ownId() || userById(id) === undefined ? undefined : id
}

/** Whether the user is a moderator, an administrator, or an owner. */
export function isModerator(): boolean {
  return (userById(ownId())?.role ?? GUEST_ROLE) <= MODERATOR_ROLE
}

export function isAdministrator(): boolean {
  return store().read('is_admin')
}

export function isOwner(): boolean {
  return store().read('is_owner')
}

export const activePeople = computed(() =>
  store()
    .read('realm_users')
    .toSorted((one, other) => one.full_name.localeCompare(other.full_name)),
)

const mutedUserIds = computed(
  () =>
    new Set(
      store()
        .read('muted_users')
        .map(({ id }) => id),
    ),
)

export function isMutedUser(id: number): boolean {
  return mutedUserIds.value.has(id)
}

/** Moderators, administrators, owners, and the notification bot must stay reachable. */
export function mayBeBlocked(id: number): boolean {
  const { role = 0 } = userById(id) ?? {}
  return (
    role > MODERATOR_ROLE &&
    !store()
      .read('cross_realm_bots')
      .some(({ user_id: botId }) => botId === id)
  )
}

/** Moderators and above can ban active people whose role is below theirs. */
export function mayBan(id: number): boolean {
  const { role = 0, is_bot: isBot, is_active: isActive } = userById(id) ?? {}
  const own = userById(ownId())?.role ?? GUEST_ROLE
  return own <= MODERATOR_ROLE && role > own && isBot === false && isActive === true
}

export function isBlockedUser(id: number): boolean {
  return store().read('blocked_users')?.includes(id) === true
}

type PeopleByName = ReadonlyMap<string, users.User | 'several'>

const activeByName = computed(() => indexByName([...store().read('cross_realm_bots'), ...store().read('realm_users')]))
const deactivatedByName = computed(() => indexByName(store().read('realm_non_active_users')))

function indexByName(people: readonly users.User[]): PeopleByName {
  const named = new Map<string, users.User | 'several'>()
  for (const person of people) named.set(person.full_name, named.has(person.full_name) ? 'several' : person)
  return named
}

/** Prefers active accounts; undefined if no account or several accounts have the name. */
export function userNamed(name: string): users.User | undefined {
  const found = activeByName.value.get(name) ?? deactivatedByName.value.get(name)
  return found === 'several' ? undefined : found
}
