import type { users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import type { Conversation } from '../../kernel/route.ts'
import { messages, store } from '../../platform/client.ts'
import { channelById } from '../channels/state.ts'
import { subscribersOf } from '../channels/subscribers.ts'
import { authorsOf } from '../places/topic.ts'
import { directPartners } from '../users/familiar.ts'
import { isMutedUser, ownId } from '../users/state.ts'
import { bestMatches, matchKey } from './matches.ts'

/** In larger channels, membership says little about a person, and the list takes long to load. */
const MAX_LISTED_MEMBERS = 2_000

const PERSON_TIERS = { here: 0, directPartner: 1, member: 2, other: 3 } as const

interface Candidate {
  readonly person: users.User
  readonly key: string
}

const candidates = computed((): readonly Candidate[] =>
  store()
    .read('realm_users')
    .filter(({ user_id: id }) => !isMutedUser(id))
    .map((person) => ({ person, key: matchKey(person.full_name) })),
)

function indexById(ids: readonly number[]): ReadonlyMap<number, number> {
  return new Map([...new Set(ids)].map((id, index) => [id, index]))
}

export interface FoundPeople {
  /** People of this conversation, most recent author first, and then of recent direct messages. */
  readonly close: readonly users.User[]
  /** Members of the channel, and then others. */
  readonly distant: readonly users.User[]
}

/** Finds the best matches among the people whom the current user has not muted. */
export function findPeople(typed: string, where: Conversation | undefined): FoundPeople {
  const here = indexById(where === undefined ? [] : peopleIn(where))
  const partners = directPartners.value
  const own = ownId()
  const members = new Set(where?.view === 'topic' ? membersOf(where.channelId) : [])
  const tierOf = ({ person: { user_id: id } }: Candidate): number => {
    if (id === own) return PERSON_TIERS.other
    if (here.has(id)) return PERSON_TIERS.here
    if (partners.has(id)) return PERSON_TIERS.directPartner
    return members.has(id) ? PERSON_TIERS.member : PERSON_TIERS.other
  }
  const recency = ({ person: { user_id: id } }: Candidate): number => here.get(id) ?? partners.get(id) ?? 0
  const found = bestMatches(candidates.value, typed, {
    keyOf: ({ key }) => key,
    tierOf,
    compare: (one, other) => recency(one) - recency(other) || (one.key < other.key ? -1 : 1),
  })
  const isClose = (one: Candidate): boolean => tierOf(one) <= PERSON_TIERS.directPartner
  return {
    close: found.filter(isClose).map(({ person }) => person),
    distant: found.filter((one) => !isClose(one)).map(({ person }) => person),
  }
}

/** Returns the recipients of a direct message, or the authors of a topic's loaded messages, most recent first. */
function peopleIn(where: Conversation): readonly number[] {
  return where.view === 'direct' ? where.userIds : authorsOf(messages.shownIn(where))
}

function membersOf(channelId: number): readonly number[] {
  if ((channelById(channelId)?.subscriber_count ?? 0) > MAX_LISTED_MEMBERS) return []
  return subscribersOf(channelId).userIds ?? []
}
