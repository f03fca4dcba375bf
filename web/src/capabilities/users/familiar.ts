import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { activePeople } from './state.ts'

/** Active people: first those with the latest direct messages, then the others by name. */
export const familiarPeople = computed(() => {
  const latest = new Map<number, number>()
  for (const { user_ids: ids, max_message_id: id } of store().read('recent_private_conversations')) {
    for (const userId of ids) latest.set(userId, Math.max(id, latest.get(userId) ?? 0))
  }
  return activePeople.value.toSorted((one, other) => (latest.get(other.user_id) ?? 0) - (latest.get(one.user_id) ?? 0))
})
