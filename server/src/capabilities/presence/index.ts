import type { OrganizationState } from '../../kernel/projection.ts'
import { ComposedResponse, cachedFields } from '../../platform/answers/composed.ts'
import { capability, direct, query } from '../../platform/capability.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { Member } from '../groups/rules.ts'
import { userById } from '../users/queries.ts'
import { knownUser } from '../users/rules.ts'
import { isLimitedGuest } from '../users/rules/visibility.ts'
import { updatePresence } from './actions.ts'
import * as contract from './contract.ts'
import { daysAgo, everybodysPresence, lastUpdateOf, legacyClient, presentPresences, userPresence } from './queries.ts'
import { presencesIn } from './queries/known.ts'
import { canSeePresence } from './rules.ts'

/** Presence: who is there. Written about once a minute for each person, all who ask at once in one statement. */
export const presence = capability({
  name: 'presence',
  tables: ['presences', 'presence_clocks'],
  routes: [
    direct(contract.updatePresence, updatePresence),
    query(contract.getPresence, everybodysPresence),
    query(contract.getUserPresence, userPresence),
  ],
  events: [
    {
      event: contract.presenceChanged,
      isWanted: (event, { organization, userId }) => {
        const whose = userById(organization, told(event).userId)
        return whose !== undefined && canSeePresence(organization, memberOf(organization, userId), whose)
      },
      toClient: (event, { organization, form }) => {
        if (form.capabilities.simplified_presence_events) return event.payload
        const { userId, modern } = told(event)
        return {
          user_id: userId,
          ...(form.slimPresence ? {} : { email: knownUser(organization, userId).email }),
          server_timestamp: modern.idle_timestamp,
          presence: legacyClient(modern),
        }
      },
    },
  ],
  snapshot: [
    {
      eventTypes: ['presence'],
      read: async (db, { organization, userId, form }, { now, presenceHistoryDays }) => {
        const { rows, state } = await presencesIn(db, organization, daysAgo(presenceHistoryDays, now))
        const member = memberOf(organization, userId)
        const shape = form.slimPresence ? 'modern' : 'legacy'
        // Who sees everybody sees the same.
        const key = isLimitedGuest(organization, member) ? undefined : shape
        const presences = cachedFields(organization, presentPresences, { key, state }, (projections) => ({
          presences: presentPresences(projections, member, rows, shape),
        }))
        return new ComposedResponse(
          [{ presence_last_update_id: lastUpdateOf(rows), server_timestamp: now }],
          [presences],
        )
      },
    },
  ],
})

function memberOf(organization: OrganizationState, userId: number): Member {
  return { userId, role: knownUser(organization, userId).role }
}

/** Whose presence an ephemeral event of this capability is about. */
function told({ payload }: LoggedEvent): { userId: number; modern: contract.ModernPresence } {
  // Published by this capability's action, of one person.
  const [[key, modern] = []] = Object.entries(payload['presences'] as Record<string, contract.ModernPresence>)
  if (key === undefined || modern === undefined) throw new Error('a presence event is about somebody')
  return { userId: Number(key), modern }
}
