import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { boolean, id, integer, nothing, string } from '../../kernel/schemas.ts'

export const PRESENCE_HISTORY_DAYS = 14

const modernPresence = z.strictObject({ active_timestamp: integer, idle_timestamp: integer })
export type ModernPresence = z.output<typeof modernPresence>

const presenceStatus = z.enum(['idle', 'active'])
/** Format for older clients, which expect a status for each kind of client; the server reports only one kind. */
const legacyClientPresence = z.strictObject({
  client: string,
  status: presenceStatus,
  timestamp: integer,
  pushable: z.optional(boolean),
})
const legacyPresence = z.record(string, legacyClientPresence)
export type LegacyPresence = z.output<typeof legacyPresence>

const presences = z.record(string, z.union([modernPresence, legacyPresence]))
export type Presences = z.output<typeof presences>

export const historyLimitDays = z.int().check(z.minimum(0))

export const updatePresence = endpoint({
  id: 'updatePresence',
  method: 'POST',
  path: '/users/me/presence',
  summary: 'Update your presence and get that of others.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    status: presenceStatus,
    /** Whether there was user input since the client's last report. If so, the user counts as active. */
    new_user_input: z._default(boolean, false),
    ping_only: z._default(boolean, false),
    /** `presence_last_update_id` of the last response, to request only newer presences; -1 for all. */
    last_update_id: z.optional(z.int().check(z.minimum(-1))),
    history_limit_days: z._default(historyLimitDays, PRESENCE_HISTORY_DAYS),
    slim_presence: z._default(boolean, false),
  }),
  output: z.object({
    presences: z.optional(presences),
    presence_last_update_id: z.optional(integer),
    server_timestamp: z.optional(z.number()),
  }),
  errors: ['BAD_REQUEST'],
})

export const getPresence = endpoint({
  id: 'getPresence',
  method: 'GET',
  path: '/realm/presence',
  summary: 'Get presence of the last two weeks, in the legacy format.',
  since: 0,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ server_timestamp: z.number(), presences: z.record(string, legacyPresence) }),
  errors: [],
})

export const getUserPresence = endpoint({
  id: 'getUserPresence',
  method: 'GET',
  path: '/users/:user_id_or_email/presence',
  summary: "Get a user's presence.",
  since: 0,
  forTokens: 'reading',
  input: z.object({ user_id_or_email: string }),
  output: z.object({ presence: z.record(string, z.strictObject({ timestamp: integer, status: presenceStatus })) }),
  errors: ['BAD_REQUEST'],
})

export const presenceChanged = event({
  type: 'presence',
  summary:
    'A user became active. The responses to `POST /users/me/presence` tell who stays active. Clients with ' +
    '`simplified_presence_events` get `presences`, others the rest.',
  isEphemeral: true,
  payload: z.strictObject({
    presences: z.optional(z.record(string, modernPresence)),
    user_id: z.optional(id),
    /** Absent with `slim_presence`. */
    email: z.optional(string),
    server_timestamp: z.optional(z.number()),
    presence: z.optional(legacyPresence),
  }),
  touches: ['presences'],
  apply(state, { presences: changed, user_id: userId, email, presence }) {
    if (changed !== undefined) Object.assign(presencesIn(state) ?? {}, changed)
    if (email === undefined || userId === undefined || presence?.['website'] === undefined) return
    const { pushable: _, ...aggregated } = presence['website']
    Object.assign(presencesIn(state) ?? {}, { [email]: { ...presence, aggregated } })
  },
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    presences: Presences
  }
}

function presencesIn(state: ClientState): Presences | undefined {
  return state['presences']
}
