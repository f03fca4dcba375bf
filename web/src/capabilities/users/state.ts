import type { users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'

const byId = computed(() => {
  const known = store()
  return new Map(
    [...known.read('cross_realm_bots'), ...known.read('realm_non_active_users'), ...known.read('realm_users')].map(
      (person) => [person.user_id, person],
    ),
  )
})

export function userById(id: number): users.User | undefined {
  return byId.value.get(id)
}

export function userName(id: number): string {
  return byId.value.get(id)?.full_name ?? t().place.unknownUser
}

/** What names a person in a search: the address where others have the same name. */
export function searchedName(id: number): string {
  const person = userById(id)
  if (person === undefined) return userName(id)
  const name = person.full_name.toLowerCase()
  const isTwice = [...byId.value.values()].filter((one) => one.full_name.toLowerCase() === name).length > 1
  return isTwice ? person.email : person.full_name
}

export function ownId(): number {
  return store().read('user_id')
}

/** The one person with whom a direct conversation is; undefined for others, and for notes to oneself. */
export function partnerIn(place: Place): number | undefined {
  if (place.view !== 'direct' || place.userIds.length !== 1) return undefined
  const [id = 0] = place.userIds
  return id === ownId() || userById(id) === undefined ? undefined : id
}

export function isAdministrator(): boolean {
  return store().read('is_admin')
}

export function isOwner(): boolean {
  return store().read('is_owner')
}

/** All accounts that can be written to, the own one included. */
export const activePeople = computed(() =>
  store()
    .read('realm_users')
    .toSorted((one, other) => one.full_name.localeCompare(other.full_name)),
)

const mutedIds = computed(
  () =>
    new Set(
      store()
        .read('muted_users')
        .map(({ id }) => id),
    ),
)

export function isMutedUser(id: number): boolean {
  return mutedIds.value.has(id)
}
