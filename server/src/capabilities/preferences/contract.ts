import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { nothing, limitedRecord, string, text } from '../../kernel/schemas.ts'

export const MAX_NAME_CHARACTERS = 100
const MAX_VALUE_CHARACTERS = 20_000

export const PREFERENCE_LIMIT: Limit = { most: 200, per: 'user', what: 'client preferences' }
export const PREFERENCE_CHARACTER_LIMIT: Limit = {
  most: 100_000,
  per: 'user',
  what: 'characters of client preferences and their names',
}

/** Enough to replace all preferences in one request, deleting the old ones and setting as many new ones. */
const MAX_CHANGED_PREFERENCES = 2 * PREFERENCE_LIMIT.most

/** Only clients interpret the values. Clients choose distinctive names, such as `web.density`. */
const preferences = z.record(string, string)
export type Preferences = z.output<typeof preferences>

export const getPreferences = endpoint({
  id: 'getPreferences',
  method: 'GET',
  path: '/preferences',
  summary: 'List your client preferences that are not server settings.',
  since: 420,
  input: nothing,
  output: z.object({ preferences }),
  errors: [],
})

export const updatePreferences = endpoint({
  id: 'updatePreferences',
  method: 'PATCH',
  path: '/preferences',
  summary: 'Store client preferences that are not server settings.',
  description: 'Other preferences are unchanged; null deletes one.',
  since: 420,
  input: z.object({
    preferences: limitedRecord(
      text(MAX_NAME_CHARACTERS),
      z.nullable(text(MAX_VALUE_CHARACTERS)),
      MAX_CHANGED_PREFERENCES,
    ),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/** Sent only to clients with the capability `preferences`. */
export const preferencesChanged = event({
  type: 'preferences',
  summary: 'The user changed preferences in a client.',
  payload: z.strictObject({
    /** Only changed preferences, by name; null for a deleted one. */
    preferences: z.record(string, z.nullable(string)),
  }),
  touches: ['preferences'],
  apply(state, { preferences: changed }) {
    const known = preferencesOf(state)
    if (known === undefined) return
    const after = Object.entries({ ...known, ...changed })
    state['preferences'] = Object.fromEntries(after.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
  },
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    preferences: Preferences
  }
}

function preferencesOf(state: ClientState): Preferences | undefined {
  return state['preferences']
}
