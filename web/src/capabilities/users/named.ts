import type { users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'

const activeByName = computed(() => {
  const known = store()
  const named = new Map<string, users.User | 'several'>()
  for (const person of [...known.read('cross_realm_bots'), ...known.read('realm_users')])
    named.set(person.full_name, named.has(person.full_name) ? 'several' : person)
  return named
})

/** The account of a full name, by which it can be mentioned; undefined where several have it, or none. */
export function userNamed(name: string): users.User | undefined {
  const found = activeByName.value.get(name)
  return found === 'several' ? undefined : found
}
