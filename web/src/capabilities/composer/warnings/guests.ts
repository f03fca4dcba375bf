import { signal } from '@preact/signals'
import { placeKey, type Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { subscribersOf } from '../../channels/subscribers.ts'
import { activePeople, ownId, userName } from '../../users/state.ts'
import type { Warning } from './warning.ts'

const GUEST = 600
const MOST_NAMED = 3

/** Conversations whose warning the user has dismissed in this session. */
const known = signal<ReadonlySet<string>>(new Set())

/** Warns about guests who will read the message, if the organization enables this warning. */
export function aboutGuests(place: Conversation): readonly Warning[] {
  const key = placeKey(place)
  if (!store().read('realm_enable_guest_user_dm_warning') || store().read('is_guest') || known.value.has(key)) return []
  const guests = activePeople.value.filter(({ role }) => role === GUEST).map(({ user_id }) => user_id)
  if (guests.length === 0) return []
  const readers = new Set(place.view === 'direct' ? place.userIds : subscribersOf(place.channelId).userIds)
  const reading = guests.filter((id) => readers.has(id) && id !== ownId()).map(userName)
  if (reading.length === 0) return []
  const text = t().warnings.guests(reading.slice(0, MOST_NAMED), Math.max(0, reading.length - MOST_NAMED))
  const run = (): void => {
    known.value = new Set([...known.value, key])
  }
  return [{ key: 'guests', text, action: { title: t().warnings.understood, run } }]
}
