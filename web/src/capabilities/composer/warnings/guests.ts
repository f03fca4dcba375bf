import { signal } from '@preact/signals'
import { placeKey, type Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { subscribersOf } from '../../channels/subscribers.ts'
import { activePeople, ownId, userName } from '../../users/state.ts'
import type { Warning } from './warning.ts'

const GUEST = 600
const MOST_NAMED = 3

/** The conversations of which one said that one knows it, until the client is opened anew. */
const known = signal<ReadonlySet<string>>(new Set())

/** The guests who will read a message, where the organization wants its people to know. */
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
