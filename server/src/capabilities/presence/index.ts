import type { World } from '../../kernel/fold.ts'
import { Assembled, keptFields } from '../../platform/answers/serialized.ts'
import { capability, direct, query } from '../../platform/capability.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { Member } from '../groups/rules.ts'
import { userById } from '../users/queries.ts'
import { knownUser } from '../users/rules.ts'
import { isSheltered } from '../users/rules/sight.ts'
import { updatePresence } from './actions.ts'
import * as contract from './contract.ts'
import { daysAgo, everybodysPresence, lastUpdateOf, legacyClient, presentPresences, userPresence } from './queries.ts'
import { presencesIn } from './queries/known.ts'
import { maySeePresence } from './rules.ts'

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
      wanted: (event, { world, userId }) => {
        const whose = userById(world, told(event).userId)
        return whose !== undefined && maySeePresence(world, memberOf(world, userId), whose)
      },
      present: (event, { world, form }) => {
        if (form.capabilities.simplified_presence_events) return event.payload
        const { userId, modern } = told(event)
        return {
          user_id: userId,
          ...(form.slimPresence ? {} : { email: knownUser(world, userId).email }),
          server_timestamp: modern.idle_timestamp,
          presence: legacyClient(modern),
        }
      },
    },
  ],
  snapshot: [
    {
      eventTypes: ['presence'],
      read: async (db, { world, userId, form }, { now, presenceHistoryDays }) => {
        const { rows, state } = await presencesIn(db, world, daysAgo(presenceHistoryDays, now))
        const member = memberOf(world, userId)
        const shape = form.slimPresence ? 'modern' : 'legacy'
        // Who sees everybody sees the same.
        const key = isSheltered(world, member) ? undefined : shape
        const presences = keptFields(world, presentPresences, { key, state }, (folds) => ({
          presences: presentPresences(folds, member, rows, shape),
        }))
        return new Assembled([{ presence_last_update_id: lastUpdateOf(rows), server_timestamp: now }], [presences])
      },
    },
  ],
})

function memberOf(world: World, userId: number): Member {
  return { userId, role: knownUser(world, userId).role }
}

/** Whose presence a whisper of this capability is about. */
function told({ payload }: LoggedEvent): { userId: number; modern: contract.ModernPresence } {
  // Whispered by this capability's action, of one person.
  const [[key, modern] = []] = Object.entries(payload['presences'] as Record<string, contract.ModernPresence>)
  if (key === undefined || modern === undefined) throw new Error('a presence event is about somebody')
  return { userId: Number(key), modern }
}
