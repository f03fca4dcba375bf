import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { activePeople } from './state.ts'

/** Ranks of the people in direct messages by ID, with 0 for the person with the latest message. */
export const directPartners = computed((): ReadonlyMap<number, number> => {
  const ids = store()
    .read('recent_private_conversations')
    .toSorted((one, other) => other.max_message_id - one.max_message_id)
    .flatMap(({ user_ids: people }) => people)
  return new Map([...new Set(ids)].map((id, index) => [id, index]))
})

/** Active people: first those with the latest direct messages, then the others by name. */
export const familiarPeople = computed(() => {
  const ranks = directPartners.value
  const rankOf = (id: number): number => ranks.get(id) ?? ranks.size
  return activePeople.value.toSorted((one, other) => rankOf(one.user_id) - rankOf(other.user_id))
})
