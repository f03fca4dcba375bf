import type { users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'

type ByName = ReadonlyMap<string, users.User | 'several'>

const activeByName = computed(() => byName([...store().read('cross_realm_bots'), ...store().read('realm_users')]))
const deactivatedByName = computed(() => byName(store().read('realm_non_active_users')))

function byName(people: readonly users.User[]): ByName {
  const named = new Map<string, users.User | 'several'>()
  for (const person of people) named.set(person.full_name, named.has(person.full_name) ? 'several' : person)
  return named
}

/**
 * The account that a full name mentions, preferring active accounts; undefined if no account or several accounts have
 * the name.
 */
export function userNamed(name: string): users.User | undefined {
  const found = activeByName.value.get(name) ?? deactivatedByName.value.get(name)
  return found === 'several' ? undefined : found
}
