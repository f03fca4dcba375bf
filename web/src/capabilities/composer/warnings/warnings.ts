import type { Conversation } from '../../../kernel/route.ts'
import { aboutChannel } from './channel.ts'
import { aboutGuests } from './guests.ts'
import { aboutMentions } from './mentions.ts'
import { aboutPeople } from './people.ts'
import { aboutTopic } from './topic.ts'
import type { Warning } from './warning.ts'

export function warningsFor(place: Conversation, text: string): readonly Warning[] {
  const isBegun = text.trim() !== ''
  if (place.view === 'direct') return [...aboutPeople(place), ...(isBegun ? aboutGuests(place) : [])]
  return [
    ...aboutChannel(place.channelId),
    ...(isBegun ? [...aboutTopic(place), ...aboutMentions(place, text), ...aboutGuests(place)] : []),
  ]
}
